// Arnold and Bruls, Multibody Syst. Dyn. 18 (2007) 185-202, with the coefficients of Chung and Hulbert (1993).
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "events/hermite_output.hpp"
#include "events/smooth_motion.hpp"
#include "integrators/fraction.hpp"
#include "nonsmooth/kernel/event_integrators.hpp"

namespace nonsmooth::kernel {

struct NewMarkAlphaOSI::Work {
  Vector q0, v0, a0, q1, v1, a1;  // positions, velocities, q'' at the ends of the step
  Vector aux, aux0;               // the auxiliary acceleration
  Vector q, v;
  std::vector<Factor> factors;  // of the iteration matrices, by system
  Matrix W, dq, dv, mass;
  Vector force, change;
  double residual = 0;
};

namespace {

// The coefficients that follow from rho_inf.
double alphaM(double rho_inf) {
  requireFraction(rho_inf, "rho_inf");
  return (2 * rho_inf - 1) / (rho_inf + 1);
}
double alphaF(double rho_inf) { return rho_inf / (rho_inf + 1); }
double gammaOf(double rho_inf) { return 0.5 + alphaF(rho_inf) - alphaM(rho_inf); }
double betaOf(double rho_inf) { return 0.25 * (gammaOf(rho_inf) + 0.5) * (gammaOf(rho_inf) + 0.5); }

}  // namespace

NewMarkAlphaOSI::NewMarkAlphaOSI(double rho_inf, bool velocity_level)
    : NewMarkAlphaOSI(betaOf(rho_inf), gammaOf(rho_inf), alphaM(rho_inf), alphaF(rho_inf), velocity_level) {}

NewMarkAlphaOSI::NewMarkAlphaOSI(double beta, double gamma, double alpha_m, double alpha_f, bool velocity_level)
    : beta_(beta),
      gamma_(gamma),
      alpha_m_(alpha_m),
      alpha_f_(alpha_f),
      velocity_level_(velocity_level),
      largest_(std::numeric_limits<double>::infinity()),
      work_(std::make_unique<Work>()) {
  // The scheme divides by beta, 1 - alpha_m and 1 - alpha_f.
  if (!(beta > 0) || !std::isfinite(beta)) fail("beta of NewMarkAlphaOSI: %g", beta);
  if (!(gamma > 0) || !std::isfinite(gamma)) fail("gamma of NewMarkAlphaOSI: %g", gamma);
  if (!(alpha_m < 1) || !std::isfinite(alpha_m)) fail("alpha_m of NewMarkAlphaOSI: %g", alpha_m);
  if (!(alpha_f < 1) || !std::isfinite(alpha_f)) fail("alpha_f of NewMarkAlphaOSI: %g", alpha_f);
}

NewMarkAlphaOSI::~NewMarkAlphaOSI() = default;

void NewMarkAlphaOSI::setNewtonTolerance(double tolerance) {
  if (!(tolerance > 0)) fail("Newton tolerance %g", tolerance);
  tolerance_ = tolerance;
}

void NewMarkAlphaOSI::setNewtonMaxIteration(int iterations) {
  if (iterations < 1) fail("Newton iterations %d", iterations);
  max_iterations_ = iterations;
}

void NewMarkAlphaOSI::setMaxStepSize(double largest) {
  if (!(largest > 0)) fail("largest step of NewMarkAlphaOSI: %g", largest);
  largest_ = largest;
}

std::string NewMarkAlphaOSI::doubtOfSteps() const {
  char text[120];
  std::snprintf(text, sizeof text, ": steps of %.3g s, whose errors %s does not control, may be too long (setMaxStepSize)",
                step_end_ - step_start_, className());
  return text;
}

void NewMarkAlphaOSI::checkSystem(const DynamicalSystem& system) const {
  EventDrivenOSI::checkSystem(system);
  if (system.kind() != SystemKind::Lagrangian) fail("integrator %s does not treat system %s", className(), system.className());
}

void NewMarkAlphaOSI::initialize(NonSmoothDynamicalSystem& new_model, std::vector<int> numbers) {
  EventDrivenOSI::initialize(new_model, std::move(numbers));
  Work& w = *work_;
  for (Vector* x : {&w.q0, &w.v0, &w.a0, &w.q1, &w.v1, &w.a1, &w.aux, &w.aux0, &w.q, &w.v}) x->setZero(positions());
  w.factors.clear();
  w.factors.resize(new_model.systems().size());
}

void NewMarkAlphaOSI::restart(double time) {
  Work& w = *work_;
  step_start_ = step_end_ = time;
  gather(w.q1.data(), w.v1.data());
  evaluate(time, w.q1.data(), w.v1.data(), w.q.data(), w.a1.data());
  w.aux = w.a1;
}

// One iteration: changes d of q change q' by gamma' / h d and q'' by beta' / h^2 d.
struct NewMarkAlphaOSI::Newton {
  double h, beta, gamma;
  double residual = 0, rounding = 0;  // of the equations of motion; of q in them
};

// At (q1, v1, a1): the matrix of each system and, as its free motion, the change that it would make without constraints.
void NewMarkAlphaOSI::linearise(double time, Newton& newton) {
  Work& w = *work_;
  const double h = newton.h, beta = newton.beta, gamma = newton.gamma;
  Index first = 0;
  for (const int number : systems()) {
    auto& ds = *static_cast<SecondOrderDS*>(model().systemAt(number));
    const Index size = ds.dimension();
    ds.computeForces(time);
    ds.evaluateMass(ds.q(), w.mass);
    ds.evaluateForceJacobians(time, ds.q(), ds.velocity(), w.dq, w.dv);
    w.force = ds.forces();
    w.force.noalias() -= w.mass.lazyProduct(w.a1.segment(first, size));
    w.W = beta / (h * h) * w.mass - gamma / h * w.dv - w.dq;
    w.factors[static_cast<std::size_t>(number)].compute(w.W, ds);
    newton.residual = std::max(newton.residual, (w.force + ds.motion(Motion::input2)).cwiseAbs().maxCoeff());
    newton.rounding = std::max(newton.rounding, w.mass.lazyProduct(ds.q()).cwiseAbs().maxCoeff());
    VectorView free = ds.motion(Motion::free);
    free = w.force;
    w.factors[static_cast<std::size_t>(number)].solve(free.data(), 1);
    first += size;
  }
  newton.rounding *= 4 * std::numeric_limits<double>::epsilon() * beta / (h * h);
}

// By the free motions and what the multipliers add to them.
void NewMarkAlphaOSI::correct(const Newton& newton) {
  Work& w = *work_;
  const double h = newton.h, beta = newton.beta, gamma = newton.gamma;
  Index first = 0;
  for (const int number : systems()) {
    const DynamicalSystem& ds = *model().systemAt(number);
    const Index size = ds.dimension();
    w.change = ds.motion(Motion::input2);
    w.factors[static_cast<std::size_t>(number)].solve(w.change.data(), 1);
    w.change += ds.motion(Motion::free);
    w.q1.segment(first, size) += w.change;
    w.v1.segment(first, size) += gamma / h * w.change;
    w.a1.segment(first, size) += beta / (h * h) * w.change;
    w.aux.segment(first, size) += (1 - alpha_f_) / (1 - alpha_m_) * beta / (h * h) * w.change;
    first += size;
  }
}

// True if the residual it found meets the tolerance; that of the equations of motion not below what rounding of q makes of it.
bool NewMarkAlphaOSI::iterate(double time, double h) {
  Work& w = *work_;
  Newton newton{h, (1 - alpha_m_) / ((1 - alpha_f_) * beta_), gamma_ / beta_};
  scatter(w.q1.data(), w.v1.data());
  motion().prepareMatrices(time);
  ++evaluations_;
  linearise(time, newton);
  double defect = 0;
  model().states().clear(Motion::input2);
  if (!motion().closed().empty()) {
    Vector& right = motion().constraints(time, velocity_level_, velocity_level_ ? h / newton.gamma : 1.0);
    defect = right.cwiseAbs().maxCoeff();
    motion().addProducts(Motion::free, right);
    right = -right;
    motion().solveWith(w.factors, right);
    motion().distribute(right);
  }
  correct(newton);
  w.residual = std::max(newton.residual, defect);
  return defect <= tolerance_ && newton.residual <= std::max(tolerance_, newton.rounding);
}

void NewMarkAlphaOSI::step(double target, double) {
  Work& w = *work_;
  step_start_ = step_end_;
  const double parts = std::max(1.0, std::ceil((target - step_start_) / largest_ - 1e-10));
  step_end_ = parts > 1 ? step_start_ + (target - step_start_) / parts : target;
  const double h = step_end_ - step_start_;
  w.q0 = w.q1;
  w.v0 = w.v1;
  w.a0 = w.a1;
  if (!own_auxiliary_) w.aux = w.a1;
  w.q1 += h * w.v1 + h * h * (0.5 - beta_) * w.aux;
  w.v1 += h * (1 - gamma_) * w.aux;
  w.aux = (alpha_f_ * w.a1 - alpha_m_ * w.aux) / (1 - alpha_m_);
  w.q1 += h * h * beta_ * w.aux;
  w.v1 += h * gamma_ * w.aux;
  w.a1.setZero();
  bool converged = false;
  for (int k = 0; k < max_iterations_ && !converged; ++k) converged = iterate(step_end_, h);
  if (!converged)
    fail("Newton's iteration of NewMarkAlphaOSI did not converge at t = %.17g: residual %.3g after %d iterations", step_end_,
         w.residual, max_iterations_);
  motion().evaluateMasses();
  ++steps_;
}

void NewMarkAlphaOSI::interpolate(double time) {
  Work& w = *work_;
  if (time == step_end_) return scatter(w.q1.data(), w.v1.data());
  const double h = step_end_ - step_start_, s = (time - step_start_) / h;
  const HermiteOutput::End start{w.q0, w.v0, w.a0}, end{w.q1, w.v1, w.a1};
  HermiteOutput::quintic(start, end, h, s, w.q);
  HermiteOutput::quinticRate(start, end, h, s, w.v);
  scatter(w.q.data(), w.v.data());
}

}  // namespace nonsmooth::kernel
