// Simulates a scene with this kernel; measure.hpp has the arguments. METHOD may be followed by options of the method,
// ",NAME=VALUE" each, and by "+", which makes the simulation read the clock between its phases.
#include <sstream>

#include "measure.hpp"
#include "models.hpp"

namespace {

using namespace nonsmooth;
using scenes::Measured;

class Simulation {
 public:
  Simulation(const scenes::Scene& scene, const scenes::Request& request) : model_(scene) {
    std::string method = request.method;
    const bool with_phases = method.back() == '+';
    if (with_phases) method.pop_back();
    choose(method);
    model_.problem().setTolerance(request.tolerance);
    model_.problem().setOption("max_iterations", request.iterations);
    model_.simulation().setFailurePolicy(kernel::FailurePolicy::Record);
    model_.simulation().setPhaseTimes(with_phases);
    if (request.threshold > 0) model_.integrator().setConstraintActivationThreshold(request.threshold);
    position_ = scene.rigid ? 0 : -2;
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

  double position(int body, int axis) { return model_.body(body).q()[axis + position_]; }

 private:
  void choose(const std::string& text) {
    std::istringstream words(text);
    std::string word;
    std::getline(words, word, ',');
    model_.problem().setSolver(word == "-" ? "" : word);
    while (std::getline(words, word, ','))
      model_.problem().setOption(word.substr(0, word.find('=')), std::stod(word.substr(word.find('=') + 1)));
  }

  scenes::Model model_;
  int position_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return nonsmooth::scenes::measure(
      argc, argv, [](const auto& scene, const auto& request) { return std::make_unique<Simulation>(scene, request); });
}
