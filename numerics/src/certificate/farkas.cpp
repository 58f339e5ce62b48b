#include "certificate/farkas.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "certificate/natural_map.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

// What refinement takes on, relative to its terms: of a proof, and of motions, which are the square root of what W makes of them.
constexpr double largest_rest = 1e-9, largest_motion = 1e-6;
constexpr double least_factor = 1e-6;  // what shrinks as much had no part in it
constexpr int refinement_steps = 300;

// A z >= sign b and so on; rows: what y is dual to, empty: all of them >=; columns: C.
struct Conditions {
  const Matrix* A = nullptr;
  const Vector* b = nullptr;
  double sign = -1;
  std::span<const SetBlock> rows, columns;
};

bool is_orthant(const SetBlock& block) { return block.kind == SetKind::orthant; }
bool is_contact(const SetBlock& block) { return has_friction(block.kind); }
bool is_bounded_set(const SetBlock& block) { return is_box_or_disk(block.kind); }

// Of rows with a sign, equalities and contacts; a box or a disk says nothing of its rows.
bool has_linear_conditions(std::span<const SetBlock> blocks) {
  const auto is_known = [](const SetBlock& block) {
    return is_orthant(block) || is_contact(block) || block.kind == SetKind::free_space || is_bounded_set(block);
  };
  return std::ranges::all_of(blocks, is_known) &&
         (std::ranges::any_of(blocks, is_contact) || std::ranges::none_of(blocks, is_bounded_set));
}

bool has_linear_conditions(const Generic& problem) {
  const auto holds = [&](nsm_block_kind kind) { return std::ranges::count(problem.block_kind, kind) > 0; };
  return std::ranges::any_of(problem.block_kind, is_friction) || !(holds(NSM_BLOCK_RELAY) || holds(NSM_BLOCK_DISK));
}

Conditions conditions_of(const Inclusion& view) {
  if (view.blocks.size() == 1 && view.blocks[0].kind == SetKind::polyhedron) {
    const Polyhedron& set = *view.blocks[0].polyhedron;
    return {&set.H, &set.k, 1, {}, view.blocks};
  }
  if (view.F != nullptr || view.blocks.empty() || !has_linear_conditions(view.blocks)) return {};
  return {view.M, view.q, -1, view.blocks, view.blocks};
}

// G'v + b = 0 and the contacts of H'v + w, over all v.
class GlobalConditions {
 public:
  explicit GlobalConditions(const GlobalContactData& data)
      : A_(stacked(data), "[G'; H']"), b_(data.b), rows_(data.blocks()), columns_{rows_.front()} {
    b_.insert(b_.end(), data.w.begin(), data.w.end());
    rows_.erase(rows_.begin());
    for (SetBlock& block : rows_) block.start -= columns_[0].size;
  }
  Conditions view() const { return {&A_, &b_, -1, rows_, columns_}; }

 private:
  static CscMatrix stacked(const GlobalContactData& data) {
    IndexVector rows, columns;
    Vector values;
    const auto append = [&](const Matrix& A, std::int64_t first) {
      for_each_entry(A, [&](std::int64_t i, std::int64_t j, double a) {
        rows.push_back(static_cast<std::int32_t>(first + j));
        columns.push_back(static_cast<std::int32_t>(i));
        values.push_back(a);
      });
    };
    append(data.G, 0);
    append(data.H, data.bilateral_rows());
    return to_csc(Matrix::from_triplets(data.bilateral_rows() + data.H.cols(), data.dynamics_rows(), rows, columns, values, "H"));
  }

  Matrix A_;
  Vector b_;
  std::vector<SetBlock> rows_, columns_;
};

// Entry i of a block of C; of a contact what is said of each entry by itself, nothing.
struct Range {
  double lo = -HUGE_VAL, hi = HUGE_VAL;
  // Of z where it limits v z above.
  double above(double v) const { return v > 0 ? hi : lo; }
  bool is_bounded() const { return std::isfinite(lo) && std::isfinite(hi); }
};

