// A simulation's state, saved and restored.
#include <algorithm>

#include "nonsmooth/kernel/simulation.hpp"

namespace nonsmooth::kernel {

void Simulation::saveMemory(StateWriter&) const { fail("a %s cannot be saved and resumed", className()); }

void Simulation::restoreMemory(StateReader&) { fail("a %s cannot be saved and resumed", className()); }

void Simulation::save(StateWriter& out) {
  requireIntegrators();
  if (!initialized_ || topology_ != model_->topologyVersion()) initialize();
  out.text(className());
  out.integer(step_);
  out.integer(opened_ ? 1 : 0);
  out.integer(pending_ ? 1 : 0);
  out.real(getTk());
  out.real(timeDiscretisation().hConst() ? timeStep() : 0.0);
  model_->save(out);
  out.integer(static_cast<std::int64_t>(integrators_.size()));
  for (const auto& integrator : integrators_) {
    out.text(integrator->className());
    for (const OneStepIntegrator* owner : integrator_of_system_) out.integer(owner == integrator.get() ? 1 : 0);
    integrator->saveMemory(out);
  }
  out.integer(static_cast<std::int64_t>(problems_.size()));
  for (const auto& [problem_name, problem] : problems_) {
    out.text(problem_name);
    out.text(problem->className());
    out.integer(problem->solved());
    problem->forget();
  }
  saveMemory(out);
}

void Simulation::restore(StateReader& in) {
  in.expect("the simulation", std::string(className()));
  const auto saved_step = static_cast<long>(in.integer());
  const bool saved_opened = in.integer() != 0, saved_pending = in.integer() != 0;
  if (saved_step < 0) in.refuse("step " + std::to_string(saved_step));
  in.expectReal("the instant of step " + std::to_string(saved_step), timeDiscretisation().getTk(saved_step));
  in.expectReal("the time step", timeDiscretisation().hConst() ? timeStep() : 0.0);
  model_->checkState(in);
  step_ = saved_step;
  opened_ = saved_opened;
  pending_ = saved_pending;
  model_->restore(in, [this](const SavedInteraction& saved) {
    return std::any_of(managers_.begin(), managers_.end(),
                       [&](const auto& manager) { return manager->restoreInteraction(*this, saved); });
  });
  initialize();
  in.expect("the number of integrators", static_cast<std::int64_t>(integrators_.size()));
  for (const auto& integrator : integrators_) {
    in.expect("an integrator", std::string(integrator->className()));
    for (std::size_t d = 0; d < integrator_of_system_.size(); ++d)
      if ((in.integer() != 0) != (integrator_of_system_[d] == integrator.get()))
        in.refuse("system " + std::to_string(d) + " has another integrator here");
    integrator->restoreMemory(in);
  }
  in.expect("the number of nonsmooth problems", static_cast<std::int64_t>(problems_.size()));
  for (const auto& [problem_name, problem] : problems_) {
    in.expect("the name of a nonsmooth problem", problem_name);
    in.expect("nonsmooth problem " + problem_name, std::string(problem->className()));
    problem->setSolved(static_cast<long>(in.integer()));
    problem->forget();
  }
  restoreMemory(in);
  if (!in.atEnd()) in.refuse("the state has more than this simulation reads");
  auto& active = index_sets_[1];
  active.clear();
  for (const int index : index_sets_[0])
    if (model_->recordAt(index).active) active.push_back(index);
}

}  // namespace nonsmooth::kernel
