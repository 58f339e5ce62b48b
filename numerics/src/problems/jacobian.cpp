#include "problems/jacobian.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "core/error.hpp"
#include "core/index.hpp"

namespace nonsmooth {
namespace {

// Of a Jacobian, which is dense or has compressed columns.
void copy_column(const Matrix& J, std::size_t j, std::span<double> column) {
  std::fill(column.begin(), column.end(), 0.0);
  if (const DenseMatrix* dense = J.dense()) {
    std::copy_n(dense->values.data() + j * column.size(), column.size(), column.begin());
    return;
  }
  const CscMatrix& sparse = *J.csc();
  for (std::int32_t k = sparse.col_start[j]; k < sparse.col_start[j + 1]; ++k)
    column[at(sparse.row_index[at(k)])] = sparse.values[at(k)];
}

constexpr double forward_step = 0x1p-26, central_step = 6e-6;  // square and cube root of eps
// Steps of 2^-26 are too long for what changes over the length of a smaller z, as demand does over that of a price. Derivatives
// are taken again for variables below the first, in rows of whose largest term they make up more than the second.
constexpr double largest_refined = 0x1p-7, least_refined_share = 0x1p-16;
constexpr double check_relative = 1e-4, check_absolute = 1e-6;  // differences have an error of about 1e-10 |F|

}  // namespace

void Jacobian::setup(const Inclusion& view) {
  F_ = view.F;
  matrix_ = F_->pattern;
  matrix_.own_values();  // not in the middle of a solve
  const auto n = at(F_->size());
  if (F_->jacobian != nullptr) given_.resize(F_->position.size());
  point_.resize(n);
  value_.resize(n);
  below_.resize(n);
  row_size_.resize(n);
  upper_.assign(n, HUGE_VAL);
  lower_.assign(n, -HUGE_VAL);
  for (const SetBlock& block : view.blocks)
    if (block.kind == SetKind::box) {
      lower_[at(block.start)] = block.a;
      upper_[at(block.start)] = block.b;
    }
  group_columns();
}

// Greedy, columns in order. A dense Jacobian has a group for every column.
void Jacobian::group_columns() {
  const CscMatrix* sparse = matrix_.csc();
  const auto n = at(F_->size());
  std::vector<IndexVector> groups;
  if (sparse == nullptr) {
    for (std::size_t j = 0; j < n; ++j) groups.push_back({static_cast<std::int32_t>(j)});
  } else {
    std::vector<IndexVector> groups_of_row(n);
    std::vector<std::size_t> taken_by;  // the last column that found the group taken
    for (std::size_t j = 0; j < n; ++j) {
      for (std::int32_t k = sparse->col_start[j]; k < sparse->col_start[j + 1]; ++k)
        for (std::int32_t g : groups_of_row[at(sparse->row_index[at(k)])]) taken_by[at(g)] = j + 1;
      std::size_t group = 0;
      while (group < groups.size() && taken_by[group] == j + 1) ++group;
      if (group == groups.size()) {
        groups.emplace_back();
        taken_by.push_back(0);
      }
      groups[group].push_back(static_cast<std::int32_t>(j));
      for (std::int32_t k = sparse->col_start[j]; k < sparse->col_start[j + 1]; ++k)
        groups_of_row[at(sparse->row_index[at(k)])].push_back(static_cast<std::int32_t>(group));
    }
  }
  group_.clear();
  group_start_.assign(1, 0);
  for (const IndexVector& columns : groups) {
    group_.insert(group_.end(), columns.begin(), columns.end());
    group_start_.push_back(static_cast<std::int32_t>(group_.size()));
  }
}

bool Jacobian::evaluate(std::span<const double> z, std::span<const double> w) {
  const bool has_callback = F_->jacobian != nullptr;
  if (has_callback && !by_callback(z)) return false;
  if (has_callback && find_not_finite(matrix_.values()) < 0) return true;
  return by_differences(z, w, has_callback) && find_not_finite(matrix_.values()) < 0;
}

bool Jacobian::by_callback(std::span<const double> z) {
  const std::span<double> values = matrix_.own_values();
  const bool same_order = F_->position.empty();
  double* target = same_order ? values.data() : given_.data();
  if (F_->jacobian(F_->user, F_->size(), z.data(), target) != 0) return false;
  if (!same_order)
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = given_[at(F_->position[k])];
  return true;
}

// All groups of columns, or those with an entry that is not finite.
bool Jacobian::by_differences(std::span<const double> z, std::span<const double> w, bool mends) {
  std::copy(z.begin(), z.end(), point_.begin());
  for (std::size_t g = 0; g + 1 < group_start_.size(); ++g) {
    if (mends && is_finite(g)) continue;
    if (!difference_group(g, z, w, 1) && !difference_group(g, z, w, -1)) return false;
  }
  if (mends) return true;
  measure_rows(z, w);
  for (std::size_t g = 0; g + 1 < group_start_.size(); ++g) refine_group(g, z);
  return true;
}

// The largest term of each row, F or a derivative times its variable.
void Jacobian::measure_rows(std::span<const double> z, std::span<const double> w) {
  for (std::size_t i = 0; i < w.size(); ++i) row_size_[i] = std::abs(w[i]);
  for_each_entry(matrix_, [&](std::int64_t i, std::int64_t j, double a) {
    row_size_[at(i)] = std::max(row_size_[at(i)], std::abs(a * z[at(j)]));
  });
}

bool Jacobian::is_finite(std::size_t group) const {
  const std::span<const double> values = matrix_.values();
  const CscMatrix* sparse = matrix_.csc();
  const std::size_t n = at(F_->size());
  for (std::int32_t k = group_start_[group]; k < group_start_[group + 1]; ++k) {
    const std::size_t j = at(group_[at(k)]);
    const std::size_t first = sparse == nullptr ? j * n : at(sparse->col_start[j]);
    const std::size_t last = sparse == nullptr ? first + n : at(sparse->col_start[j + 1]);
    if (find_not_finite(values.subspan(first, last - first)) >= 0) return false;
  }
  return true;
}

bool Jacobian::difference_group(std::size_t group, std::span<const double> z, std::span<const double> w, double direction) {
  const std::span<const std::int32_t> columns(group_.data() + group_start_[group], group_.data() + group_start_[group + 1]);
  for (std::int32_t j : columns) {
    const double step = forward_step * std::max(1.0, std::abs(z[at(j)]));
    point_[at(j)] = z[at(j)] + (z[at(j)] + step > upper_[at(j)] ? -direction : direction) * step;
  }
  const bool evaluated = F_->evaluate(point_, value_);
  const CscMatrix* sparse = matrix_.csc();
  double* values = matrix_.own_values().data();
  const std::int64_t n = F_->size();
  for (std::int32_t j : columns) {
    const double step = point_[at(j)] - z[at(j)];  // as it was rounded
    if (sparse == nullptr)
      for (std::int64_t i = 0; i < n; ++i) values[i + j * n] = (value_[at(i)] - w[at(i)]) / step;
    else
      for (std::int32_t k = sparse->col_start[at(j)]; k < sparse->col_start[at(j + 1)]; ++k) {
        const std::size_t i = at(sparse->row_index[at(k)]);
        values[k] = (value_[i] - w[i]) / step;
      }
    point_[at(j)] = z[at(j)];
  }
  return evaluated;
}

// Whether central differences relative to z are defined for this variable: they stay between its bounds.
bool Jacobian::is_refined(std::size_t j, std::span<const double> z) const {
  const double size = std::abs(z[j]), step = central_step * size;
  return size < largest_refined && step >= DBL_MIN && z[j] + step <= upper_[j] && z[j] - step >= lower_[j];
}

// Calls visit(row, value) for the stored entries of column j that the refined differences suit: they lose 1e-11 / share of an
// entry to rounding.
template <class Visit>
void Jacobian::for_each_rough_entry(std::size_t j, double z, Visit&& visit) {
  const CscMatrix* sparse = matrix_.csc();
  const std::size_t n = row_size_.size();
  const std::size_t first = sparse == nullptr ? j * n : at(sparse->col_start[j]);
  const std::size_t last = sparse == nullptr ? first + n : at(sparse->col_start[j + 1]);
  const std::span<double> values = matrix_.own_values();
  for (std::size_t k = first; k < last; ++k) {
    const std::size_t i = sparse == nullptr ? k - first : at(sparse->row_index[k]);
    if (std::abs(values[k] * z) > least_refined_share * row_size_[i]) visit(i, values[k]);
  }
}

// All stay as they are where F fails.
void Jacobian::refine_group(std::size_t group, std::span<const double> z) {
  const std::span<const std::int32_t> columns(group_.data() + group_start_[group], group_.data() + group_start_[group + 1]);
  bool rough = false;
  for (std::int32_t j : columns)
    if (is_refined(at(j), z)) for_each_rough_entry(at(j), z[at(j)], [&](std::size_t, double) { rough = true; });
  if (!rough) return;
  const auto evaluate_beside = [&](double direction, Vector& target) {
    for (std::int32_t j : columns)
      if (is_refined(at(j), z)) point_[at(j)] = z[at(j)] + direction * central_step * std::abs(z[at(j)]);
    return F_->evaluate(point_, target);
  };
  const bool evaluated = evaluate_beside(1, value_) && evaluate_beside(-1, below_);
  for (std::int32_t j : columns) point_[at(j)] = z[at(j)];
  if (!evaluated) return;
  for (std::int32_t column : columns) {
    const std::size_t j = at(column);
    if (!is_refined(j, z)) continue;
    const double step = central_step * std::abs(z[j]), width = (z[j] + step) - (z[j] - step);  // as they were rounded
    for_each_rough_entry(j, z[j], [&](std::size_t i, double& entry) { entry = (value_[i] - below_[i]) / width; });
  }
}

void check_jacobian(const Inclusion& view, std::span<const double> z) {
  const NonlinearFunction& F = *view.F;
  const bool has_callback = F.jacobian != nullptr;
  if (!has_callback && F.pattern.dense() != nullptr) return;
  const auto n = at(F.size());
  Vector w(n), above(n), below(n), column(n), point(z.begin(), z.end());
  if (!F.evaluate(z, w)) return;  // the methods deal with it
  Jacobian given;
  given.setup(view);
  if (has_callback && !given.evaluate_given(z))
    fail(NSM_NOT_FINITE, "jacobian fails at the starting point, where F can be evaluated");
  if (!has_callback && !given.evaluate(z, w)) return;
  for (std::size_t j = 0; j < n; ++j) {
    const double step = central_step * std::max(1.0, std::abs(z[j]));
    point[j] = z[j] + step;
    const double right = F.evaluate(point, above) ? point[j] : z[j];
    point[j] = z[j] - step;
    const double left = F.evaluate(point, below) ? point[j] : z[j];
    point[j] = z[j];
    if (right == left) continue;
    copy_column(given.matrix(), j, column);
    for (std::size_t i = 0; i < n; ++i) {
      const double difference = ((right > z[j] ? above[i] : w[i]) - (left < z[j] ? below[i] : w[i])) / (right - left);
      const double entry = column[i];
      const double allowed =
          check_relative * std::max(std::abs(entry), std::abs(difference)) + check_absolute * std::max(1.0, std::abs(w[i]));
      if (!(std::abs(entry - difference) <= allowed))  // of an infinity, infinity
        fail(std::isnan(entry) ? NSM_NOT_FINITE : NSM_INVALID_VALUE,
             "jacobian(%zu, %zu) is %.10g at the starting point, differences of F give %.10g", i, j, entry, difference);
    }
  }
}

}  // namespace nonsmooth
