// Simulates a scene with this kernel; measure.hpp has the arguments. METHOD may be followed by options of the method,
// ",NAME=VALUE" each, and by "+", which makes the simulation read the clock between its phases.
#include <sstream>

#include "event_model.hpp"
#include "measure.hpp"
#include "models.hpp"

namespace {

using namespace nonsmooth;
using scenes::Measured;

class Simulation {
 public:
  Simulation(const scenes::Scene& scene, const scenes::Request& request) : model_(scene) {
    std::string method = request.method;
    const bool with_phases = method.ends_with('+');
    if (with_phases) method.pop_back();
    choose(method);
    model_.problem().setTolerance(request.tolerance);
    model_.problem().setOption("max_iterations", request.iterations);
    model_.problem().checkSolver();
    model_.simulation().setFailurePolicy(kernel::FailurePolicy::Record);
    model_.simulation().setPhaseTimes(with_phases);
    if (request.threshold > 0) model_.integrator().setConstraintActivationThreshold(request.threshold);
    bodies_ = static_cast<int>(scene.position.size());
    coordinates_ = scene.rigid ? 3 : 1;
  }

  void step(Measured& sums) {
    kernel::TimeStepping& simulation = model_.simulation();
    simulation.computeOneStep();
    const kernel::StepStatus& status = simulation.status();
    sums.contacts += static_cast<double>(status.activeContacts);
    sums.certified += status.solve.certified;
    const kernel::PhaseTimes& t = status.seconds;
    const std::array<double, 5> seconds{t.freeState, t.detection, t.assembly, t.solver, t.update};
    for (std::size_t k = 0; k < seconds.size(); ++k) sums.phases[k] += seconds[k];
    simulation.nextStep();
  }

  void record(std::vector<double>& values) {
    for (int body = 0; body < bodies_; ++body)
      for (int k = 0; k < coordinates_; ++k) values.push_back(model_.body(body).q()[k]);
  }

 private:
  void choose(const std::string& text) {
    std::istringstream words(text);
    std::string word;
    std::getline(words, word, ',');
    model_.problem().setSolver(word == "-" ? "" : word);
    while (std::getline(words, word, ','))
      model_.problem().setOption(word.substr(0, word.find('=')), numberIn(word.substr(word.find('=') + 1)));
  }

  scenes::Model model_;
  int bodies_ = 0, coordinates_ = 0;
};

class EventSimulation {
 public:
  EventSimulation(const scenes::EventScene& scene, const scenes::Request&) : model_(scene) {}

  void step(Measured& sums) {
    const kernel::StepStatus status = model_.simulation().computeOneStep();
    sums.contacts += static_cast<double>(status.activeContacts);
    sums.certified += status.solve.certified;
  }

  void record(std::vector<double>& values) {
    const kernel::LagrangianDS& body = model_.body();
    values.push_back(model_.simulation().startingTime());
    values.insert(values.end(), body.q().begin(), body.q().end());
    values.insert(values.end(), body.velocity().begin(), body.velocity().end());
  }

 private:
  scenes::EventModel model_;
};

}  // namespace

int main(int argc, char** argv) {
  return nonsmooth::scenes::measure(
      argc, argv, [](const auto& scene, const auto& request) { return std::make_unique<Simulation>(scene, request); },
      [](const auto& scene, const auto& request) { return std::make_unique<EventSimulation>(scene, request); });
}
