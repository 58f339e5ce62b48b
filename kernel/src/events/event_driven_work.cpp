// The run of an event-driven simulation: its start, smooth motion up to an event, events, and what is done after changes.
#include "events/event_driven_work.hpp"

#include <algorithm>
#include <cmath>

namespace nonsmooth::kernel {
namespace {

constexpr double noticeable = 1e3;         // times the tolerance: less of overlap, gap or sliding is drift and rounding
constexpr int most_at_one_instant = 1000;  // events: more are a loop of actions that trigger each other

// How often operators of systems and relations have been set.
unsigned long operatorsVersion(const NonSmoothDynamicalSystem& model) {
  unsigned long version = 0;
  for (const DynamicalSystem* system : model.systems())
    if (system != nullptr) version += system->version();
  for (const InteractionRecord& record : model.records())
    if (record.object != nullptr) version += record.relation->version();
  return version;
}

// z of systems and relations, one after the other.
template <class Visit>
void forParameters(const NonSmoothDynamicalSystem& model, const Visit& visit) {
  for (DynamicalSystem* system : model.systems())
    if (system != nullptr) visit(system->z());
  for (const InteractionRecord& record : model.records())
    if (record.object != nullptr) visit(record.relation->z());
}

bool haveParametersChanged(const NonSmoothDynamicalSystem& model, const std::vector<double>& before) {
  std::size_t count = 0;
  bool same = true;
  forParameters(model, [&](const Vector& z) {
    for (Index i = 0; i < z.size() && same; ++i, ++count) same = count < before.size() && z[i] == before[count];
  });
  return !same || count != before.size();
}

}  // namespace

EventDriven::Work::Work(EventDriven& simulation)
    : simulation_(simulation), model_(*simulation.model_), events_(simulation.events_), index_sets_(simulation.index_sets_) {}

void EventDriven::Work::initialize() {
  try {
    prepareRun();
  } catch (...) {
    osi_ = nullptr;
    throw;
  }
}

// For verbs: a loop of the user's own need not begin with initialize(). Index sets and functions name what was in the model then.
void EventDriven::Work::begin() {
  if (osi_ == nullptr) return simulation_.initialize();
  if (isOtherModel()) fail("the model has changed since the last event: advanceToEvent or initialize comes first");
}

// Of the present state.
double EventDriven::Work::instant() const { return std::max(events_.startingTime(), reached_); }

// An event is processed at the state that its interval ends with.
void EventDriven::Work::requireMotionTo(double time) const {
  if (instant() < time - events_.resolution())
    fail("the event at t = %.17g is to be processed, the state is that of t = %.17g: advanceToEvent comes first", time,
         instant());
}

void EventDriven::Work::prepareRun() {
  if (simulation_.integrators_.size() != 1)
    fail("an event-driven simulation has one integrator, not %zu", simulation_.integrators_.size());
  osi_ = dynamic_cast<EventDrivenOSI*>(simulation_.integrators_.front().get());
  if (osi_ == nullptr)
    fail("integrator %s does not serve an event-driven simulation", simulation_.integrators_.front()->className());
  // Until an event has been processed all begins anew: another final time has other ticks.
  const bool first = events_.processed() == 0;
  simulation_.Simulation::initialize();
  simulation_.initialized_ = false;  // until the contacts are known too
  contacts_.resize(model_.records().size());
  for (const int index : index_sets_[0])
    if (contactOf(index).generation != model_.recordAt(index).generation || first) {
      contactOf(index) = Contact();
      contactOf(index).generation = model_.recordAt(index).generation;
    }
  ++simulation_.jacobian_version_;
  if (first) {
    initializeFirst();
  } else {
    // The model has changed: who is closed is asked anew.
    integrator().motion().setClosed({});
    updateOutput(0, 1);
    requireNoOverlap(true);
    startAnew();
  }
  simulation_.initialized_ = true;
}

void EventDriven::Work::initializeFirst() {
  if (model_.numberOfDynamicalSystems() == 0) fail("an event-driven simulation needs a system in its model");
  events_.initialize(simulation_.timeDiscretisation(), model_.t0(), model_.finalT());
  last_ticks_ = 0;
  reached_ = -std::numeric_limits<double>::infinity();
  left_q_.clear();
  if (settings.projection_tolerance < 0) settings.projection_tolerance = integrator().driftTolerance();
  integrator().motion().setSlidingVelocity(noticeable * settings.tolerance);
  updateOutput(0, 1);
  requireNoOverlap();
  updateIndexSets();
  model_.states().save();
  if (!index_sets_[1].empty()) return events_.scheduleNonSmoothEvent(model_.t0());
  integrator().motion().evaluate(model_.t0());
  simulation_.nextStep();
}

bool EventDriven::Work::hasNextEvent() const {
  requireSameEnd();
  const bool begun = events_.processed() > 0 || (simulation_.initialized_ && events_.end() == model_.finalT());
  return begun ? !events_.unProcessedEvents().empty() : simulation_.timeDiscretisation().numberOfSteps(model_.finalT()) > 0;
}

// Where someone has changed the bodies, what overlapped before is not his doing: drift, or rounding of the instant of an impact.
void EventDriven::Work::requireNoOverlap(bool changed) const {
  OutputStore& outputs = model_.outputs();
  for (const int index : index_sets_[0]) {
    const InteractionRecord& record = model_.recordAt(index);
    const double y = outputs.data(Output::y0)[record.y.start];
    const double before = changed ? std::min(0.0, outputs.data(Output::y0Old)[record.y.start]) : 0.0;
    if (record.law->kind() != LawKind::EqualityCondition && y < before - noticeable * settings.tolerance)
      fail("the bodies of interaction %d overlap at t = %.17g: y = %.3g", index, events_.startingTime(), y);
  }
}

void EventDriven::Work::integrate(double& tinit, double& tend, double& tout, int& iout) {
  begin();
  if (iout == 1 && searched_ < tinit && integrator().stepEnd() < tinit) simulation_.nextStep();
  tout = tend;
  iout = 2;
  if (tend - tinit <= events_.resolution()) return;
  // An integrator that passes the end of the run would choose steps whose output is all rounding.
  const double barrier = end_at_instant_ ? tend : std::max(tend, std::min(events_.nextChange(), model_.finalT()));
  while (true) {
    if (!found_ && searched_ >= tend) break;
    // A root of the instant of tend comes before what is to happen there.
    if (found_ && found_time_ > tend + events_.resolution()) break;
    if (found_) {
      tout = found_time_;
      iout = 3;
      break;
    }
    integrator().step(tend, barrier);
    searchStep();
  }
  integrator().interpolate(tout);
  reached_ = tout;
  noteState();
}

void EventDriven::Work::noteState() {
  const StateStore& states = model_.states();
  left_q_ = states.all(Coordinate::q);
  left_v_ = states.all(Motion::v);
  left_version_ = operatorsVersion(model_);
  noteParameters();
}

// After functions of the user's have been called, which may change z themselves, and before the user gets to it.
void EventDriven::Work::noteParameters() {
  parameters_.clear();
  forParameters(model_, [&](const Vector& z) { parameters_.insert(parameters_.end(), z.data(), z.data() + z.size()); });
}

// Has someone changed the model since? What the integrator has found ahead is then of another motion.
bool EventDriven::Work::hasChanged() const {
  if (left_q_.empty()) return false;
  const StateStore& states = model_.states();
  return left_version_ != operatorsVersion(model_) || haveParametersChanged(model_, parameters_) ||
         left_q_ != states.all(Coordinate::q) || left_v_ != states.all(Motion::v);
}

// Instants and ticks are those of the final time that the first event was processed with.
void EventDriven::Work::requireSameEnd() const {
  if (events_.processed() > 0 && events_.end() != model_.finalT())
    fail("the final time is %.17g: it was %.17g when the first event was processed, and stays", model_.finalT(), events_.end());
}

void EventDriven::Work::beginStep() {
  if (under_way_) return;
  start_.take(model_);
  outputs_at_start_.take(model_);
  contacts_at_start_ = contacts_;
  counts_at_start_ = counts_;
  logged_ = 0;
  dropped_.clear();
  under_way_ = true;
}

// The step has failed: its start comes back, and the next one asks everything anew.
void EventDriven::Work::takeBack() {
  start_.giveBackTo(model_);
  outputs_at_start_.giveBackTo(model_);
  reached_ = -std::numeric_limits<double>::infinity();
  at_one_instant_ = 0;
  contacts_ = contacts_at_start_;
  counts_ = counts_at_start_;
  log_.insert(log_.begin(), dropped_.begin(), dropped_.end());
  log_.resize(log_.size() - logged_);
  unannounced_.clear();
  under_way_ = false;
  shortenLog();
  events_.withdrawNonSmoothEvent();
  simulation_.initialized_ = false;
}

void EventDriven::Work::advanceToEvent() {
  events_.requireNoneAtWork();
  simulation_.requireIntegrators();
  requireSameEnd();
  beginStep();
  try {
    moveToEvent();
  } catch (...) {
    takeBack();
    throw;
  }
}

void EventDriven::Work::moveToEvent() {
  if (!simulation_.initialized_ || isOtherModel() || events_.end() != model_.finalT()) simulation_.initialize();
  // Impulses belong to the event that is past.
  for (const int index : index_sets_[0]) model_.outputs().view(Output::lambda1, model_.recordAt(index).y).setZero();
  model_.states().clear(Motion::input1);
  if (hasChanged()) processChange();
  double tinit = events_.startingTime(), tend = events_.nextTime(), tout = tend;
  int iout = 1;
  integrate(tinit, tend, tout, iout);
  model_.requireFiniteState(tout);
  if (iout != 3) return;
  events_.withdrawNonSmoothEvent();  // of the same motion: advanceToEvent has been called before
  events_.scheduleNonSmoothEvent(tout);
}

// Levels 0: y = h; 1: y' = C v + dh/dt; 2: y'' and lambda[2] with the closed contacts.
void EventDriven::Work::updateOutput(int level_min, int level_max) {
  begin();
  OutputStore& outputs = model_.outputs();
  const double time = instant();
  if (level_max >= 2) integrator().motion().evaluate(time);
  for (const int index : index_sets_[0]) {
    InteractionRecord& record = model_.recordAt(index);
    const RelationPoint at = model_.point(record, time, 1);
    if (level_min <= 0) record.relation->evaluateh(at, outputs.view(Output::y0, record.y));
    model_.updateMatrices(record, at);
    record.fresh = true;
    if (level_min <= 1 && level_max >= 1) model_.outputRate(record, at, outputs.view(Output::y1, record.y));
    if (level_max >= 2 && !contactOf(index).closed) {
      // y'' of an open contact, at the accelerations with the forces of the others.
      integrator().motion().acceleration(record, outputs.view(Output::y2, record.y));
      outputs.view(Output::lambda2, record.y).setZero();
    }
  }
}

void EventDriven::Work::nextStep() {
  begin();
  const double time = instant();
  integrator().restart(time);
  noteState();
  searched_ = time;
  last_part_ = 0;
  found_ = end_at_instant_ = false;
  buildFunctions();
  noteParameters();
}

void EventDriven::Work::processInstant() {
  begin();
  SmoothMotion& motion = integrator().motion();
  updateOutput(0, 2);
  model_.states().save();
  model_.outputs().save();
  noteParameters();
  simulation_.updateInteractions();
  if (isOtherModel()) return simulation_.initialize();
  if (motion.closed().empty() || !motion.driftsBeyond(settings.projection_tolerance) || hasChanged()) return;
  const double time = events_.startingTime();
  // Within a step it is mostly the error of continuous output: what users see is put back, motion goes on as it was.
  const bool within = integrator().stepEnd() > time + events_.resolution();
  if (within) end_at_instant_ = stepDrifts();
  motion.projectPositions(time);
  motion.projectVelocities(time);
  updateOutput(0, 2);
  if (within) return noteState();
  forgetFired();
  simulation_.nextStep();
}

// Have closed contacts drifted off at the end of the integrator's step? The present state is kept.
bool EventDriven::Work::stepDrifts() {
  const double end = integrator().stepEnd();
  integrator().interpolate(end);
  const bool drifts = integrator().motion().drift(end) > settings.projection_tolerance;
  integrator().interpolate(events_.startingTime());
  return drifts;
}

void EventDriven::Work::forgetFired() {
  for (Contact& contact : contacts_) contact.forgetFired();
}

void EventDriven::Work::process(Event& event) {
  begin();
  reached_ = -std::numeric_limits<double>::infinity();
  beginStep();
  try {
    perform(event);
  } catch (...) {
    takeBack();
    throw;
  }
  under_way_ = false;
}

// Closed contacts have drifted off by the errors of integration, which is no motion that an impact or an opening could answer.
void EventDriven::Work::putBack() {
  if (integrator().motion().closed().empty() || hasChanged()) return;
  integrator().motion().projectPositions(events_.startingTime());
  integrator().motion().projectVelocities(events_.startingTime());
}

void EventDriven::Work::perform(Event& event) {
  const bool change = event.changesMotion();
  if (change) {
    if (events_.currentEvent().ticks == last_ticks_) {
      if (++at_one_instant_ > most_at_one_instant)
        fail("%d events at t = %.17g%s", most_at_one_instant, events_.startingTime(), integrator().doubtOfSteps().c_str());
    } else {
      at_one_instant_ = 0;
    }
    last_ticks_ = events_.currentEvent().ticks;
    putBack();
    updateOutput(0, 2);
    model_.states().save();
    model_.outputs().save();
    tell(true);
  }
  event.process(simulation_);
  if (isOtherModel()) {
    simulation_.initialize();
  } else if (change && event.getType() != EventType::NonSmooth) {
    processChange();
  }
  tell(false);
}

// Someone has changed the bodies.
void EventDriven::Work::processChange() {
  updateOutput(0, 1);
  requireNoOverlap(true);
  startAnew();
}

// A closed contact whose bodies, or floor, someone has moved apart is open. Drift and rounding are less than that.
void EventDriven::Work::openTornContacts() {
  OutputStore& outputs = model_.outputs();
  for (const int index : index_sets_[0]) {
    const InteractionRecord& record = model_.recordAt(index);
    const double before = std::max(0.0, outputs.data(Output::y0Old)[record.y.start]);
    if (outputs.data(Output::y0)[record.y.start] > before + noticeable * settings.tolerance) contactOf(index).closed = false;
  }
}

// Closed contacts that nobody has moved since the last event: what they have drifted off by is no motion that an impact could
// answer.
void EventDriven::Work::putBackUnmoved() {
  OutputStore& outputs = model_.outputs();
  const std::vector<ClosedContact> before = integrator().motion().closed();
  std::vector<ClosedContact> unmoved;
  bool drifted = false;
  for (const int index : index_sets_[0]) {
    const InteractionRecord& record = model_.recordAt(index);
    const Contact& contact = contactOf(index);
    const VectorView y = outputs.view(Output::y0, record.y), rate = outputs.view(Output::y1, record.y);
    if (!contact.closed || y != outputs.view(Output::y0Old, record.y) || rate != outputs.view(Output::y1Old, record.y)) continue;
    unmoved.push_back({index, contact.mode, contact.direction});
    drifted = drifted || std::max(std::abs(y[0]), std::abs(rate[0])) > settings.tolerance;
  }
  if (!drifted) return;
  integrator().motion().setClosed(unmoved);
  integrator().motion().projectPositions(events_.startingTime());
  integrator().motion().projectVelocities(events_.startingTime());
  integrator().motion().setClosed(before);
  updateOutput(0, 1);
}

// What was found ahead is of another motion, approaches are not those that flights end with, and contacts are asked anew.
void EventDriven::Work::startAnew() {
  forgetFired();
  for (Contact& contact : contacts_) contact.opened = -std::numeric_limits<double>::infinity();
  putBackUnmoved();
  openTornContacts();
  processNonSmoothEvent();
}

void EventDriven::Work::tell(bool before) {
  if (const auto on_state = settings.on_state) on_state(simulation_, before);  // a copy: it may set another one, or none
  if (isOtherModel()) simulation_.initialize();
}

}  // namespace nonsmooth::kernel
