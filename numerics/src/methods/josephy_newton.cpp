// Josephy's Newton method (1979): F is linearised at z and the affine problem over the same set is solved by one of the other
// methods; a line search goes towards its solution. Both ends lie in C, and so does every point at which F is evaluated. With
// Lemke's pivots as inner method this is the approach of PATH (Dirkse and Ferris 1995; Ferris and Munson 2000). Where the affine
// problem has no solution (a ray) or leads nowhere, it is solved again with a proximal term mu (z - z_k), growing. It has a small
// one at once, in proportion to the residual: where F is free along a line, as prices are up to a factor, the affine problem has
// many solutions, of which this takes the nearest, and convergence stays as fast (Yamashita and Fukushima 2001; Fan and Yuan
// 2005). It is as sparse as the Jacobian is told to be.
#include <algorithm>
#include <cmath>

#include "core/checked.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/symmetry.hpp"
#include "methods/frame/inner_solver.hpp"
#include "methods/josephy_newton.hpp"
#include "methods/newton/nonlinear_newton.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t smallest_linearised_order = 16,
                       bases_of_a_linearisation = 30;  // more end seldom, each costs a factorisation
constexpr std::int64_t largest_searched_linearisation = 500, reflections_per_unknown = 50,
                       entries_of_a_linearisation = 200'000'000;  // of the Jacobian
constexpr double proximal_terms[] = {0, 1e-4, 1e-2, 1, 100};      // relative to the largest entry of the Jacobian
// In place of 0: relative to the residual after a step that leaves more than poor_step of the merit; at first and after other
// steps as large as the errors of the Jacobian, which would decide how far a singular one leads. Affine problems still take one.
constexpr double nearest_solution = 1e-3, poor_step = 1e-3, error_of_differences = 0x1p-26, error_of_derivatives = 1e-11;
constexpr double linearised_tolerance_share = 0.1;        // of the tolerance asked for
constexpr double floor_share = 0.1, most_rounded = 1e-3;  // of the rounding floor, of the residual
constexpr double inner_reduction = 0.1;                   // of the residual: what a linearised solution must achieve to be of use

// On grids: multigrid, active sets, interior points. Pivots, which would follow, cost more than all of semismooth Newton's
// factors.
constexpr std::int64_t hasty_iterations = 400;

class JosephyNewton final : public NonlinearNewton {
 public:
  explicit JosephyNewton(bool is_hasty = false) : is_hasty_(is_hasty) {}
  void setup(const Inclusion& view, const Options& options) override;

 private:
  int directions() const override { return static_cast<int>(std::size(proximal_terms)); }
  bool write_direction(int index, Control& control) override;
  bool solve_linearised(Method& method, std::int64_t budget);
  void setup_inner(const Options& options);
  void make_matrix(const Matrix& pattern);
  void linearise(double mu);
  double proximal_term(int index);
  double mean_column();

  bool is_hasty_;
  Matrix M_;
  std::vector<std::size_t> place_, diagonal_;  // in its values: of each value of the Jacobian, of each diagonal entry
  Vector q_, solution_, column_size_;
  Inclusion linear_;
  Control inner_control_;
  NaturalMap map_;  // of the linearised problem
  struct Inner {
    std::unique_ptr<Method> method;
    std::int64_t budget = 0;  // iterations; 0: no limit of its own
    bool left_out_if_skew = false;
  };
  std::vector<Inner> inner_;  // tried in turn
};

void JosephyNewton::setup(const Inclusion& view, const Options& options) {
  const std::int64_t n = view.size();
  const bool known_by_projection = view.blocks.front().kind == SetKind::user_set;  // its derivative is dense
  if (!is_sparse(*view.M) || known_by_projection) refuse_beyond(4000, n, "josephy_newton keeps a dense matrix");
  NonlinearNewton::setup(view, options);
  make_matrix(J_.matrix());
  q_.resize(at(n));
  solution_.resize(at(n));
  column_size_.resize(at(n));
  // Methods look at M when they are set up: that of P_C(0), or a multiple of I where there is none.
  std::copy(view.reference.begin(), view.reference.end(), z_.begin());
  const bool known = evaluate(view, z_, w_) && J_.evaluate(z_, w_);
  if (!known) {
    std::ranges::fill(J_.matrix().own_values(), 0.0);
    std::fill(w_.begin(), w_.end(), 0.0);
  }
  linearise(known ? 0 : 1);
  linear_ = {&M_, &q_, view.blocks, view.scale};
  setup_inner(options);
}

