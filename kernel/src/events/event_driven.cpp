#include "nonsmooth/kernel/event_driven.hpp"

#include <algorithm>
#include <cmath>

#include "events/event_driven_work.hpp"
#include "simulation/fresh_status.hpp"
#include "simulation/unilateral.hpp"

namespace nonsmooth::kernel {
namespace {

constexpr double default_solver_tolerance = 1e-12;
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

const char* name(ContactEvent kind) {
  switch (kind) {
    case ContactEvent::Impact: return "impact";
    case ContactEvent::Closing: return "closing";
    case ContactEvent::Opening: return "opening";
    case ContactEvent::Accumulation: return "accumulation";
    case ContactEvent::Grazing: return "grazing";
    case ContactEvent::SlidingBegins: return "sliding begins";
    case ContactEvent::SlidingEnds: return "sliding ends";
    case ContactEvent::Reversal: return "reversal of sliding";
    case ContactEvent::Undetermined: return "undetermined";
  }
  return "unknown";
}

EventDriven::EventDriven(Link<NonSmoothDynamicalSystem> model) : Simulation(std::move(model)), work_(std::make_unique<Work>()) {
  index_sets_.resize(3);
}

EventDriven::EventDriven(Link<NonSmoothDynamicalSystem> model, Link<TimeDiscretisation> discretisation)
    : EventDriven(std::move(model)) {
  setTimeDiscretisation(std::move(discretisation));
}

EventDriven::EventDriven(Link<TimeDiscretisation> discretisation) : EventDriven(discretisation->model(), discretisation) {}

EventDriven::EventDriven(Link<NonSmoothDynamicalSystem> model, Link<TimeDiscretisation> discretisation,
                         Link<EventDrivenOSI> integrator, Link<OneStepNSProblem> impact, Link<OneStepNSProblem> acceleration)
    : EventDriven(std::move(model), std::move(discretisation)) {
  insertIntegrator(integrator.shared());
  insertNonSmoothProblem(std::move(impact), "impact");
  insertNonSmoothProblem(std::move(acceleration), "acceleration");
}

EventDriven::~EventDriven() { events_.simulation_ = nullptr; }

void EventDriven::setToleranceED(double tolerance) {
  if (!(tolerance > 0)) fail("tolerance of an event-driven simulation: %g", tolerance);
  tolerance_ = tolerance;
}

void EventDriven::setAccumulationTolerance(double seconds) {
  if (!(seconds >= 0)) fail("tolerance of accumulations: %g", seconds);
  accumulation_tolerance_ = seconds;
}

void EventDriven::setProjectionTolerance(double tolerance) {
  if (!(tolerance >= 0)) fail("tolerance of projections: %g", tolerance);
  projection_tolerance_ = tolerance;
}

void EventDriven::initialize() {
  try {
    prepareRun();
  } catch (...) {
    osi_ = nullptr;
    throw;
  }
}

// For verbs: a loop of the user's own need not begin with initialize().
void EventDriven::begin() {
  if (osi_ == nullptr) initialize();
}

// Of the present state.
double EventDriven::instant() const { return std::max(events_.startingTime(), work_->reached); }

// An event is processed at the state that its interval ends with.
void EventDriven::requireMotionTo(double time) const {
  if (instant() < time - events_.resolution())
    fail("the event at t = %.17g is to be processed, the state is that of t = %.17g: advanceToEvent comes first", time,
         instant());
}

void EventDriven::prepareRun() {
  if (integrators_.size() != 1) fail("an event-driven simulation has one integrator, not %zu", integrators_.size());
  osi_ = dynamic_cast<EventDrivenOSI*>(integrators_.front().get());
  if (osi_ == nullptr) fail("integrator %s does not serve an event-driven simulation", integrators_.front()->className());
  if (policy_ == FailurePolicy::Halve)
    fail("an event-driven simulation has no step to halve: its failure policy is Throw or Record");
  // Until an event has been processed all begins anew: another final time has other ticks.
  const bool first = events_.processed() == 0;
  Simulation::initialize();
  initialized_ = false;  // until the contacts are known too
  // Velocities get as small as an accumulation makes them: no multiplier of another event will do, however close.
  for (const auto& [problem_name, problem] : problems_) {
    problem->setKeepLambdaAndYState(false);
    if (!problem->hasOption("tolerance")) problem->setTolerance(default_solver_tolerance);
  }
  auto& contacts = work_->contacts;
  contacts.resize(model_->records().size());
  for (const int index : index_sets_[0])
    if (contacts[static_cast<std::size_t>(index)].generation != model_->recordAt(index).generation || first) {
      contacts[static_cast<std::size_t>(index)] = Contact();
      contacts[static_cast<std::size_t>(index)].generation = model_->recordAt(index).generation;
    }
  ++jacobian_version_;
  if (first) {
    initializeFirst();
  } else {
    // The model has changed: who is closed is asked anew.
    integrator().motion().setClosed({});
    updateOutput(0, 1);
    requireNoOverlap();
    startAnew();
  }
  initialized_ = true;
}

void EventDriven::initializeFirst() {
  if (model_->numberOfDynamicalSystems() == 0) fail("an event-driven simulation needs a system in its model");
  events_.initialize(timeDiscretisation(), model_->t0(), model_->finalT());
  work_->last_ticks = 0;
  work_->reached = -std::numeric_limits<double>::infinity();
  work_->left_q.clear();
  if (projection_tolerance_ < 0) projection_tolerance_ = integrator().driftTolerance();
  integrator().motion().setSlidingVelocity(noticeable * tolerance_);
  updateOutput(0, 1);
  requireNoOverlap();
  updateIndexSets();
  model_->states().save();
  if (!index_sets_[1].empty()) return events_.scheduleNonSmoothEvent(model_->t0());
  integrator().motion().evaluate(model_->t0());
  nextStep();
}

bool EventDriven::hasNextEvent() const {
  requireSameEnd();
  const bool begun = events_.processed() > 0 || (initialized_ && events_.end() == model_->finalT());
  return begun ? !events_.unProcessedEvents().empty() : timeDiscretisation().numberOfSteps(model_->finalT()) > 0;
}

// Where someone has changed the bodies, what overlapped before is not his doing: drift, or rounding of the instant of an impact.
void EventDriven::requireNoOverlap(bool changed) const {
  OutputStore& outputs = model_->outputs();
  for (const int index : index_sets_[0]) {
    const InteractionRecord& record = model_->recordAt(index);
    const double y = outputs.data(Output::y0)[record.y.start];
    const double before = changed ? std::min(0.0, outputs.data(Output::y0Old)[record.y.start]) : 0.0;
    if (record.law->kind() != LawKind::EqualityCondition && y < before - noticeable * tolerance_)
      fail("the bodies of interaction %d overlap at t = %.17g: y = %.3g", index, events_.startingTime(), y);
  }
}

void EventDriven::integrate(double& tinit, double& tend, double& tout, int& iout) {
  begin();
  Work& w = *work_;
  if (iout == 1 && w.searched < tinit && integrator().stepEnd() < tinit) nextStep();
  tout = tend;
  iout = 2;
  if (tend - tinit <= events_.resolution()) return;
  // An integrator that passes the end of the run would choose steps whose output is all rounding.
  const double barrier = w.end_at_instant ? tend : std::max(tend, std::min(events_.nextChange(), model_->finalT()));
  while (true) {
    if (!w.found && w.searched >= tend) break;
    // A root of the instant of tend comes before what is to happen there.
    if (w.found && w.found_time > tend + events_.resolution()) break;
    if (w.found) {
      tout = w.found_time;
      iout = 3;
      break;
    }
    integrator().step(tend, barrier);
    searchStep();
  }
  integrator().interpolate(tout);
  w.reached = tout;
  noteState();
}

void EventDriven::noteState() {
  Work& w = *work_;
  const StateStore& states = model_->states();
  w.left_q = states.all(Coordinate::q);
  w.left_v = states.all(Motion::v);
  w.left_version = operatorsVersion(*model_);
  noteParameters();
}

// After functions of the user's have been called, which may change z themselves, and before the user gets to it.
void EventDriven::noteParameters() {
  auto& parameters = work_->parameters;
  parameters.clear();
  forParameters(*model_, [&](const Vector& z) { parameters.insert(parameters.end(), z.data(), z.data() + z.size()); });
}

// Has someone changed the model since? What the integrator has found ahead is then of another motion.
bool EventDriven::hasChanged() const {
  const Work& w = *work_;
  if (w.left_q.empty()) return false;
  const StateStore& states = model_->states();
  return w.left_version != operatorsVersion(*model_) || haveParametersChanged(*model_, w.parameters) ||
         w.left_q != states.all(Coordinate::q) || w.left_v != states.all(Motion::v);
}

// Instants and ticks are those of the final time that the first event was processed with.
void EventDriven::requireSameEnd() const {
  if (events_.processed() > 0 && events_.end() != model_->finalT())
    fail("the final time is %.17g: it was %.17g when the first event was processed, and stays", model_->finalT(), events_.end());
}

void EventDriven::beginStep() {
  Work& w = *work_;
  if (w.under_way) return;
  w.start.take(*model_);
  w.contacts_at_start = w.contacts;
  w.counts_at_start = counts_;
  w.logged = 0;
  w.under_way = true;
}

// The step has failed: its start comes back, and the next one asks everything anew.
void EventDriven::takeBack() {
  Work& w = *work_;
  w.start.giveBackTo(*model_);
  w.reached = -std::numeric_limits<double>::infinity();
  w.contacts = w.contacts_at_start;
  counts_ = w.counts_at_start;
  log_.resize(log_.size() - std::min(log_.size(), w.logged));
  w.unannounced.clear();
  w.under_way = false;
  events_.withdrawNonSmoothEvent();
  initialized_ = false;
}

void EventDriven::advanceToEvent() {
  requireIntegrators();
  requireSameEnd();
  beginStep();
  try {
    moveToEvent();
  } catch (...) {
    takeBack();
    throw;
  }
}

void EventDriven::moveToEvent() {
  if (!initialized_ || topology_ != model_->topologyVersion() || events_.end() != model_->finalT()) initialize();
  // Impulses belong to the event that is past.
  for (const int index : index_sets_[0]) model_->outputs().view(Output::lambda1, model_->recordAt(index).y).setZero();
  model_->states().clear(Motion::input1);
  if (hasChanged()) processChange();
  double tinit = events_.startingTime(), tend = events_.nextTime(), tout = tend;
  int iout = 1;
  integrate(tinit, tend, tout, iout);
  model_->requireFiniteState(tout);
  if (iout == 3) events_.scheduleNonSmoothEvent(tout);
}

StepStatus EventDriven::computeOneStep() {
  status_ = fresh_status;
  advanceToEvent();
  processEvents();
  status_.time = events_.startingTime();
  status_.activeContacts = static_cast<Index>(index_sets_[1].size());
  for (const int index : index_sets_[0])
    if (isUnilateral(model_->recordAt(index).law->kind()))
      status_.violation = std::max(status_.violation, -model_->outputs().data(Output::y0)[model_->recordAt(index).y.start]);
  return status_;
}

void EventDriven::run(const std::function<void(const Simulation&, const StepStatus&)>& each) {
  if (!std::isfinite(model_->finalT()) &&
      timeDiscretisation().numberOfSteps(model_->finalT()) == std::numeric_limits<long>::max())
    fail("run() needs a final time: give the model one");
  if (events_.processed() == 0) requireSteps();
  while (hasNextEvent()) {
    const StepStatus status = computeOneStep();
    if (each) each(*this, status);
  }
}

// Levels 0: y = h; 1: y' = C v + dh/dt; 2: y'' and lambda[2] with the closed contacts.
void EventDriven::updateOutput(int level_min, int level_max) {
  begin();
  OutputStore& outputs = model_->outputs();
  const double time = instant();
  if (level_max >= 2) integrator().motion().evaluate(time);
  for (const int index : index_sets_[0]) {
    InteractionRecord& record = model_->recordAt(index);
    const RelationPoint at = model_->point(record, time, 1);
    if (level_min <= 0) record.relation->evaluateh(at, outputs.view(Output::y0, record.y));
    if (model_->updateMatrices(record, at)) ++jacobian_version_;
    record.fresh = true;
    if (level_min <= 1 && level_max >= 1) model_->outputRate(record, at, outputs.view(Output::y1, record.y));
    if (level_max >= 2 && !work_->contacts[static_cast<std::size_t>(index)].closed) {
      // y'' of an open contact, at the accelerations with the forces of the others.
      integrator().motion().acceleration(record, outputs.view(Output::y2, record.y));
      outputs.view(Output::lambda2, record.y).setZero();
    }
  }
}

double EventDriven::normalVelocity(int index) const {
  return model_->outputs().data(Output::y1)[model_->recordAt(index).y.start];
}

// Is its velocity none?
bool EventDriven::restsAt(int index) const {
  const double speed = std::abs(normalVelocity(index));
  return speed <= velocity_zero_ || (work_->contacts[static_cast<std::size_t>(index)].was_closed && speed <= work_->resting);
}

void EventDriven::updateIndexSets() {
  begin();
  OutputStore& outputs = model_->outputs();
  auto &closed = index_sets_[1], &rest = index_sets_[2];
  closed.clear();
  rest.clear();
  for (const int index : index_sets_[0]) {
    InteractionRecord& record = model_->recordAt(index);
    const Contact& contact = work_->contacts[static_cast<std::size_t>(index)];
    const bool equality = record.law->kind() == LawKind::EqualityCondition;
    const double y = outputs.data(Output::y0)[record.y.start];
    record.active = equality || contact.closed || contact.fired[static_cast<std::size_t>(FunctionKind::Gap)] || y <= tolerance_;
    if (!record.active) continue;
    closed.push_back(index);
    if (equality || contact.at_once || contact.plastic || restsAt(index)) rest.push_back(index);
  }
}

SolveReport EventDriven::computeOneStepNSProblem(const std::string& problem_name) {
  begin();
  OneStepNSProblem& problem = oneStepNSProblem(problem_name);
  const bool impact = problem_name == "impact";
  const std::vector<int>& set = index_sets_[impact ? 1 : 2];
  if (set.empty()) return {};
  integrator().setLevel(impact ? 1 : 2);
  integrator().prepareAt(instant());
  const SolveReport report = problem.compute(context(), set);
  note(report);
  if (!report.certified && policy_ != FailurePolicy::Record)
    fail("no certified solution of the problem \"%s\" at t = %.17g: %s, residual %.3g", problem_name.c_str(), instant(),
         report.outcome, report.residual);
  return report;
}

// Inputs from the multipliers of that level, then velocities (1) or accelerations (2), outputs, and which contacts rest.
void EventDriven::update(int level) {
  if (level != 1 && level != 2) fail("an event-driven simulation updates levels 1 and 2, not %d", level);
  begin();
  model_->gatherInputs(level, index_sets_[static_cast<std::size_t>(level)]);
  integrator().setLevel(level);
  integrator().updateState();
  if (level == 2) return;
  updateOutput(1, 1);
  auto& rest = index_sets_[2];
  rest.clear();
  for (const int index : index_sets_[1])
    if (model_->recordAt(index).law->kind() == LawKind::EqualityCondition || restsAt(index)) rest.push_back(index);
}

void EventDriven::nextStep() {
  begin();
  const double time = instant();
  integrator().restart(time);
  noteState();
  work_->searched = time;
  work_->found = work_->end_at_instant = false;
  buildFunctions();
  noteParameters();
}

void EventDriven::processInstant() {
  begin();
  SmoothMotion& motion = integrator().motion();
  updateOutput(0, 2);
  model_->states().save();
  model_->outputs().save();
  noteParameters();
  for (const auto& manager : managers_) manager->updateInteractions(*this);
  if (topology_ != model_->topologyVersion()) return initialize();
  if (motion.closed().empty() || !motion.driftsBeyond(projection_tolerance_) || hasChanged()) return;
  const double time = events_.startingTime();
  // Within a step it is mostly the error of continuous output: what users see is put back, motion goes on as it was.
  const bool within = integrator().stepEnd() > time + events_.resolution();
  if (within) work_->end_at_instant = stepDrifts();
  motion.projectPositions(time);
  motion.projectVelocities(time);
  updateOutput(0, 2);
  if (within) return noteState();
  forgetFired();
  nextStep();
}

// Have closed contacts drifted off at the end of the integrator's step? The present state is kept.
bool EventDriven::stepDrifts() {
  const double end = integrator().stepEnd();
  integrator().interpolate(end);
  const bool drifts = integrator().motion().drift(end) > projection_tolerance_;
  integrator().interpolate(events_.startingTime());
  return drifts;
}

// What has been found ahead of the present instant counts no more.
void EventDriven::forgetFired() {
  for (Contact& contact : work_->contacts) {
    std::fill(std::begin(contact.fired), std::end(contact.fired), false);
    contact.at_once = false;
  }
}

void EventDriven::process(Event& event) {
  begin();
  work_->reached = -std::numeric_limits<double>::infinity();
  beginStep();
  try {
    perform(event);
  } catch (...) {
    takeBack();
    throw;
  }
  work_->under_way = false;
}

// Closed contacts have drifted off by the errors of integration, which is no motion that an impact or an opening could answer.
void EventDriven::putBack() {
  if (integrator().motion().closed().empty() || hasChanged()) return;
  integrator().motion().projectPositions(events_.startingTime());
  integrator().motion().projectVelocities(events_.startingTime());
}

void EventDriven::perform(Event& event) {
  const bool change = event.changesMotion();
  if (change) {
    if (events_.currentEvent().ticks == work_->last_ticks) {
      if (++work_->at_one_instant > most_at_one_instant)
        fail("%d events at t = %.17g", most_at_one_instant, events_.startingTime());
    } else {
      work_->at_one_instant = 0;
    }
    work_->last_ticks = events_.currentEvent().ticks;
    putBack();
    updateOutput(0, 2);
    model_->states().save();
    model_->outputs().save();
    tell(true);
  }
  event.process(*this);
  if (topology_ != model_->topologyVersion()) {
    initialize();
  } else if (change && event.getType() != EventType::NonSmooth) {
    processChange();
  }
  tell(false);
}

// Someone has changed the bodies.
void EventDriven::processChange() {
  updateOutput(0, 1);
  requireNoOverlap(true);
  startAnew();
}

// A closed contact whose bodies, or floor, someone has moved apart is open. Drift and rounding are less than that.
void EventDriven::openTornContacts() {
  OutputStore& outputs = model_->outputs();
  for (const int index : index_sets_[0]) {
    const InteractionRecord& record = model_->recordAt(index);
    const double before = std::max(0.0, outputs.data(Output::y0Old)[record.y.start]);
    if (outputs.data(Output::y0)[record.y.start] > before + noticeable * tolerance_)
      work_->contacts[static_cast<std::size_t>(index)].closed = false;
  }
}

// What was found ahead is of another motion, approaches are not those that flights end with, and contacts are asked anew.
void EventDriven::startAnew() {
  forgetFired();
  for (Contact& contact : work_->contacts) contact.opened = -std::numeric_limits<double>::infinity();
  openTornContacts();
  processNonSmoothEvent();
}

void EventDriven::tell(bool before) {
  if (on_state_) on_state_(*this, before);
  if (topology_ != model_->topologyVersion()) initialize();
}

}  // namespace nonsmooth::kernel
