// A steel ball hits a row of touching steel balls: Hertz contacts, law of Darboux and Keller (Liu, Zhao, Brogliato 2008). The
// impulse goes through the row as a wave about five diameters long (Nesterenko 1983). Balls behind it move slowly backwards, the
// last two leave; Newton's cradle with one ball that leaves is the limit of balls that do not quite touch.
//
//   chain_of_balls [--balls N] [--restitution e]
#include <vector>

#include "example.hpp"

using namespace nonsmooth::kernel;

namespace {

const double pi = std::acos(-1.0), radius = 0.01, density = 7780, young = 203e9, poisson = 0.3, speed = 1.0;
const double mass = 4.0 / 3.0 * pi * radius * radius * radius * density;
// Hertz: force = K delta^(3/2) between equal spheres.
const double stiffness = 2.0 / 3.0 * young / (1 - poisson * poisson) * std::sqrt(radius / 2);

// Velocities after the impact.
Vector collide(std::size_t balls, double restitution, OSNSMultipleImpact& problem) {
  NonSmoothDynamicalSystem model(0.0);
  const auto law = std::make_shared<MultipleImpactNSL>(restitution, stiffness, 1.5);
  // Displacements from the places where the balls touch.
  const auto relation = std::make_shared<LagrangianLinearTIR>(Eigen::RowVector2d(-1, 1));
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> ball;
  for (std::size_t i = 0; i < balls; ++i) {
    ball.push_back(std::make_shared<LagrangianLinearTIDS>(Vector::Zero(1), Vector::Constant(1, i == 0 ? speed : 0.0),
                                                          Matrix::Constant(1, 1, mass)));
    model.insertDynamicalSystem(ball.back());
    if (i > 0) model.link(std::make_shared<Interaction>(law, relation), ball[i - 1], ball[i]);
  }
  InstantImpact(model, problem).compute(0.0);
  Vector velocities(static_cast<Index>(balls));
  for (std::size_t i = 0; i < balls; ++i) velocities[static_cast<Index>(i)] = ball[i]->velocity()[0];
  return velocities;
}

}  // namespace

int main(int count, char** arguments) try {
  const Options options({{"--balls", "10"}, {"--restitution", "1"}}, count, arguments);
  const auto balls = static_cast<std::size_t>(options.count("--balls", 2));
  const double restitution = options.number("--restitution");
  OSNSMultipleImpact adaptive;
  const Vector v = collide(balls, restitution, adaptive);
  for (Index i = 0; i < v.size(); ++i) std::printf("ball %2d: %13.10f m/s\n", static_cast<int>(i) + 1, v[i]);
  std::printf("%ld steps over impulses, %.3g J lost\n", adaptive.impact().steps, -adaptive.impact().kineticEnergyChange);
  Report report;
  report.figure("momentum over that of the first ball", v.sum() / speed, 1, 1e-10);
  if (restitution == 1) report.figure("kinetic energy over that of the first ball", v.squaredNorm() / (speed * speed), 1, 1e-10);
  if (restitution == 1 && balls >= 10) {
    // The wave has left its start behind: the first velocities do not depend on the length of the chain any more.
    OSNSMultipleImpact longer;
    const Vector w = collide(2 * balls, restitution, longer);
    report.figure("velocity of the first ball in a chain twice as long [m/s]", w[0], v[0], 1e-9);
    // Published scheme: constant impulse steps, zero at 2.2e-16 (figures of its example to four digits).
    OSNSMultipleImpact constant("BiStiffness", 1e-6);
    const Vector reference = collide(10, 1.0, constant);
    report.figure("last ball of ten by constant impulse steps [m/s]", reference[9], 0.9860, 0.5e-4);
    if (balls == 10) report.figure("the same by adaptive steps [m/s]", v[9], 0.98586587, 1e-8);
  }
  return report.exitCode();
} catch (const std::exception& error) {
  return told(error);
}