// What a method must list to treat the affine problem. Those that ask of a set only its projection list both of the last.
std::uint32_t affine_classes(const Inclusion& view) {
  const SetKind kind = view.blocks.front().kind;
  if (kind == SetKind::user_set) return class_bit(NSM_SOCLCP) | class_bit(NSM_VI);
  if (kind == SetKind::polyhedron) return class_bit(NSM_AVI);
  if (kind == SetKind::box) return class_bit(NSM_RELAY);
  const bool equations = std::any_of(view.blocks.begin(), view.blocks.end(),
                                     [](const SetBlock& block) { return block.kind == SetKind::free_space; });
  return class_bit(equations ? NSM_MLCP : NSM_LCP);
}

// `auto` as inner method of dense problems: exchanges of whole blocks where they can help, pivots, reflections. The stages of the
// method auto itself would all have to take in each new matrix; sparse ones are what it is for.
void JosephyNewton::setup_inner(const Options& options) {
  const auto row = at(options.integer(Option::inner_method));
  const MethodEntry& asked = *method_table()[row];
  const std::uint32_t needed = affine_classes(linear_);
  if ((asked.info.classes & needed) != needed)
    fail(NSM_UNSUPPORTED, "josephy_newton: %s does not treat the linearised problems", asked.info.name);
  // A linearisation may have no solution.
  const std::int64_t n = view_->size(), reflections = std::min(reflections_per_unknown * n,
                                                               entries_of_a_linearisation / std::max<std::int64_t>(1, n * n));
  const std::int64_t iterations = is_hasty_ ? hasty_iterations : 2000 + 20 * n + reflections;
  Options own = inner_options(options, linearised_tolerance_share, iterations);
  inner_control_.setup(linear_, own, 0);
  map_ = NaturalMap(linear_);
  auto append = [&](const MethodEntry& entry, std::int64_t budget = 0, bool left_out_if_skew = false) {
    inner_.push_back({entry.create(), budget, left_out_if_skew});
    inner_.back().method->setup(linear_, own);
  };
  if (&asked != find_method("auto")) return append(asked);
  if (needed == (class_bit(NSM_SOCLCP) | class_bit(NSM_VI))) return append(*find_method("extragradient"));
  if (M_.dense() == nullptr) return append(asked);
  if (needed == class_bit(NSM_LCP) && n >= smallest_linearised_order)
    append(*find_method("block_principal_pivoting"), bases_of_a_linearisation, true);
  append(*find_method("lemke"));
  const MethodEntry& wandering = *find_method("relaxed_reflect_reflect");
  if ((wandering.info.classes & needed) == needed && n <= largest_searched_linearisation) append(wandering, reflections);
}

// Of zeros; dense, or of the pattern of the Jacobian and the diagonal.
void JosephyNewton::make_matrix(const Matrix& pattern) {
  const std::int64_t n = pattern.rows();
  place_.clear();
  diagonal_.clear();
  if (!is_sparse(pattern)) {
    M_ = Matrix(DenseMatrix{n, n, Vector(at(n) * at(n))}, "linearised M");
    for_each_entry(pattern, [&](std::int64_t i, std::int64_t j, double) { place_.push_back(at(i + j * n)); });
    for (std::int64_t i = 0; i < n; ++i) diagonal_.push_back(at(i * (n + 1)));
    return;
  }
  M_ = with_full_diagonal(*pattern.csc());
  for_each_entry(pattern, [&](std::int64_t i, std::int64_t j, double) { place_.push_back(at(place_of(*M_.csc(), i, j))); });
  for (std::int64_t i = 0; i < n; ++i) diagonal_.push_back(at(place_of(*M_.csc(), i, i)));
}

