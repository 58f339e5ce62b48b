#include "certificate/farkas.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "certificate/natural_map.hpp"

namespace nonsmooth {
namespace {

constexpr double largest_rest = 1e-9;  // that refine_proof takes on, relative to its terms
constexpr int refinement_steps = 300;

// The linear conditions A z >= sign b, lo <= z <= hi that any solution meets. Empty lo: 0; empty hi: infinite.
struct Conditions {
  const Matrix* A = nullptr;
  const Vector* b = nullptr;
  double sign = 1;
  const Vector *lo = nullptr, *hi = nullptr;  // nullptr: z >= 0 and no upper bound
};

Conditions conditions_of(const Inclusion& view) {
  if (view.blocks.size() == 1 && view.blocks[0].kind == SetKind::polyhedron) {
    const Polyhedron& set = *view.blocks[0].polyhedron;
    return {&set.H, &set.k, 1, &set.lo, &set.hi};
  }
  const auto is_orthant = [](const SetBlock& block) { return block.kind == SetKind::orthant; };
  if (view.F != nullptr || !std::all_of(view.blocks.begin(), view.blocks.end(), is_orthant)) return {};
  return {view.M, view.q, -1, nullptr, nullptr};
}

double bound_of(const Vector* bounds, std::size_t j, double if_none) {
  return bounds == nullptr || bounds->empty() ? if_none : (*bounds)[j];
}

// Of z_j where it limits v z_j above.
double bound_above(const Conditions& conditions, std::size_t j, double v) {
  return v > 0 ? bound_of(conditions.hi, j, HUGE_VAL) : bound_of(conditions.lo, j, conditions.lo == nullptr ? 0.0 : -HUGE_VAL);
}

// v = A'y, size = |A|'y.
void multiply_by_proof(const Matrix& A, std::span<const double> y, std::span<double> v, std::span<double> size) {
  std::fill(v.begin(), v.end(), 0.0);
  std::fill(size.begin(), size.end(), 0.0);
  multiply_transposed_add(A, 1.0, y, v);
  multiply_absolute_transposed_add(A, y, size);
}

double largest_of(std::span<const double> x) {
  double largest = 0;
  for (double entry : x) largest = std::max(largest, std::abs(entry));
  return largest;
}

// The least t with B t = rest, B = diag(weight) A' diag(y), by conjugate gradients on the least squares problem (Hestenes and
// Stiefel 1952).
class Refinement {
 public:
  static std::size_t workspace(std::size_t n, std::size_t rows) { return n + 4 * rows; }
  Refinement(const Matrix& A, std::span<const double> y, std::span<const double> weight, std::span<double> workspace)
      : A_(A),
        y_(y),
        weight_(weight),
        t_(workspace.subspan(0, y.size())),
        gradient_(workspace.subspan(y.size(), y.size())),
        direction_(workspace.subspan(2 * y.size(), y.size())),
        scaled_(workspace.subspan(3 * y.size(), y.size())),
        product_(workspace.subspan(4 * y.size(), weight.size())) {}

  std::span<const double> run(std::span<double> rest) {
    std::fill(t_.begin(), t_.end(), 0.0);
    std::fill(direction_.begin(), direction_.end(), 0.0);
    double last = HUGE_VAL;
    for (int k = 0; k < refinement_steps && largest_of(rest) > rounding_factor / 8; ++k) {
      const double length = multiply_transposed(rest);
      for (std::size_t i = 0; i < y_.size(); ++i) direction_[i] = gradient_[i] + length / last * direction_[i];
      const double square = multiply();
      if (!(square > 0)) break;
      for (std::size_t i = 0; i < y_.size(); ++i) t_[i] += length / square * direction_[i];
      for (std::size_t j = 0; j < rest.size(); ++j) rest[j] -= length / square * product_[j];
      last = length;
    }
    return t_;
  }

 private:
  // gradient = B' rest; its square.
  double multiply_transposed(std::span<const double> rest) {
    for (std::size_t j = 0; j < rest.size(); ++j) product_[j] = weight_[j] * rest[j];
    std::fill(gradient_.begin(), gradient_.end(), 0.0);
    multiply_add(A_, 1.0, product_, gradient_);
    for (std::size_t i = 0; i < y_.size(); ++i) gradient_[i] *= y_[i];
    return std::inner_product(gradient_.begin(), gradient_.end(), gradient_.begin(), 0.0);
  }
  // product = B direction; its square.
  double multiply() {
    for (std::size_t i = 0; i < y_.size(); ++i) scaled_[i] = y_[i] * direction_[i];
    std::fill(product_.begin(), product_.end(), 0.0);
    multiply_transposed_add(A_, 1.0, scaled_, product_);
    for (std::size_t j = 0; j < product_.size(); ++j) product_[j] *= weight_[j];
    return std::inner_product(product_.begin(), product_.end(), product_.begin(), 0.0);
  }

