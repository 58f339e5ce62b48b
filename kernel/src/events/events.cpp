#include "nonsmooth/kernel/events.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "events/event_driven_work.hpp"
#include "simulation/at_work.hpp"

namespace nonsmooth::kernel {
namespace {

constexpr int ticks_of_interval = 60, ticks_without_end = 43;  // powers of two
constexpr double resolution_roundings = 100;
constexpr std::size_t spare_past = 100;  // past events beyond those kept, before they are let go

}  // namespace

Event::~Event() = default;

void Event::setPeriod(double period) {
  if (!(period >= 0)) fail("period %g of an event", period);
  period_ = period;
}

void Event::process(EventDriven& simulation) {
  if (action_) action_(simulation);
}

void TimeDiscretisationEvent::process(EventDriven& simulation) { simulation.processInstant(); }

void NonSmoothEvent::process(EventDriven& simulation) { simulation.processNonSmoothEvent(); }

EventsManager::EventsManager(EventDriven& simulation) : simulation_(&simulation) {
  current_.time = simulation.nonSmoothDynamicalSystem().t0();
}

// It may outlive its simulation.
EventDriven& EventsManager::simulation() const {
  if (simulation_ == nullptr) fail("the simulation of these events is gone");
  return *simulation_;
}

bool EventsManager::hasNextEvent() const { return simulation_ != nullptr && simulation_->hasNextEvent(); }

void EventsManager::initialize(const TimeDiscretisation& discretisation, double start, double end) {
  discretisation_ = &discretisation;
  start_ = start;
  end_ = end;
  int exponent = 0;
  if (std::isfinite(end)) {
    std::frexp(end - start, &exponent);
    tick_ = std::ldexp(1.0, exponent - ticks_of_interval);
  } else {
    tick_ = std::ldexp(1.0, -ticks_without_end);
  }
  const double largest = std::isfinite(end) ? std::max(std::abs(start), std::abs(end)) : std::max(1.0, std::abs(start));
  const double rounding = resolution_roundings * std::numeric_limits<double>::epsilon() * largest;
  setTicks(wanted_resolution_ > 0 ? wanted_resolution_ : rounding);
  instants_ = discretisation.numberOfSteps(end);
  instant_ = 0;
  current_ = {EventType::TimeDiscretisation, start, 0};
  past_.clear();
  past_.reserve(kept_ + spare_past + 1);
  // What users have inserted before the start is put in order now.
  unprocessed_.clear();
  nonsmooth_scheduled_ = false;
  for (const auto& event : owned_) admit(*event);
  scheduleNextInstant();
}

void EventsManager::setResolution(double seconds) {
  if (!(seconds > 0)) fail("resolution of events: %g", seconds);
  wanted_resolution_ = seconds;
  setTicks(seconds);
}

void EventsManager::setTicks(double seconds) {
  resolution_seconds_ = seconds;
  if (tick_ > 0) resolution_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::llround(seconds / tick_)));
}

std::int64_t EventsManager::ticksOf(double time) const {
  const double ticks = (time - start_) / tick_;
  if (!(std::abs(ticks) < 9e18)) fail("the instant %g lies beyond the ticks of the simulation (%g s each)", time, tick_);
  return std::llround(ticks);
}

const Event& EventsManager::nextEvent() const {
  if (discretisation_ == nullptr) simulation().initialize();
  if (unprocessed_.empty()) fail("there is no event left");
  return *unprocessed_.front();
}

double EventsManager::nextChange() const {
  for (const Event* event : unprocessed_)
    if (event->changesMotion()) return event->time_;
  return std::numeric_limits<double>::infinity();
}

// In the order of instants; within one instant in that of types, then of insertion. An event closer to another one than the
// resolution takes its ticks, so that both are of one instant.
void EventsManager::insert(Event& event) {
  event.ticks_ = ticksOf(event.time_);
  for (const Event* other : unprocessed_)
    if (std::abs(other->ticks_ - event.ticks_) <= resolution_) {
      event.ticks_ = other->ticks_;
      event.time_ = other->time_;
      break;
    }
  const auto before = [](const Event* a, const Event* b) {
    return a->ticks_ < b->ticks_ || (a->ticks_ == b->ticks_ && a->type_ < b->type_);
  };
  unprocessed_.insert(std::upper_bound(unprocessed_.begin(), unprocessed_.end(), &event, before), &event);
}

void EventsManager::requirePeriod(const Event& event) const {
  if (event.period_ > 0 && event.period_ <= resolution_seconds_)
    fail("the period %g s of an event is not longer than events of one instant may be apart, %g s (setResolution)", event.period_,
         resolution_seconds_);
}

