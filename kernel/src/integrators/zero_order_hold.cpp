// Van Loan (1978): exp of [A I; 0 0] h is [exp(A h), Psi; 0 I], Psi the integral of exp(A s) over [0, h].
#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

#include "integrators/system_table.hpp"
#include "modeling/dense_lu.hpp"
#include "nonsmooth/kernel/first_order_relations.hpp"
#include "nonsmooth/kernel/integrators.hpp"

namespace nonsmooth::kernel {

struct ZeroOrderHoldOSI::Work {
  struct System {
    FirstOrderLinearDS* ds = nullptr;
    double h = 0;
    unsigned long version = 0;
    Matrix transition, response;  // exp(A h); Psi M^-1
  };
  SystemTable<System> systems;
  mutable Vector scratch;
};

namespace {

// Of a system x' = A x + u: exp(A h), and the integral of exp(A s) over [0, h]. `exponent` is A h. Where it is large the two are
// those of a part of h that is doubled again and again. What is doubled is exp - 1, which is A times the integral: squares of
// exponentials would double the rounding of those near 1, of slow motions, with them: up to 2^-53 |A h|.
void integrate(const Matrix& exponent, double h, Matrix& transition, Matrix& integral) {
  constexpr double largest = 4;
  const Index n = exponent.rows();
  const double norm = exponent.cwiseAbs().colwise().sum().maxCoeff();
  const int doublings = std::isfinite(norm) && norm > largest ? std::ilogb(norm) - 1 : 0;
  Matrix block = Matrix::Zero(2 * n, 2 * n);
  block.topLeftCorner(n, n) = std::ldexp(1.0, -doublings) * exponent;
  block.topRightCorner(n, n) = std::ldexp(h, -doublings) * Matrix::Identity(n, n);
  const Matrix exponential = block.exp();
  integral = exponential.topRightCorner(n, n);
  Matrix change = exponent * integral / h;
  for (int k = 0; k < doublings; ++k) {
    integral = (2 * integral + change * integral).eval();
    change = (2 * change + change * change).eval();
  }
  transition = change + Matrix::Identity(n, n);
}

}  // namespace

ZeroOrderHoldOSI::ZeroOrderHoldOSI() : work_(std::make_unique<Work>()) {}
ZeroOrderHoldOSI::~ZeroOrderHoldOSI() = default;

void ZeroOrderHoldOSI::checkSystem(const DynamicalSystem& system) const {
  const auto* linear = dynamic_cast<const FirstOrderLinearDS*>(&system);
  if (linear == nullptr) fail("integrator %s does not treat system %s", className(), system.className());
  if (!linear->hasConstantA())
    fail("integrator %s does not treat system %s whose A is computed", className(), system.className());
}

void ZeroOrderHoldOSI::checkInteraction(const Interaction& interaction) const {
  OneStepIntegrator::checkInteraction(interaction);
  if (dynamic_cast<const FirstOrderLinearR*>(&interaction.relation()) == nullptr)
    fail("integrator %s does not treat relation %s", className(), interaction.relation().className());
}

void ZeroOrderHoldOSI::initialize(NonSmoothDynamicalSystem& new_model, std::vector<int> numbers) {
  OneStepIntegrator::initialize(new_model, std::move(numbers));
  work_->systems.clear(new_model.systems().size());
  Index largest = 1;
  for (const int number : systems()) {
    Work::System entry;
    entry.ds = static_cast<FirstOrderLinearDS*>(new_model.systemAt(number));
    largest = std::max(largest, entry.ds->dimension());
    work_->systems.insert(number, std::move(entry));
  }
  work_->scratch.setZero(largest);
}

void ZeroOrderHoldOSI::beginStep(const Interval& new_step) {
  step_ = new_step;
  const double h = new_step.h();
  for (Work::System& s : work_->systems) {
    if (s.h == h && s.version == s.ds->version()) continue;
    checkSystem(*s.ds);  // A may have become a function
    Matrix A, integral;
    s.ds->evaluateJacobianfx(new_step.start, s.ds->x(), A);
    const Matrix M = s.ds->getM();
    if (DenseLu(M).isSingular()) fail("M of system %d is singular", s.ds->number());
    integrate(h * M.partialPivLu().solve(A), h, s.transition, integral);
    s.response = integral * M.inverse();
    if (!s.transition.allFinite() || !s.response.allFinite())
      fail("exp(M^-1 A h) of system %d overflows: a step h of %g is too long for its A", s.ds->number(), h);
    s.h = h;
    s.version = s.ds->version();
    ++response_version_;
  }
}

void ZeroOrderHoldOSI::computeFreeState() {
  for (Work::System& s : work_->systems) {
    VectorView free = s.ds->motion(Motion::free);
    free.noalias() = s.transition.lazyProduct(s.ds->motion(Motion::old));
    if (s.ds->b() == nullptr && s.ds->isTimeInvariant()) continue;
    s.ds->computeb(step_.end);
    free.noalias() += s.response.lazyProduct(*s.ds->b());
  }
}

void ZeroOrderHoldOSI::freeOutput(const InteractionRecord& record, VectorView q) {
  // h is affine: h(x, lambda) + C (free - x) - D lambda, x the state at hand.
  const RelationPoint at = model().point(record, step_.end, 0);
  record.relation->evaluateh(at, q);
  model().addOutputOf(record, Motion::free, q);
  q.noalias() -= model().block(record, Block::C).lazyProduct(at.x);
  if (record.hasD()) q.noalias() -= model().block(record, Block::D).lazyProduct(at.lambda);
}

void ZeroOrderHoldOSI::respond(int system, double* columns, Index count) const {
  const Work::System& s = work_->systems.at(system);
  const Index n = s.ds->dimension();
  for (Index j = 0; j < count; ++j) {
    VectorView column(columns + j * n, n);
    auto copy = work_->scratch.head(n);
    copy = column;
    column.noalias() = s.response.lazyProduct(copy);
  }
}

void ZeroOrderHoldOSI::updateState() {
  for (Work::System& s : work_->systems) {
    VectorView x = s.ds->x();
    x = s.ds->motion(Motion::free);
    x.noalias() += s.response.lazyProduct(s.ds->motion(Motion::input0));
  }
}

}  // namespace nonsmooth::kernel