Range range_of(const SetBlock& block, std::size_t i) {
  if (is_orthant(block)) return {0, HUGE_VAL};
  if (block.kind == SetKind::box) return {block.a, block.b};
  if (block.kind == SetKind::disk) return {-block.a, block.a};
  if (block.kind != SetKind::polyhedron) return {};
  return {block.polyhedron->low(i), block.polyhedron->high(i)};
}

// v'z <= 0 on the whole cone of a contact: v_N + mu |v_T| + mu_r |v_R| <= 0, since its cuts with r_N = 1 are products of disks.
bool is_in_polar(const SetBlock& block, const double* v) {
  if (!is_contact(block)) return false;
  const bool in_space = block.kind == SetKind::coulomb_3d || block.kind == SetKind::rolling_3d;
  const auto length = [&](int k) { return in_space ? std::hypot(v[k], v[k + 1]) : std::abs(v[k]); };
  const double rolling = rolls(block.kind) ? block.b * length(in_space ? 3 : 2) : 0;
  return v[0] + block.a * length(1) + rolling <= 0;
}

// visit(j, range) of every entry of v; those of a contact whose cone limits v'z by 0 have the range {0}.
template <class Visit>
void for_each_range(std::span<const SetBlock> columns, std::span<const double> v, Visit&& visit) {
  for (const SetBlock& block : columns) {
    const auto start = at(block.start), size = at(block.size);
    const bool is_limited = is_in_polar(block, &v[start]);
    for (std::size_t i = 0; i < size; ++i) visit(start + i, is_limited ? Range{0, 0} : range_of(block, i));
  }
}

// visit(y_i, may_be_positive, may_be_negative) of every row.
template <class Entries, class Visit>
void for_each_row(std::span<const SetBlock> rows, Entries&& y, Visit&& visit) {
  if (rows.empty())
    for (auto& entry : y) visit(entry, true, false);
  for (const SetBlock& block : rows)
    for (std::int32_t i = 0; i < block.size; ++i) {
      const bool is_free = block.kind == SetKind::free_space;
      visit(y[at(block.start + i)], is_free || is_orthant(block) || (is_contact(block) && i == 0), is_free);
    }
}

// size += what the terms of A'y are known up to the rounding of. Entries for contacts are sums themselves, as large as rows and
// columns allow: W = H'K^-1 H is known up to sqrt(W_ii W_jj), H up to the largest of a column, so that what should be 0 and is
// 1e-17 is no pivot of a proof. factors: an entry per row.
void add_sizes(const Conditions& conditions, std::span<const double> y, std::span<double> size, std::span<double> factors) {
  const Matrix& A = *conditions.A;
  if (std::ranges::none_of(conditions.rows, is_contact)) return multiply_absolute_transposed_add(A, y, size);
  const bool is_square = conditions.rows.data() == conditions.columns.data();
  std::ranges::fill(factors, 0.0);
  for_each_entry(A, [&](std::int64_t i, std::int64_t j, double a) {
    double& factor = factors[at(i)];
    if (!is_square)
      factor = std::max(factor, std::abs(a));
    else if (i == j)
      factor = std::sqrt(std::abs(a));
  });
  for_each_entry(A, [&](std::int64_t i, std::int64_t j, double a) {
    const auto row = at(i), column = at(j);
    const double known_to = factors[row] * (is_square ? factors[column] : 1);
    if (a != 0) size[column] += std::max(std::abs(a), known_to) * std::abs(y[row]);
  });
}

// v = A'y and its size.
void multiply_by_proof(const Conditions& conditions, std::span<const double> y, std::span<double> v, std::span<double> size,
                       std::span<double> factors) {
  std::ranges::fill(v, 0.0);
  std::ranges::fill(size, 0.0);
  multiply_transposed_add(*conditions.A, 1.0, y, v);
  add_sizes(conditions, y, size, factors);
}