// M = J + mu I, q = w - M z.
void JosephyNewton::linearise(double mu) {
  const std::span<const double> J = J_.matrix().values();
  const std::span<double> values = M_.own_values();
  std::fill(values.begin(), values.end(), 0.0);
  for (std::size_t k = 0; k < J.size(); ++k) values[place_[k]] = J[k];
  for (const std::size_t place : diagonal_) values[place] += mu;
  std::copy(w_.begin(), w_.end(), q_.begin());
  multiply_add(M_, -1.0, z_, q_);
}

double JosephyNewton::proximal_term(int index) {
  if (index > 0) {
    double largest = 0;
    for (const double a : J_.matrix().values()) largest = std::max(largest, std::abs(a));
    return proximal_terms[index] * (largest > 0 ? largest : 1);
  }
  double share = view_->F->jacobian != nullptr ? error_of_derivatives : error_of_differences;
  if (reduction_ >= poor_step) share = std::max(share, nearest_solution * std::min(1.0, std::sqrt(2 * merit_)));
  return share * mean_column();
}

// Geometric, of their largest entries: the largest of all may be the derivative of a root near 0.
double JosephyNewton::mean_column() {
  std::fill(column_size_.begin(), column_size_.end(), 0.0);
  for_each_entry(J_.matrix(), [&](std::int64_t, std::int64_t j, double a) {
    column_size_[at(j)] = std::max(column_size_[at(j)], std::abs(a));
  });
  double sum = 0, columns = 0;
  for (const double size : column_size_)
    if (size > 0) {
      sum += std::log(size);
      ++columns;
    }
  return columns > 0 ? std::exp(sum / columns) : 0;
}

bool JosephyNewton::write_direction(int index, Control& control) {
  linearise(proximal_term(index));
  linear_.scale = view_->scale;
  inner_control_.begin_part(control, 0);
  inner_control_.log_callback = nullptr;
  inner_control_.consider(z_);
  // Digits that rounding takes are not asked for: methods would spend all their iterations on them.
  const double floor = std::min(floor_share * map_.floor(z_), most_rounded * inner_control_.best_residual());
  if (floor > inner_control_.tolerance()) {
    inner_control_.begin_again(floor);
    inner_control_.consider(z_);
  }
  const double enough = inner_reduction * inner_control_.best_residual();
  const bool skew = M_.dense() != nullptr && is_mostly_skew(M_);
  for (const Inner& inner : inner_)
    if (!(skew && inner.left_out_if_skew) && solve_linearised(*inner.method, inner.budget) &&
        inner_control_.best_residual() <= enough) {
      for (std::size_t i = 0; i < z_.size(); ++i) direction_[i] = inner_control_.best()[i] - z_[i];
      return true;
    }
  return false;
}

// Puts a point before the inner control; false if the method cannot take the matrix.
bool JosephyNewton::solve_linearised(Method& method, std::int64_t budget) {
  try {
    method.update(Change::matrix);
  } catch (const Error&) {
    return false;
  }
  inner_control_.begin_stage(budget);
  std::copy(z_.begin(), z_.end(), solution_.begin());
  if (method.solve(solution_, inner_control_) != Stop::finished) inner_control_.consider(solution_);
  return true;
}

}  // namespace

std::unique_ptr<Method> make_hasty_josephy() { return std::make_unique<JosephyNewton>(true); }

extern const MethodEntry josephy_newton_method;
const MethodEntry josephy_newton_method{
    {sizeof(nsm_method_info), "josephy_newton",
     "Newton's method on the linearised complementarity problem, solved by any other method; proximal terms, restarts",
     "Josephy 1979; Dirkse and Ferris 1995; Ferris and Munson 2000",
     "strongly regular solutions from near by; monotone F with a solution, as far as the line search finds a way",
     nonlinear_classes, 500,
     "nonlinear complementarity and variational inequalities: the first choice, with fast local convergence and restarts"},
    &make_method<JosephyNewton>};

}  // namespace nonsmooth