// Throws where what follows the event, once it has been processed, could not be scheduled.
void EventsManager::requireSuccessor(const Event& event) const {
  if (&event == &nonsmooth_event_) return;
  if (&event != &time_event_) {
    requirePeriod(event);
    const double next = event.successor();
    if (event.period_ > 0 && next <= end_ + resolution_seconds_) ticksOf(std::min(next, end_));
  } else if (instant_ < instants_) {
    const double last = discretisation_->getTk(instant_), next = discretisation_->getTk(instant_ + 1);
    if (!(next - last > resolution_seconds_))
      fail("the instants %.17g and %.17g are not farther apart than events of one instant may be, %g s (setResolution)", last,
           next, resolution_seconds_);
    ticksOf(next);
  }
}

void EventsManager::admit(Event& event) {
  requirePeriod(event);
  // Another simulation may have been through its instants.
  event.time_ = event.first_;
  event.repeats_ = 0;
  if (ticksOf(event.time_) < current_.ticks)
    fail("an event at %.17g is inserted at %.17g, when it is past", event.time_, current_.time);
  if (event.time_ > end_ + resolution_seconds_) fail("an event at %.17g lies after the final time %.17g", event.time_, end_);
  event.time_ = std::min(event.time_, end_);
  insert(event);
}

void EventsManager::insertEvent(std::shared_ptr<Event> event) {
  if (!event) fail("a null pointer was given where an event is needed");
  if (std::find(owned_.begin(), owned_.end(), event) != owned_.end())
    fail("the event at %.17g is inserted already", event->time_);
  if (discretisation_ != nullptr) admit(*event);
  owned_.push_back(std::move(event));
}

Event& EventsManager::insertEvent(EventType type, double time, Event::Action action, double period) {
  auto event = std::make_shared<Event>(type, time, std::move(action));
  event->setPeriod(period);
  insertEvent(event);
  return *event;
}

void EventsManager::scheduleNonSmoothEvent(double time) {
  if (nonsmooth_scheduled_) fail("two nonsmooth events at a time: %.17g and %.17g", nonsmooth_event_.time_, time);
  nonsmooth_event_.time_ = std::max(time, current_.time);
  insert(nonsmooth_event_);
  nonsmooth_scheduled_ = true;
}

void EventsManager::withdrawNonSmoothEvent() {
  std::erase(unprocessed_, &nonsmooth_event_);
  nonsmooth_scheduled_ = false;
}

void EventsManager::scheduleNextInstant() {
  if (instant_ >= instants_) return;
  requireSuccessor(time_event_);
  const double next = discretisation_->getTk(++instant_);
  time_event_.time_ = next;
  time_event_.ticks_ = ticksOf(next);
  // Its instant is the user's; what lies near is of it.
  std::vector<Event*> near;
  std::erase_if(unprocessed_, [&](Event* other) {
    const bool is_near = std::abs(other->ticks_ - time_event_.ticks_) <= resolution_;
    if (is_near) near.push_back(other);
    return is_near;
  });
  insert(time_event_);
  for (Event* other : near) insert(*other);
}

void EventsManager::requireNoneAtWork() const {
  if (at_work_) fail("the event at t = %.17g is being processed: it cannot go on to the next one itself", current_.time);
}

void EventsManager::processEvents() {
  requireNoneAtWork();
  if (discretisation_ == nullptr) simulation().initialize();
  if (unprocessed_.empty()) fail("there is no event left");
  Event& event = *unprocessed_.front();
  simulation().work_->requireMotionTo(event.time_);
  requireSuccessor(event);
  unprocessed_.erase(unprocessed_.begin());
  const Past before = std::exchange(current_, {event.type_, event.time_, event.ticks_});
  past_.push_back(before);
  ++count_;
  if (&event == &nonsmooth_event_) nonsmooth_scheduled_ = false;
  try {
    const AtWork processing(at_work_);
    simulation().process(event);
    requireSuccessor(event);  // it may have changed its period, or the resolution
  } catch (...) {
    // Nonsmooth ones are found anew.
    if (&event != &nonsmooth_event_) unprocessed_.insert(unprocessed_.begin(), &event);
    current_ = before;
    past_.pop_back();
    --count_;
    throw;
  }
  if (past_.size() > spare_past && past_.size() - spare_past > kept_)
    past_.erase(past_.begin(), past_.end() - static_cast<std::ptrdiff_t>(kept_));
  if (&event == &time_event_) scheduleNextInstant();
  if (&event == &time_event_ || &event == &nonsmooth_event_) return;
  if (event.period_ > 0) {
    event.time_ = event.successor();
    ++event.repeats_;
    if (event.time_ <= end_ + resolution_seconds_) {
      event.time_ = std::min(event.time_, end_);
      return insert(event);
    }
  }
  std::erase_if(owned_, [&](const std::shared_ptr<Event>& owned) { return owned.get() == &event; });
}

}  // namespace nonsmooth::kernel
