// What an event-driven simulation does, and keeps between its functions: the implementation of EventDriven.
#pragma once

#include <array>

#include "events/smooth_motion.hpp"
#include "nonsmooth/kernel/event_driven.hpp"
#include "simulation/snapshot.hpp"

namespace nonsmooth::kernel {

// Functions of EventDriven's name are what it says of them. Those that a class derived from it may override are called as its.
class EventDriven::Work {
 public:
  static constexpr std::size_t contact_events = static_cast<std::size_t>(ContactEvent::Jammed) + 1;

  struct Settings {
    double tolerance = 1e-12, accumulation_tolerance = -1, projection_tolerance = -1;  // negative: the default
    std::size_t log_length = 1000;
    std::function<void(const EventDriven&, const ContactRecord&)> on_event;
    std::function<void(const EventDriven&, bool)> on_state;
  };

  explicit Work(EventDriven& simulation);

  // event_driven_work.cpp: the run.
  void initialize();
  bool hasNextEvent() const;
  void advanceToEvent();
  void integrate(double& tinit, double& tend, double& tout, int& iout);
  void updateOutput(int level_min, int level_max);
  void nextStep();
  void requireMotionTo(double time) const;
  void process(Event& event);
  void processInstant();

  // nonsmooth_event.cpp: impacts and contacts.
  void processNonSmoothEvent();
  void updateIndexSets();
  SolveReport computeOneStepNSProblem(const std::string& name);
  void update(int level);
  void updateIndexSetsWithDoubleCondition();
  const std::deque<ContactRecord>& eventLog() const { return log_; }
  void shortenLog();
  long count(ContactEvent kind) const { return counts_[static_cast<std::size_t>(kind)]; }

  Settings settings;

 private:
  enum class FunctionKind { Gap, Force, Stick, Slide };

  // A function whose fall through zero is an event. It is armed once it has clearly been above zero: a contact that has just
  // opened begins at a gap that is zero up to rounding.
  struct Function {
    FunctionKind kind = FunctionKind::Gap;
    int record = -1;
    bool armed = false, disabled = false;
    double value = 0, rate = 0;          // at the end of what has been searched; the rate of gaps only
    double end_value = 0, end_rate = 0;  // at the end of the part at work
    double first = 0, second = 0;        // within it, where they are asked for
    double least = 0;                    // of a gap within it, at least
    bool quiet = false;                  // nothing happens in it
  };

  // One contact: its part in smooth motion, and in the event at work.
  struct Contact {
    std::uint32_t generation = 0;
    bool closed = false;
    double floor = 0;                                          // the gap it had at the last event, where that was below zero
    double grazed = -std::numeric_limits<double>::infinity();  // when its gap last fired without an impact
    double slides_since = -std::numeric_limits<double>::infinity();  // when its friction last came to the bound
    ContactMode mode = ContactMode::Frictionless;
    std::array<double, 2> direction = {0, 0};
    // Of the event at work.
    std::array<bool, 4> fired{};  // by kind of function
    bool at_once = false;         // at the very instant the contact opened
    bool plastic = false, undetermined = false;
    bool was_closed = false;
    ContactMode mode_before = ContactMode::Frictionless;
    std::array<double, 2> direction_before = {0, 0};
    double velocity_before = 0, impulse = 0, until = 0;
    // The last impacts.
    std::array<double, 3> impacts = {0, 0, 0};
    int impact_count = 0;
    double first_impact = 0;
    // When it last opened or had an impact, and the duration of the flight before.
    double opened = -std::numeric_limits<double>::infinity(), flight = std::numeric_limits<double>::infinity();

    // Its impacts are plastic up to that instant.
    void stayClosed(double instant) {
      plastic = true;
      until = instant;
    }
    bool hasFired(FunctionKind kind) const { return fired[static_cast<std::size_t>(kind)]; }
    // What has been found ahead of the present instant counts no more.
    void forgetFired() {
      fired.fill(false);
      at_once = false;
    }
  };

  EventDrivenOSI& integrator() const { return *osi_; }
  Contact& contactOf(int record) { return contacts_[static_cast<std::size_t>(record)]; }
  const Contact& contactOf(int record) const { return contacts_[static_cast<std::size_t>(record)]; }
  // Have interactions or systems been linked or removed?
  bool isOtherModel() const { return simulation_.topology_ != model_.topologyVersion(); }

