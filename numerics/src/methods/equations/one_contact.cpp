#include "methods/equations/one_contact.hpp"

#include <Eigen/LU>
#include <algorithm>

namespace nonsmooth {
namespace {

constexpr int newton_steps = 30, halvings = 8;
constexpr double accuracy = 1e-14;   // of the equations, relative to their terms
constexpr double sufficient = 1e-4;  // share of the decrease Newton's step promises

template <int D>
using Square = Eigen::Matrix<double, D, D>;
template <int D>
using Column = Eigen::Matrix<double, D, 1>;

ConeFunction function_of(ContactSolver solver) {
  switch (solver) {
    case ContactSolver::jean_moreau: return ConeFunction::jean_moreau;
    case ContactSolver::fischer_burmeister: return ConeFunction::fischer_burmeister;
    default: return ConeFunction::alart_curnier;
  }
}

}  // namespace

template <int D>
void IteratedContactSolver<D>::choose(ContactSolver solver) {
  projects_ = solver == ContactSolver::projection;
  equations_.setup(D, function_of(solver));
}

template <int D>
bool IteratedContactSolver<D>::prepare(const ContactCone<D - 1, 1>& set, const double* W, double proximal) {
  cone_ = set;
  block_ = {D == 2 ? SetKind::coulomb_2d : SetKind::coulomb_3d, 0, D, set.mu[0]};
  const Eigen::Map<const Square<D>> given(W);
  scale_ = given.trace() / D;
  if (!(scale_ > 0)) scale_ = 1;
  rho_ = proximal * scale_;
  Eigen::Map<Square<D>> held(W_);
  held = given + rho_ * Square<D>::Identity();
  step_scale_ = std::max(held.cwiseAbs().rowwise().sum().maxCoeff(), scale_);
  return held.allFinite();
}

template <int D>
void IteratedContactSolver<D>::velocity(const double* q, const double* r, double* u) const {
  Eigen::Map<Column<D>> sum(u);
  sum = Eigen::Map<const Column<D>>(q) + Eigen::Map<const Square<D>>(W_) * Eigen::Map<const Column<D>>(r);
}

template <int D>
void IteratedContactSolver<D>::project(const double* q, double* r) const {
  double u[D];
  velocity(q, r, u);
  cone_.add_normal_shift(u);
  for (int i = 0; i < D; ++i) r[i] -= u[i] / step_scale_;
  cone_.project(r, r);
}

template <int D>
double IteratedContactSolver<D>::defect(const double* q, const double* r, const BlockEquations& equations) {
  double u[D];
  velocity(q, r, u);
  equations_.evaluate(block_, r, u, scale_, equations);
  return Eigen::Map<const Column<D>>(equations.value).norm();
}

template <int D>
bool IteratedContactSolver<D>::descend(const double* q, double* r, double defect, const BlockEquations& equations) {
  using Given = Eigen::Map<const Square<D>>;
  const Square<D> J = Given(equations.L) * Given(W_) + Given(equations.R);
  const Column<D> start = Eigen::Map<const Column<D>>(r);
  const Column<D> direction = J.partialPivLu().solve(Eigen::Map<const Column<D>>(equations.value));
  if (!direction.allFinite()) return false;
  double value[D], t = 1;
  for (int k = 0; k < halvings; ++k, t *= 0.5) {
    const Column<D> trial = start - t * direction;
    if (!(this->defect(q, trial.data(), {value, nullptr, nullptr}) <= (1 - sufficient * t) * defect)) continue;
    std::copy(trial.data(), trial.data() + D, r);
    return true;
  }
  return false;
}

template <int D>
void IteratedContactSolver<D>::solve(const double* q_given, double* r) {
  double q[D], value[D], L[D * D], R[D * D];
  for (int i = 0; i < D; ++i) q[i] = q_given[i] - rho_ * r[i];
  if (projects_) return project(q, r);
  const BlockEquations equations{value, L, R};
  const Eigen::Map<const Column<D>> given(q), reaction(r);
  for (int k = 0; k < newton_steps; ++k) {
    const double found = defect(q, r, equations);
    if (found <= accuracy * (given.norm() + scale_ * reaction.norm())) break;
    if (!descend(q, r, found, equations)) project(q, r);
  }
  cone_.project(r, r);
}

template class IteratedContactSolver<2>;
template class IteratedContactSolver<3>;

}  // namespace nonsmooth
