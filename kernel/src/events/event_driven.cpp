#include "nonsmooth/kernel/event_driven.hpp"

#include <cmath>

#include "events/event_driven_work.hpp"
#include "simulation/fresh_status.hpp"

namespace nonsmooth::kernel {

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
    case ContactEvent::Jammed: return "jammed";
  }
  return "unknown";
}

EventDriven::EventDriven(Link<NonSmoothDynamicalSystem> model)
    : Simulation(std::move(model)), work_(std::make_unique<Work>(*this)) {
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
  work_->settings.tolerance = tolerance;
}

void EventDriven::setAccumulationTolerance(double seconds) {
  if (!(seconds >= 0)) fail("tolerance of accumulations: %g", seconds);
  work_->settings.accumulation_tolerance = seconds;
}

void EventDriven::setProjectionTolerance(double tolerance) {
  if (!(tolerance >= 0)) fail("tolerance of projections: %g", tolerance);
  work_->settings.projection_tolerance = tolerance;
}

void EventDriven::setEventLogLength(std::size_t length) {
  work_->settings.log_length = length;
  work_->shortenLog();
}

void EventDriven::setEventCallback(std::function<void(const EventDriven&, const ContactRecord&)> callback) {
  work_->settings.on_event = std::move(callback);
}

void EventDriven::setTrajectoryCallback(std::function<void(const EventDriven&, bool)> callback) {
  work_->settings.on_state = std::move(callback);
}

const std::deque<ContactRecord>& EventDriven::eventLog() const { return work_->eventLog(); }

long EventDriven::count(ContactEvent kind) const { return work_->count(kind); }

void EventDriven::checkPolicy(FailurePolicy policy) const {
  if (policy == FailurePolicy::Halve)
    fail("an event-driven simulation has no step to halve: its failure policy is Throw or Record");
}

void EventDriven::initialize() { work_->initialize(); }

bool EventDriven::hasNextEvent() const { return work_->hasNextEvent(); }

void EventDriven::advanceToEvent() { work_->advanceToEvent(); }

StepStatus EventDriven::computeOneStep() {
  status_ = fresh_status;
  advanceToEvent();
  processEvents();
  status_.time = events_.startingTime();
  status_.activeContacts = static_cast<Index>(index_sets_[1].size());
  measureViolation();
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

void EventDriven::integrate(double& tinit, double& tend, double& tout, int& iout) { work_->integrate(tinit, tend, tout, iout); }

void EventDriven::updateOutput(int level_min, int level_max) { work_->updateOutput(level_min, level_max); }

void EventDriven::updateIndexSets() { work_->updateIndexSets(); }

SolveReport EventDriven::computeOneStepNSProblem(const std::string& problem_name) {
  return work_->computeOneStepNSProblem(problem_name);
}

void EventDriven::update(int level) { work_->update(level); }

void EventDriven::updateIndexSetsWithDoubleCondition() { work_->updateIndexSetsWithDoubleCondition(); }

void EventDriven::nextStep() { work_->nextStep(); }

void EventDriven::process(Event& event) { work_->process(event); }

void EventDriven::processInstant() { work_->processInstant(); }

void EventDriven::processNonSmoothEvent() { work_->processNonSmoothEvent(); }

}  // namespace nonsmooth::kernel