  // event_driven_work.cpp
  void begin();
  void prepareRun();
  void initializeFirst();
  double instant() const;
  void requireNoOverlap(bool changed = false) const;
  void requireSameEnd() const;
  void beginStep();
  void takeBack();
  void moveToEvent();
  void perform(Event& event);
  void processChange();
  void startAnew();
  void openTornContacts();
  void putBack();
  void putBackUnmoved();
  bool stepDrifts();
  void tell(bool before);
  void noteState();
  void noteParameters();
  bool hasChanged() const;
  void forgetFired();

  // nonsmooth_event.cpp
  double normalVelocity(int index) const;
  bool restsAt(int index) const;
  bool approaching() const;
  SolveReport solve(const std::string& problem_name);
  void accept(const std::string& problem_name, const SolveReport& report);
  bool isNoFlight(const Contact& contact, double approach, double restitution) const;
  void findAccumulations();
  void solveImpacts();
  void joinClosed();
  void repeatImpacts(std::vector<char>& plastic);
  void addImpulses();
  void settleContacts();
  bool solveContacts(bool required);
  bool beginsToSlide(const Contact& contact) const;
  void decide(int index, double force_zero, double acceleration_zero);
  void settleClosed();
  bool obeyLaws() const;
  bool openPulling();
  void writeLog();
  void log(const ContactRecord& record);
  void announce();

  // jams.cpp
  SolveReport solveImpact(std::vector<char>& plastic);
  void jump(int jumps);

  // event_search.cpp
  void buildFunctions();
  double zeroOf(const Function& function) const;
  double presentValue(const Function& function, double time);
  double valueAt(const Function& function, double time);
  VectorView rateAt(InteractionRecord& record, double time);
  double gapRateAt(const Function& function, double time);
  void evaluateForces(double time);
  void searchStep();
  void fire(std::size_t function, double time, bool at_once);
  double instantAbove(const Function& function, double start, double end);
  bool hidesFlight(double start, double end);
  void inspect(std::size_t k, double start, double end);
  void inspectReturn(std::size_t k, double start, double end, double value);
  void inspectDip(std::size_t k, double start, double end, double value, double rate);

  // event_parts.cpp
  bool asksForLook(const Function& function) const;
  bool isQuiet(const Function& function, double length) const;
  bool hidesDip(Function& function, double length) const;
  bool hidesDipOfGap(Function& function, double length) const;
  bool hidesDipOfValues(const Function& function) const;
  void look(double start, double end);
  void searchParts(double start, double end);
  void searchPart(double start, double end, int depth);

  EventDriven& simulation_;
  NonSmoothDynamicalSystem& model_;
  EventsManager& events_;
  std::vector<std::vector<int>>& index_sets_;
  EventDrivenOSI* osi_ = nullptr;
  double velocity_zero_ = 1e-12;
  std::vector<Contact> contacts_;  // by record
  std::vector<Function> functions_;
  std::vector<std::size_t> fired_;
  bool found_ = false;
  double found_time_ = 0, searched_ = 0;
  double last_part_ = 0;  // length of the last part of a step that was searched at once, since the last event
  // Where integrate() has left the state, ahead of the event processed last; none where that event's instant is the present one.
  double reached_ = -std::numeric_limits<double>::infinity();
  bool end_at_instant_ = false;  // closed contacts have drifted off: a step is to end where they are put back
  // Of the event at work: velocity at which contacts that were closed stay so, where nothing but falls through what gaps are
  // known to has happened.
  double resting_ = 0;
  bool jammed_ = false;  // of the event at work: friction left its impact, or its forces, without a solution
  std::int64_t last_ticks_ = -1;
  int at_one_instant_ = 0;
  std::deque<ContactRecord> log_;
  std::array<long, contact_events> counts_{};  // by kind
  // The start of the step, which is given back where the step fails; entries of the log made since, and the oldest, which these
  // have pushed out. `under_way_` until its event has been processed.
  bool under_way_ = false;
  Snapshot start_;
  ContactSnapshot outputs_at_start_;
  std::vector<Contact> contacts_at_start_;
  std::array<long, contact_events> counts_at_start_{};
  std::size_t logged_ = 0;
  std::vector<ContactRecord> dropped_;
  // Entries of the log that the user has not been told of.
  std::vector<ContactRecord> unannounced_;
  // Positions and velocities that smooth motion goes on from, and the versions of operators then.
  std::vector<double> left_q_, left_v_;
  std::vector<double> parameters_;  // z of systems and relations when functions were called last before users
  unsigned long left_version_ = 0;
};

}  // namespace nonsmooth::kernel