// How much of y'A z the columns without a bound can make up, v z_j each, at points whose floor is at most largest_floor. From row
// i of M z + q or H'z + w, |A_ij||z_j| adds to the floor, and |z_j| of a contact. Joints have no floor, nor have half-spaces.
// norms: an entry per column.
double unbounded_part(const Conditions& conditions, std::span<const double> v, double largest_floor, std::span<double> norms) {
  if (conditions.rows.empty()) return 0;
  const bool is_square = conditions.rows.data() == conditions.columns.data();
  const auto first_row = std::ranges::find_if(
      conditions.rows, [&](const SetBlock& block) { return is_square || block.kind != SetKind::free_space; });
  const std::int64_t first = first_row == conditions.rows.end() ? conditions.A->rows() : first_row->start;
  std::ranges::fill(norms, 0.0);
  for_each_entry(*conditions.A, [&](std::int64_t i, std::int64_t j, double a) {
    double& norm = norms[at(j)];
    if (i >= first) norm = std::hypot(norm, a);
  });
  for (const SetBlock& block : conditions.columns)
    for (std::int32_t i = 0; is_contact(block) && i < block.size; ++i) {
      double& norm = norms[at(block.start + i)];
      norm = std::hypot(norm, 1.0);
    }
  double part = 0;
  for_each_range(conditions.columns, v, [&](std::size_t j, Range range) {
    if (v[j] != 0 && !std::isfinite(range.above(v[j])) && norms[j] > 0) part += std::abs(v[j]) / norms[j];
  });
  return part * largest_floor / rounding_factor;
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
    for (int k = 0; k < refinement_steps && norm_inf(rest) > rounding_factor / 8; ++k) {
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

bool proves(const Conditions& conditions, std::span<const double> y, double tolerance, double violation, double largest_floor,
            std::span<double> workspace) {
  const double y_norm = norm2(y);
  if (!(y_norm > 0) || !std::isfinite(y_norm)) return false;
  bool has_signs = true;  // no tolerance: what is wrong can be set to 0 beforehand
  for_each_row(conditions.rows, y, [&](double entry, bool may_be_positive, bool may_be_negative) {
    if ((entry > 0 && !may_be_positive) || (entry < 0 && !may_be_negative)) has_signs = false;
  });
  if (!has_signs) return false;
  // v = A'y. Where z_j has the bound that limits v_j z_j above, that term is at most v_j times the bound; where it has none, v_j
  // must be 0 up to the rounding of its own sum. Anything more would be a bound on z only, which a problem with a solution,
  // however large, has too. Rounding is such a bound as well: no z within it may have a verdict.
  const auto n = at(conditions.A->cols());
  const std::span<double> v = workspace.first(n), size = workspace.subspan(n, n);
  const std::span<double> rest = workspace.subspan(2 * n);
  multiply_by_proof(conditions, y, v, size, rest.first(y.size()));
  double excess = 0, magnitude = 0;  // of y'b over the largest y'A z
  bool is_limited = true;
  for_each_range(conditions.columns, v, [&](std::size_t j, Range range) {
    const double bound = range.above(v[j]);
    if (std::isfinite(bound)) {
      excess -= v[j] * bound;
      magnitude += size[j] * std::abs(bound);  // v_j is a sum with cancellation
    } else if (std::abs(v[j]) > rounding_factor * size[j]) {
      is_limited = false;
    }
  });
  if (!is_limited) return false;
  for (std::size_t i = 0; i < y.size(); ++i) {
    excess += conditions.sign * (*conditions.b)[i] * y[i];
    magnitude += std::abs((*conditions.b)[i] * y[i]);
  }
  excess -= unbounded_part(conditions, v, largest_floor, rest.first(n));
  return excess > std::max(tolerance, rounding_factor) * magnitude && excess > violation * (y_norm + norm2(v));
}

bool refine(const Conditions& conditions, std::span<double> y, double largest, std::span<double> workspace) {
  const auto n = at(conditions.A->cols());
  const std::span<double> v = workspace.first(n), size = workspace.subspan(n, n), rest = v, weight = size;
  multiply_by_proof(conditions, y, v, size, workspace.subspan(2 * n, y.size()));
  bool is_near = true;
  for_each_range(conditions.columns, v, [&](std::size_t j, Range range) {
    const bool is_rest = !range.is_bounded() && size[j] > 0 && std::abs(v[j]) <= largest * size[j];
    if (!is_rest && !(v[j] == 0 || std::isfinite(range.above(v[j])))) is_near = false;
    rest[j] = is_rest ? -v[j] / size[j] : 0;
    weight[j] = is_rest ? 1 / size[j] : 0;
  });
  if (!is_near) return false;
  const std::span<const double> t = Refinement(*conditions.A, y, weight, workspace.subspan(2 * n)).run(rest);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] *= 1 + t[i] > least_factor ? 1 + t[i] : 0;
  return true;
}

}  // namespace

