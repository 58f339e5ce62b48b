// What happens at a nonsmooth event: impacts, and which contacts stay closed.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "events/event_driven_work.hpp"

namespace nonsmooth::kernel {
namespace {

constexpr double default_solver_tolerance = 1e-12;
constexpr int repeated_impacts = 100;      // at one event, before they are taken as plastic
constexpr double short_rest = 1e-5;        // of the time since the first impact
constexpr double constant_ratio = 1e-2;    // of flight times of an accumulation
constexpr int most_jumps = 8;              // at one event, of velocities where friction jams
constexpr double rounding_of_gaps = 1e-3;  // of the tolerance below which they are zero

}  // namespace

void EventDriven::Work::processNonSmoothEvent() {
  begin();
  double fastest = 1;
  resting_ = 0;
  jammed_ = false;
  updateOutput(0, 1);
  for (const int index : index_sets_[0]) {
    Contact& contact = contactOf(index);
    contact.was_closed = contact.closed;
    contact.mode_before = contact.mode;
    contact.direction_before = contact.direction;
    contact.velocity_before = normalVelocity(index);
    contact.impulse = contact.until = 0;
    contact.plastic = contact.undetermined = false;
    if (model_.recordAt(index).active || contact.hasFired(FunctionKind::Gap))
      fastest = std::max(fastest, std::abs(contact.velocity_before));
  }
  velocity_zero_ = 10 * settings.tolerance * fastest;
  updateIndexSets();
  solveImpacts();
  updateIndexSets();
  settleContacts();
  writeLog();
  for (const int index : index_sets_[0]) {
    Contact& contact = contactOf(index);
    contact.floor = std::min(0.0, model_.outputs().data(Output::y0)[model_.recordAt(index).y.start]);
    if (contact.impulse > 0) contact.flight = events_.startingTime() - contact.opened;
    if (contact.impulse > 0 || contact.was_closed) contact.opened = events_.startingTime();
    if (contact.hasFired(FunctionKind::Gap) && !contact.closed && contact.impulse == 0) contact.grazed = events_.startingTime();
  }
  simulation_.nextStep();
  forgetFired();
  announce();
}

double EventDriven::Work::normalVelocity(int index) const {
  return model_.outputs().data(Output::y1)[model_.recordAt(index).y.start];
}

// Is its velocity none?
bool EventDriven::Work::restsAt(int index) const {
  const double speed = std::abs(normalVelocity(index));
  return speed <= velocity_zero_ || (contactOf(index).was_closed && speed <= resting_);
}

void EventDriven::Work::updateIndexSets() {
  begin();
  OutputStore& outputs = model_.outputs();
  auto &closed = index_sets_[1], &rest = index_sets_[2];
  closed.clear();
  rest.clear();
  for (const int index : index_sets_[0]) {
    InteractionRecord& record = model_.recordAt(index);
    const Contact& contact = contactOf(index);
    const bool equality = record.law->kind() == LawKind::EqualityCondition;
    const double y = outputs.data(Output::y0)[record.y.start];
    record.active = equality || contact.closed || contact.hasFired(FunctionKind::Gap) || y <= settings.tolerance;
    if (!record.active) continue;
    closed.push_back(index);
    if (equality || contact.at_once || contact.plastic || restsAt(index)) rest.push_back(index);
  }
}

SolveReport EventDriven::Work::computeOneStepNSProblem(const std::string& problem_name) {
  begin();
  const SolveReport report = solve(problem_name);
  accept(problem_name, report);
  return report;
}

SolveReport EventDriven::Work::solve(const std::string& problem_name) {
  OneStepNSProblem& problem = simulation_.oneStepNSProblem(problem_name);
  const bool impact = problem_name == "impact";
  const std::vector<int>& set = index_sets_[impact ? 1 : 2];
  if (set.empty()) return {};
  integrator().setLevel(impact ? 1 : 2);
  integrator().prepareAt(instant());
  // Velocities get as small as an accumulation makes them: no multiplier of another event will do, however close.
  AssemblyContext context = simulation_.context();
  context.warm_start = false;
  context.tolerance = default_solver_tolerance;
  return problem.compute(context, set);
}

void EventDriven::Work::accept(const std::string& problem_name, const SolveReport& report) {
  simulation_.note(report);
  if (!report.certified && simulation_.policy_ != FailurePolicy::Record)
    fail("no certified solution of the problem \"%s\" at t = %.17g: %s, residual %.3g", problem_name.c_str(), instant(),
         report.outcome, report.residual);
}

// Inputs from the multipliers of that level, then velocities (1) or accelerations (2), outputs, and which contacts rest.
void EventDriven::Work::update(int level) {
  if (level != 1 && level != 2) fail("an event-driven simulation updates levels 1 and 2, not %d", level);
  begin();
  model_.gatherInputs(level, index_sets_[static_cast<std::size_t>(level)]);
  integrator().setLevel(level);
  integrator().updateState();
  if (level == 2) return;
  updateOutput(1, 1);
  auto& rest = index_sets_[2];
  rest.clear();
  for (const int index : index_sets_[1])
    if (model_.recordAt(index).law->kind() == LawKind::EqualityCondition || restsAt(index)) rest.push_back(index);
}

// Does a closed contact approach?
bool EventDriven::Work::approaching() const {
  return std::any_of(index_sets_[1].begin(), index_sets_[1].end(), [&](int index) {
    const InteractionRecord& record = model_.recordAt(index);
    if (record.law->kind() == LawKind::EqualityCondition)
      return model_.outputs().view(Output::y1, record.y).cwiseAbs().maxCoeff() > 10 * velocity_zero_;
    return normalVelocity(index) < -velocity_zero_;
  });
}

// A flight rises by a quarter of its duration times the velocity at its end. One that does so by less than what rounding leaves
// of a gap is none; nor is one that rises by no more than gaps are known to and is not clearly shorter than the one before, as
// restitution has it: rounding makes its duration, and flights like it would never end.
bool EventDriven::Work::isNoFlight(const Contact& contact, double approach, double restitution) const {
  const double duration = events_.startingTime() - contact.opened, height = 0.25 * approach * duration;
  if (restitution == 1) return false;
  return height <= rounding_of_gaps * settings.tolerance ||
         (height <= settings.tolerance && duration > 0.5 * (1 + restitution) * contact.flight);
}

namespace {

// Flight times that shrink by one ratio r have the sum d r / (1 - r) after a flight of duration d. None if those between the last
// three impacts and this one do not shrink so.
std::optional<double> restOfFlights(const std::array<double, 3>& impacts, double time) {
  const double first = impacts[1] - impacts[0], second = impacts[2] - impacts[1], third = time - impacts[2];
  const double ratio = third / second;
  if (!(ratio < 1 && std::abs(second / first - ratio) <= constant_ratio * ratio)) return std::nullopt;
  return third * ratio / (1 - ratio);
}

}  // namespace

// Where the flights to come are short in all, or the last one was not longer than instants can be told apart, the impact is the
// last one.
void EventDriven::Work::findAccumulations() {
  const double time = events_.startingTime();
  const double shortest = 10 * events_.resolution();
  double fallen = 0;
  bool falls_only = true;
  for (const int index : index_sets_[1]) {
    Contact& contact = contactOf(index);
    const double approach = -normalVelocity(index);
    if (approach <= velocity_zero_) continue;
    // It has not been found above zero since it opened, and counts as resting after the impact: it rests in the impact too, whose
    // rebound would go to its neighbours. It has fallen through what gaps are known to, no further.
    if (contact.at_once || isNoFlight(contact, approach, model_.recordAt(index).law->restitution(0))) {
      contact.stayClosed(time);
      fallen = std::max(fallen, approach);
      continue;
    }
    falls_only = false;
    if (model_.recordAt(index).law->restitution(0) == 0) continue;
    const auto& t = contact.impacts;
    if (contact.impact_count == 0) contact.first_impact = time;
    // A sequence starts anew where a flight is longer than the one before.
    if (contact.impact_count >= 2 && time - t[2] > t[2] - t[1]) contact.first_impact = t[2];
    if (contact.impact_count >= 3 && settings.accumulation_tolerance != 0) {
      const std::optional<double> rest = restOfFlights(t, time);
      const double enough =
          settings.accumulation_tolerance > 0 ? settings.accumulation_tolerance : short_rest * (time - contact.first_impact);
      if (rest && *rest <= std::max(enough, shortest)) contact.stayClosed(time + *rest);
    }
    if (contact.impact_count >= 1 && time - t[2] <= shortest && !contact.plastic) contact.stayClosed(time);
  }
  resting_ = falls_only ? fallen : 0;
}

void EventDriven::Work::solveImpacts() {
  if (!approaching()) return;
  findAccumulations();
  if (resting_ > 0) joinClosed();
  std::vector<char> plastic(contacts_.size(), 0);
  for (std::size_t k = 0; k < plastic.size(); ++k) plastic[k] = contacts_[k].plastic ? 1 : 0;
  repeatImpacts(plastic);
  const double time = events_.startingTime();
  for (const int index : index_sets_[1]) {
    Contact& contact = contactOf(index);
    if (contact.velocity_before >= -velocity_zero_) continue;
    contact.impacts = {contact.impacts[1], contact.impacts[2], time};
    ++contact.impact_count;
  }
}

// Nothing but falls through what gaps are known to has happened: contacts that were closed stay so, and those that have fallen
// join them. An impact would open others a little, whose closing would throw up these, and contacts would rattle in turn for
// ever.
void EventDriven::Work::joinClosed() {
  std::vector<ClosedContact> closed;
  for (const int index : index_sets_[1]) {
    const Contact& contact = contactOf(index);
    if (contact.plastic)
      closed.push_back({index, ContactMode::Frictionless});
    else if (model_.recordAt(index).law->kind() == LawKind::EqualityCondition)
      closed.push_back({index, ContactMode::Bilateral});
    else if (contact.was_closed)
      closed.push_back({index, contact.mode_before, contact.direction_before});
  }
  integrator().motion().setClosed(closed);
  integrator().motion().projectVelocities(events_.startingTime());
  updateOutput(1, 1);
}

// Until no contact approaches.
void EventDriven::Work::repeatImpacts(std::vector<char>& plastic) {
  for (int count = 0; approaching(); ++count) {
    if (count > 2 * repeated_impacts) fail("impacts without end at t = %.17g", events_.startingTime());
    if (count == repeated_impacts) std::fill(plastic.begin(), plastic.end(), 1);
    const SolveReport report = solveImpact(plastic);
    velocity_zero_ = std::max(velocity_zero_, 10 * report.residual);
    update(1);
    addImpulses();
  }
}

void EventDriven::Work::addImpulses() {
  for (const int index : index_sets_[1])
    contactOf(index).impulse += model_.outputs().data(Output::lambda1)[model_.recordAt(index).y.start];
}

// Who stays closed. Where friction jams velocities jump first.
void EventDriven::Work::settleContacts() {
  for (int jumps = 0; !solveContacts(jumps == most_jumps); ++jumps) {
    jump(jumps);
    updateIndexSets();
  }
  settleClosed();
}

// Accelerations of the contacts at rest: a complementarity problem, whose solution says who stays closed. False where it has none
// for the friction of contacts that slide, unless that is an error.
bool EventDriven::Work::solveContacts(bool required) {
  SmoothMotion& motion = integrator().motion();
  std::vector<ClosedContact> closed;
  for (const int index : index_sets_[2]) {
    const InteractionRecord& record = model_.recordAt(index);
    ClosedContact contact;
    contact.record = index;
    if (record.law->kind() == LawKind::EqualityCondition) {
      contact.mode = ContactMode::Bilateral;
    } else if (record.law->kind() == LawKind::NewtonImpactFriction && record.law->mu() > 0) {
      const VectorView velocity = model_.outputs().view(Output::y1, record.y);
      const double speed = velocity.tail(velocity.size() - 1).norm();
      contact.mode = speed > 2e3 * settings.tolerance ? ContactMode::Sliding : ContactMode::Sticking;
      for (Index i = 1; i < velocity.size() && speed > 0; ++i)
        contact.direction[static_cast<std::size_t>(i - 1)] = velocity[i] / speed;
    }
    closed.push_back(contact);
    contactOf(index).mode = contact.mode;
    contactOf(index).direction = contact.direction;
  }
  for (const int index : index_sets_[0]) contactOf(index).closed = false;
  motion.setClosed(closed);
  motion.prepare(events_.startingTime());
  ++simulation_.jacobian_version_;
  if (!index_sets_[2].empty()) {
    const SolveReport report = solve("acceleration");
    const bool slides =
        std::any_of(closed.begin(), closed.end(), [](const ClosedContact& c) { return c.mode == ContactMode::Sliding; });
    if (!report.certified && slides && !required) return false;
    accept("acceleration", report);
    update(2);
    updateIndexSetsWithDoubleCondition();
  }
  return true;
}

// Has its friction come to the bound? At this event, or at one before of the same instant: what has happened to others there does
// not make it stick.
bool EventDriven::Work::beginsToSlide(const Contact& contact) const {
  if (contact.slides_since >= events_.startingTime() - events_.resolution()) return true;
  return contact.hasFired(FunctionKind::Stick) && !contact.at_once;
}

// A contact stays closed where it presses, opens where it would part; where neither is so it is undetermined and stays closed,
// unless its force has just come to zero.
void EventDriven::Work::decide(int index, double force_zero, double acceleration_zero) {
  const InteractionRecord& record = model_.recordAt(index);
  Contact& contact = contactOf(index);
  contact.closed = true;
  if (contact.mode == ContactMode::Bilateral) return;
  const VectorView force = model_.outputs().view(Output::lambda2, record.y), y = model_.outputs().view(Output::y2, record.y);
  if (force[0] <= force_zero) {
    if (y[0] > acceleration_zero || contact.hasFired(FunctionKind::Force)) {
      contact.closed = false;
      return;
    }
    contact.undetermined = true;
  }
  if (contact.mode != ContactMode::Sticking) return;
  const Index tangents = force.size() - 1;
  const double acceleration = y.tail(tangents).norm(), friction = force.tail(tangents).norm();
  if (acceleration > acceleration_zero) {
    contact.mode = ContactMode::Sliding;
    for (Index i = 0; i < tangents; ++i) contact.direction[static_cast<std::size_t>(i)] = y[i + 1] / acceleration;
  } else if (beginsToSlide(contact) && friction >= record.law->mu() * force[0] * (1 - 1e-6) && friction > 0) {
    contact.slides_since = events_.startingTime();
    contact.mode = ContactMode::Sliding;
    for (Index i = 0; i < tangents; ++i) contact.direction[static_cast<std::size_t>(i)] = -force[i + 1] / friction;
  }
}

void EventDriven::Work::updateIndexSetsWithDoubleCondition() {
  begin();
  if (index_sets_[2].empty()) return;
  const OneStepNSProblem& problem = simulation_.oneStepNSProblem("acceleration");
  if (problem.z().size() == 0) fail("the problem \"acceleration\" has not been solved: computeOneStepNSProblem comes first");
  constexpr double zero = 1e-10;
  const double force_zero = zero * std::max(1.0, problem.z().cwiseAbs().maxCoeff());
  const double acceleration_zero = zero * std::max(1.0, problem.q().cwiseAbs().maxCoeff());
  for (const int index : index_sets_[2]) decide(index, force_zero, acceleration_zero);
  std::erase_if(index_sets_[2], [&](int index) { return !contactOf(index).closed; });
}

// Closed contacts become constraints, with y = y' = 0; those that separate are open.
void EventDriven::Work::settleClosed() {
  SmoothMotion& motion = integrator().motion();
  OutputStore& outputs = model_.outputs();
  const double time = events_.startingTime();
  double* const forces = outputs.data(Output::lambda2);
  const std::vector<double> solution(forces, forces + outputs.rows());
  do {
    std::erase_if(index_sets_[1], [&](int index) { return !contactOf(index).closed; });
    std::erase_if(index_sets_[2], [&](int index) { return !contactOf(index).closed; });
    std::vector<ClosedContact> closed;
    for (const int index : index_sets_[2]) {
      const Contact& contact = contactOf(index);
      closed.push_back({index, contact.mode, contact.direction});
    }
    motion.setClosed(closed);
    motion.projectPositions(time);
    motion.projectVelocities(time);
    updateOutput(0, 2);
    if (obeyLaws()) return;
    std::copy(solution.begin(), solution.end(), forces);
    motion.prefer(motion.presentForces());
    updateOutput(0, 2);
  } while (openPulling());
}

// Do the forces of smooth motion? Where contacts share a load in many ways, those of least norm may pull, or stick beyond the
// bound of friction, while the solution of "acceleration" does not: they would ask for another event at this instant, again and
// again.
bool EventDriven::Work::obeyLaws() const {
  for (const int index : index_sets_[2]) {
    const InteractionRecord& record = model_.recordAt(index);
    const ContactMode mode = contactOf(index).mode;
    if (mode == ContactMode::Bilateral) continue;
    const VectorView force = model_.outputs().view(Output::lambda2, record.y);
    const double zero = settings.tolerance * std::max(1.0, force.norm());
    if (force[0] < -zero) return false;
    if (mode == ContactMode::Sticking && force.tail(force.size() - 1).norm() > record.law->mu() * force[0] + zero) return false;
  }
  return true;
}

// An undetermined contact that pulls all the same, by rounding of the solution: it is open.
bool EventDriven::Work::openPulling() {
  int pulling = -1;
  double least = -settings.tolerance;
  for (const int index : index_sets_[2]) {
    const double force = model_.outputs().view(Output::lambda2, model_.recordAt(index).y)[0];
    if (!contactOf(index).undetermined || force >= least) continue;
    least = force;
    pulling = index;
  }
  if (pulling < 0) return false;
  contactOf(pulling).closed = contactOf(pulling).undetermined = false;
  return true;
}

void EventDriven::Work::log(const ContactRecord& entry) {
  ++counts_[static_cast<std::size_t>(entry.kind)];
  ++logged_;
  log_.push_back(entry);
  shortenLog();
  if (settings.on_event) unannounced_.push_back(entry);
}

void EventDriven::Work::shortenLog() {
  for (; log_.size() > settings.log_length; log_.pop_front())
    if (under_way_) dropped_.push_back(log_.front());
}

// The user may change the model, the contacts of the event are therefore done with.
void EventDriven::Work::announce() {
  for (const ContactRecord& entry : std::exchange(unannounced_, {}))
    if (const auto on_event = settings.on_event) on_event(simulation_, entry);  // a copy: it may set another one, or none
  if (isOtherModel()) simulation_.initialize();
}

void EventDriven::Work::writeLog() {
  for (const int index : index_sets_[0]) {
    const InteractionRecord& record = model_.recordAt(index);
    Contact& contact = contactOf(index);
    if (record.law->kind() == LawKind::EqualityCondition) continue;
    ContactRecord entry;
    entry.time = events_.startingTime();
    entry.interaction = record.object->handle();
    entry.velocityBefore = contact.velocity_before;
    entry.velocityAfter = normalVelocity(index);
    entry.impulse = contact.impulse;
    entry.until = contact.until;
    const auto write = [&](ContactEvent kind) {
      entry.kind = kind;
      log(entry);
    };
    const bool touched = contact.hasFired(FunctionKind::Gap);
    if (contact.closed && !contact.was_closed)
      write(contact.plastic || (contact.at_once && touched) ? ContactEvent::Accumulation : ContactEvent::Closing);
    else if (contact.impulse > 0)
      write(ContactEvent::Impact);
    else if (touched && !contact.closed)
      write(ContactEvent::Grazing);
    if (contact.was_closed && !contact.closed) write(ContactEvent::Opening);
    if (contact.undetermined) write(ContactEvent::Undetermined);
    if (jammed_ && contact.impulse > 0) write(ContactEvent::Jammed);
    if (contact.closed) contact.impact_count = 0;
    if (!contact.closed || !contact.was_closed) continue;
    const bool slides = contact.mode == ContactMode::Sliding, slid = contact.mode_before == ContactMode::Sliding;
    if (slides && !slid && contact.mode_before == ContactMode::Sticking) write(ContactEvent::SlidingBegins);
    if (slid && contact.mode == ContactMode::Sticking) write(ContactEvent::SlidingEnds);
    const double turn = contact.direction[0] * contact.direction_before[0] + contact.direction[1] * contact.direction_before[1];
    if (slides && slid && turn < 0) write(ContactEvent::Reversal);
  }
}

}  // namespace nonsmooth::kernel
