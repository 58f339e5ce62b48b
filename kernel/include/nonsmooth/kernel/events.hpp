// Events of event-driven simulations and their manager.
#ifndef NONSMOOTH_KERNEL_EVENTS_HPP
#define NONSMOOTH_KERNEL_EVENTS_HPP

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "nonsmooth/kernel/time_discretisation.hpp"

namespace nonsmooth::kernel {

class EventDriven;

// Kinds of events, in the order in which those of one instant are processed.
enum class EventType {
  NonSmooth = 0,       // a contact closes or opens, sliding ends or begins
  Actuator,            // may change the state or the forces
  UserDefined,         // the same
  TimeDiscretisation,  // an instant of the time discretisation
  Sensor,              // looks at the state only
  Observer             // the same
};

// What happens at an instant. Instants are whole numbers of ticks since the initial time, so that their order, and which of them
// are the same, does not depend on rounding; time() is the double the event was made with. Events of one instant are processed in
// the order of the types above.
class Event {
 public:
  // What an event of the user's own does.
  using Action = std::function<void(EventDriven&)>;
  Event(EventType type, double time, Action action = nullptr)
      : type_(type), time_(time), first_(time), action_(std::move(action)) {}
  virtual ~Event();
  // Kind; instant, as it was given [s] and in ticks.
  EventType getType() const { return type_; }
  double time() const { return time_; }
  double getDoubleTimeOfEvent() const { return time_; }
  std::int64_t ticks() const { return ticks_; }
  // Comes again after so many seconds, for ever; 0: once. Multiples are counted from the first instant.
  void setPeriod(double period);
  double period() const { return period_; }
  // May the state or the forces be others afterwards? Then smooth motion starts anew.
  bool changesMotion() const {
    return type_ == EventType::NonSmooth || type_ == EventType::Actuator || type_ == EventType::UserDefined;
  }
  // What the event does.
  virtual void process(EventDriven& simulation);

 private:
  friend class EventsManager;
  double successor() const { return first_ + static_cast<double>(repeats_ + 1) * period_; }
  EventType type_;
  double time_, first_, period_ = 0;
  long repeats_ = 0;
  std::int64_t ticks_ = 0;
  Action action_;
};

// Outputs at an instant of the time discretisation; the state becomes that of the start of the next interval.
class TimeDiscretisationEvent : public Event {
 public:
  TimeDiscretisationEvent() : Event(EventType::TimeDiscretisation, 0.0) {}
  void process(EventDriven& simulation) override;
};

// Index sets, impacts, and which contacts stay closed.
class NonSmoothEvent : public Event {
 public:
  NonSmoothEvent() : Event(EventType::NonSmooth, 0.0) {}
  void process(EventDriven& simulation) override;
};

// currentEvent: processed last, the start of the present interval; nextEvent: its end. Where the simulation has not been
// initialized yet, whatever asks for an event does so.
class EventsManager {
 public:
  // An event that has been processed.
  struct Past {
    // Kind and instant.
    EventType type;
    double time;
    // Instant in ticks.
    std::int64_t ticks;
  };
  explicit EventsManager(EventDriven& simulation);

  // From the first instant; the tick is a power of two such that the interval to `end` has 2^60 of them (2^43 a second without an
  // end).
  void initialize(const TimeDiscretisation& discretisation, double start, double end);
  double tick() const { return tick_; }
  double end() const { return end_; }
  // Events closer than that are of one instant; default 100 rounding errors of the final time [s].
  double resolution() const { return resolution_seconds_; }
  void setResolution(double seconds);

  // Is there an event before the final time?
  bool hasNextEvent() const;
  // Instants of currentEvent and nextEvent [s].
  double startingTime() const { return current_.time; }
  double nextTime() const { return nextEvent().time(); }
  // Ends of the present interval.
  const Past& currentEvent() const { return current_; }
  const Event& nextEvent() const;
  // The next event that may change the motion, infinity where there is none: an integrator does not pass it.
  double nextChange() const;
  // What is to come, in order.
  const std::vector<Event*>& unProcessedEvents() const { return unprocessed_; }
  // The last ones, oldest first.
  std::span<const Past> pastEvents() const { return std::span(past_).last(std::min(past_.size(), kept_)); }
  // Entries kept.
  void setPastEvents(std::size_t count) { kept_ = count; }
  // Events processed in all.
  long processed() const { return count_; }

  // Throws where its instant is past or after the final time, or its period not longer than the resolution; before the simulation
  // is initialized, that does. The first form shares the event.
  void insertEvent(std::shared_ptr<Event> event);
  Event& insertEvent(EventType type, double time, Event::Action action, double period = 0);
  // An impact or a change of the contacts is expected at this instant.
  void scheduleNonSmoothEvent(double time);
  // It is not expected any more.
  void withdrawNonSmoothEvent();
  // Processes the next event, which becomes the current one. Where that throws it is the next one as before. Events and callbacks
  // may not: they are part of one.
  void processEvents();
  // Throws while an event is being processed.
  void requireNoneAtWork() const;

 private:
  friend class EventDriven;
  EventDriven& simulation() const;
  std::int64_t ticksOf(double time) const;
  void insert(Event& event);
  void requirePeriod(const Event& event) const;
  void requireSuccessor(const Event& event) const;
  void admit(Event& event);
  void scheduleNextInstant();
  void setTicks(double resolution);

  EventDriven* simulation_;
  const TimeDiscretisation* discretisation_ = nullptr;
  double start_ = 0, end_ = 0, tick_ = 0, resolution_seconds_ = 0, wanted_resolution_ = 0;
  std::int64_t resolution_ = 0;
  long instant_ = 0, instants_ = 0, count_ = 0;
  Past current_{EventType::TimeDiscretisation, 0, 0};
  TimeDiscretisationEvent time_event_;
  NonSmoothEvent nonsmooth_event_;
  bool nonsmooth_scheduled_ = false, at_work_ = false;
  std::vector<Event*> unprocessed_;  // in order
  std::vector<std::shared_ptr<Event>> owned_;
  std::vector<Past> past_;  // with some more than are kept: all are moved once in a while, not at every event
  std::size_t kept_ = 100;
};

}  // namespace nonsmooth::kernel
#endif