std::size_t infeasibility_size(const Inclusion& view) {
  const Conditions conditions = conditions_of(view);
  return conditions.A == nullptr ? 0 : conditions.b->size();
}

// Without the view, which takes memory.
std::int64_t proof_size(const Problem& problem) noexcept {
  return std::visit(
      []<class Data>(const Data& data) -> std::int64_t {
        if constexpr (std::is_base_of_v<GlobalContactData, Data>) return data.bilateral_rows() + data.H.cols();
        if constexpr (std::is_same_v<Data, Generic>) return has_linear_conditions(data) ? std::ssize(data.q) : 0;
        if constexpr (requires { data.set.H; }) return data.set.H.rows();
        if constexpr (std::is_same_v<Data, Lcp> || std::is_same_v<Data, Mlcp> || std::is_same_v<Data, Friction> ||
                      std::is_same_v<Data, Rolling>)
          return std::ssize(data.q);
        if constexpr (std::is_same_v<Data, Soclcp>) return data.is_lcp() ? std::ssize(data.q) : 0;
        if constexpr (std::is_same_v<Data, Plasticity>) return data.is_coulomb() ? std::ssize(data.q) : 0;
        return 0;
      },
      problem.data);
}

std::int64_t required_proof_size(const Problem& problem) {
  const std::int64_t size = proof_size(problem);
  if (size == 0)
    fail(NSM_UNSUPPORTED, "there are no proofs of infeasibility for this %s: see nsm_infeasibility_size",
         nsm_class_name(problem.problem_class()));
  return size;
}

bool proves_infeasible(const Inclusion& view, std::span<const double> y, double tolerance, double violation,
                       std::span<double> workspace) {
  const Conditions conditions = conditions_of(view);
  const double floor = std::max(largest_meaningful_floor * view.scale, violation);
  return conditions.A != nullptr && proves(conditions, y, tolerance, violation, floor, workspace);
}

bool proves_infeasible(const Problem& problem, std::span<const double> y, double tolerance) {
  const auto n = at(problem.size());
  Vector workspace(2 * n + std::max(n, y.size()));
  if (const GlobalContactData* global = global_data(problem))
    return proves(GlobalConditions(*global).view(), y, tolerance, 0, largest_meaningful_floor * residual_scale(global->w),
                  workspace);
  return proves_infeasible(local_inclusion(problem), y, tolerance, 0, workspace);
}

void clip_proof(const Inclusion& view, std::span<double> y) {
  for_each_row(conditions_of(view).rows, y, [](double& entry, bool may_be_positive, bool may_be_negative) {
    if ((entry > 0 && !may_be_positive) || (entry < 0 && !may_be_negative)) entry = 0;
  });
}

std::size_t proof_workspace(const Inclusion& view) {
  const auto n = at(view.size());
  return 2 * n + std::max(n, infeasibility_size(view));
}

std::size_t refinement_workspace(const Inclusion& view) {
  const auto n = at(view.size());
  return 2 * n + Refinement::workspace(n, infeasibility_size(view));
}

bool refine_proof(const Inclusion& view, std::span<double> y, std::span<double> workspace) {
  const Conditions conditions = conditions_of(view);
  return conditions.A != nullptr && refine(conditions, y, largest_rest, workspace);
}

bool complete_global_proof(const GlobalContactData& data, std::span<double> y, double tolerance) {
  const GlobalConditions conditions(data);
  const auto n = at(data.dynamics_rows());
  const double violation = tolerance * std::max(residual_scale(data.w), residual_scale(data.b));
  Vector workspace(2 * n + Refinement::workspace(n, y.size()));
  const double floor = residual_scale(data.w) * std::max(largest_meaningful_floor, tolerance);
  const auto is_proof = [&] { return proves(conditions.view(), y, proof_tolerance, violation, floor, workspace); };
  return is_proof() || (refine(conditions.view(), y, largest_motion, workspace) && is_proof());
}

}  // namespace nonsmooth