  const Matrix& A_;
  std::span<const double> y_, weight_;
  std::span<double> t_, gradient_, direction_, scaled_, product_;
};

}  // namespace

std::size_t infeasibility_size(const Inclusion& view) {
  const Conditions conditions = conditions_of(view);
  return conditions.A == nullptr ? 0 : conditions.b->size();
}

std::int64_t proof_size(const Problem& problem) noexcept {
  const auto rows_if = [](bool is_lcp, const Vector& q) { return is_lcp ? static_cast<std::int64_t>(q.size()) : 0; };
  return std::visit(
      [&]<class Data>(const Data& data) -> std::int64_t {
        if constexpr (std::is_same_v<Data, Lcp>) return rows_if(true, data.q);
        if constexpr (std::is_same_v<Data, Mlcp>) return rows_if(std::ranges::count(data.is_complementarity, 0) == 0, data.q);
        if constexpr (std::is_same_v<Data, Generic>)
          return rows_if(std::ranges::all_of(data.block_kind, [](auto kind) { return kind == NSM_BLOCK_COMPLEMENTARITY; }),
                         data.q);
        if constexpr (requires { data.set.H; }) return data.set.H.rows();
        return 0;
      },
      problem.data);
}

bool proves_infeasible(const Inclusion& view, std::span<const double> y, double tolerance, double violation,
                       std::span<double> workspace) {
  const Conditions conditions = conditions_of(view);
  const double y_norm = norm2(y);
  if (conditions.A == nullptr || !(y_norm > 0) || !std::isfinite(y_norm)) return false;
  for (double entry : y)
    if (entry < 0) return false;  // no tolerance: a negative entry can be set to 0 beforehand
  // v = A'y. Where z_j has the bound that limits v_j z_j above, that term is at most v_j times the bound; where it has none, v_j
  // must be 0 up to the rounding of its own sum. Anything more would be a bound on z only, which a problem with a solution,
  // however large, has too.
  const auto n = static_cast<std::size_t>(view.size());
  const std::span<double> v = workspace.first(n), size = workspace.subspan(n, n);
  multiply_by_proof(*conditions.A, y, v, size);
  double excess = 0, magnitude = 0;  // of y'b over the largest y'A z
  for (std::size_t j = 0; j < n; ++j) {
    const double bound = bound_above(conditions, j, v[j]);
    if (std::isfinite(bound)) {
      excess -= v[j] * bound;
      magnitude += size[j] * std::abs(bound);  // v_j is a sum with cancellation
    } else if (std::abs(v[j]) > rounding_factor * size[j]) {
      return false;
    }
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    excess += conditions.sign * (*conditions.b)[i] * y[i];
    magnitude += std::abs((*conditions.b)[i] * y[i]);
  }
  return excess > std::max(tolerance, rounding_factor) * magnitude && excess > violation * (y_norm + norm2(v));
}

std::size_t refinement_workspace(const Inclusion& view) {
  const auto n = static_cast<std::size_t>(view.size());
  return 2 * n + Refinement::workspace(n, infeasibility_size(view));
}

bool refine_proof(const Inclusion& view, std::span<double> y, std::span<double> workspace) {
  const Conditions conditions = conditions_of(view);
  if (conditions.A == nullptr) return false;
  const auto n = static_cast<std::size_t>(view.size());
  const std::span<double> v = workspace.first(n), size = workspace.subspan(n, n), rest = v, weight = size;
  multiply_by_proof(*conditions.A, y, v, size);
  for (std::size_t j = 0; j < n; ++j) {
    const bool is_bounded = std::isfinite(bound_above(conditions, j, 1)) && std::isfinite(bound_above(conditions, j, -1));
    const bool is_rest = !is_bounded && size[j] > 0 && std::abs(v[j]) <= largest_rest * size[j];
    if (!is_rest && !(v[j] == 0 || std::isfinite(bound_above(conditions, j, v[j])))) return false;
    rest[j] = is_rest ? -v[j] / size[j] : 0;
    weight[j] = is_rest ? 1 / size[j] : 0;
  }
  const std::span<const double> t = Refinement(*conditions.A, y, weight, workspace.subspan(2 * n)).run(rest);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] *= std::max(1 + t[i], 0.0);
  return true;
}

}  // namespace nonsmooth
