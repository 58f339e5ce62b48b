// Enumeration of complementary bases for LCP and mixed LCP, depth first, with pruning: a branch ends as soon as one row of its
// tableau cannot be satisfied, and rows that leave only one choice decide it (implicit enumeration, cf. Al-Khayyal 1987; Judice
// and Faustino 1988). Exact up to rounding for any M; exponential where pruning finds nothing. A leaf whose basis is singular is
// settled by non-negative least squares on its complementary columns. Can count all isolated solutions.
#include <algorithm>
#include <cfloat>
#include <cmath>

#include "certificate/farkas.hpp"
#include "core/checked.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/dense_factor.hpp"
#include "linalg/nnls.hpp"
#include "methods/frame/equilibration.hpp"
#include "methods/frame/infeasibility.hpp"
#include "methods/frame/method.hpp"
#include "methods/pivoting/box_expansion.hpp"
#include "methods/pivoting/enumeration_tableau.hpp"
#include "methods/pivoting/planar_expansion.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t default_nodes = 2'000'000;
constexpr std::int64_t largest_tableau_entries = 100'000'000;  // over all levels of the tree: 800 MB
constexpr double settled_residual = 1e-9;  // of q: a singular leaf whose least squares leave more has no solution
constexpr double same_solution = 1e-7;     // relative distance below which two solutions count as one

class Enumeration final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change) override {}  // everything is read again by solve
  bool updates_in_place() const override { return true; }
  Stop solve(std::span<double> z, Control& control) override;
  std::span<const double> infeasibility_ray() const override { return ray_; }
  std::int64_t solution_count() const override { return found_; }
  std::int64_t stored_solutions() const override { return stored_; }
  std::span<const double> stored_solution(std::int64_t index) const override {
    return std::span<const double>(solutions_).subspan(at(index * unknowns_), at(unknowns_));
  }

 private:
  struct Level {
    EnumerationTableau tableau;
    int variable = -1;           // branched on below this level
    bool second_branch = false;  // w = 0 is tried first where its row is violated; this tells which remains
  };
  Stop search(std::span<double> z, Control& control);
  bool descend(std::size_t& depth);
  bool backtrack(std::size_t& depth);
  bool try_leaf(const EnumerationTableau& tableau, std::span<double> z, Control& control);
  bool solve_on_support(const EnumerationTableau& tableau, std::span<double> scaled);
  bool solve_singular(const EnumerationTableau& tableau, std::span<double> scaled, Control& control);
  void remember(std::span<const double> z);

  BoxExpansion boxes_;
  std::int64_t unknowns_ = 0;  // of the problem; n_ of the mixed LCP that it is expanded to
  int n_ = 0;
  bool proves_ = false;
  bool all_ = false;
  Stop interruption_ = Stop::none;  // in the middle of a leaf
  std::int64_t nodes_ = 0, found_ = 0, stored_ = 0, limit_ = 0;
  EquilibratedLcp lcp_;
  std::vector<Level> levels_;
  std::vector<char> is_free_, column_is_free_;
  std::vector<int> support_;
  DenseFactor lu_;
  NonnegativeLeastSquares nnls_;
  InfeasibilitySearch infeasibility_;
  Vector point_, scaled_, rhs_, residual_, solutions_, columns_, minus_q_;
  std::span<const double> ray_;
};

void Enumeration::setup(const Inclusion& original, const Options& options) {
  refuse_polyhedra(original, "enumeration");
  unknowns_ = original.size();
  const std::int64_t order = BoxExpansion::order_of(original);
  refuse_beyond(1000, order, "enumeration");
  boxes_.setup(original);
  const Inclusion& view = boxes_.inclusion();
  n_ = static_cast<int>(view.size());
  const auto n = at(n_);
  is_free_.assign(n, 0);
  for (const SetBlock& block : view.blocks)
    if (block.kind == SetKind::free_space) std::fill_n(is_free_.begin() + block.start, block.size, char{1});
  const auto choices = static_cast<std::int64_t>(n) - std::count(is_free_.begin(), is_free_.end(), 1);
  const std::int64_t entries = (choices + 1) * view.size() * view.size();
  if (entries > largest_tableau_entries)
    fail(NSM_TOO_LARGE, "enumeration: %lld complementarities among %d unknowns need %lld MB", static_cast<long long>(choices), n_,
         static_cast<long long>(entries / 125000));
  lcp_.resize(n_);
  levels_.resize(at(choices) + 1);
  for (Level& level : levels_) level.tableau.resize(n_);
  lu_.resize(n_);
  nnls_.resize(n_, n_);
  proves_ = infeasibility_size(original) > 0;
  if (proves_) infeasibility_.resize(n_);
  support_.reserve(n);
  column_is_free_.resize(n);
  columns_.resize(n);
  for (Vector* v : {&scaled_, &rhs_, &residual_, &minus_q_}) v->resize(n);
  all_ = options.flag(Option::all_solutions);
  limit_ = all_ ? options.integer(Option::solution_limit) : 1;
  point_.resize(n);
  solutions_.resize(at(unknowns_ * limit_));
}

// Solves on the support by LU with one step of refinement; false if the basis is singular or a value has the wrong sign.
bool Enumeration::solve_on_support(const EnumerationTableau& tableau, std::span<double> scaled) {
  support_.clear();
  for (int j = 0; j < n_; ++j)
    if (tableau.is_supported(j)) support_.push_back(j);
  const int k = static_cast<int>(support_.size());
  for (int c = 0; c < k; ++c)
    for (int r = 0; r < k; ++r) lu_.matrix()[at(r + c * k)] = lcp_.column(support_[at(c)])[support_[at(r)]];
  if (!lu_.factorise(k)) return false;
  std::fill(scaled.begin(), scaled.end(), 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    for (int r = 0; r < k; ++r) {
      const int i = support_[at(r)];
      double sum = lcp_.q()[at(i)];
      for (int j : support_) sum += lcp_.column(j)[i] * scaled[at(j)];
      rhs_[at(r)] = -sum;
    }
    lu_.solve(rhs_.data());
    for (int c = 0; c < k; ++c) scaled[at(support_[at(c)])] += rhs_[at(c)];
  }
  for (int j : support_)
    if (!is_free_[at(j)]) scaled[at(j)] = std::max(0.0, scaled[at(j)]);
  return true;
}

// w - M z = q with z on the support, w off it, all of the right sign: least squares tells whether there is one.
bool Enumeration::solve_singular(const EnumerationTableau& tableau, std::span<double> scaled, Control& control) {
  std::fill(nnls_.matrix().begin(), nnls_.matrix().end(), 0.0);
  for (int j = 0; j < n_; ++j) {
    double* column = nnls_.matrix().data() + std::ptrdiff_t{j} * n_;
    if (tableau.is_supported(j))
      for (int i = 0; i < n_; ++i) column[i] = -lcp_.column(j)[i];
    else
      column[j] = 1;
    column_is_free_[at(j)] = is_free_[at(j)];
  }
  const double residual = nnls_.solve(n_, n_, lcp_.q(), column_is_free_, columns_, [&] {
    interruption_ = control.check_limits(nodes_ - 1);  // the node is counted already
    return interruption_ == Stop::none;
  });
  if (residual > settled_residual * norm2(lcp_.q())) return false;
  for (int j = 0; j < n_; ++j) scaled[at(j)] = tableau.is_supported(j) ? columns_[at(j)] : 0.0;
  return true;
}

bool Enumeration::try_leaf(const EnumerationTableau& tableau, std::span<double> z, Control& control) {
  auto certified = [&] {
    lcp_.unscale(scaled_, point_);
    boxes_.to_original(point_, z);
    return control.check(nodes_, z) == Stop::finished;
  };
  if (tableau.is_complementary_solution() && solve_on_support(tableau, scaled_) && certified()) return true;
  return solve_singular(tableau, scaled_, control) && certified();
}

void Enumeration::remember(std::span<const double> z) {
  for (std::int64_t s = 0; s < stored_; ++s) {
    const std::span<const double> other = stored_solution(s);
    double distance = 0, size = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      distance = std::max(distance, std::abs(z[i] - other[i]));
      size = std::max(size, std::abs(other[i]));
    }
    if (distance <= same_solution * std::max(size, DBL_MIN)) return;
  }
  ++found_;
  if (stored_ < limit_) std::copy(z.begin(), z.end(), solutions_.begin() + stored_++ * unknowns_);
}

// Opens the next level below `depth`; false if its tableau has nothing left to branch on.
bool Enumeration::descend(std::size_t& depth) {
  Level& level = levels_[depth];
  level.variable = level.tableau.branching_variable();
  if (level.variable < 0) return false;
  level.second_branch = false;
  levels_[depth + 1].tableau = level.tableau;  // same sizes: no allocation
  levels_[++depth].tableau.decide_zero_w(level.variable);
  return true;
}

// Goes back to the deepest level with a branch left and takes it; false if the tree is exhausted.
bool Enumeration::backtrack(std::size_t& depth) {
  while (depth > 0) {
    Level& parent = levels_[depth - 1];
    if (!parent.second_branch) {
      parent.second_branch = true;
      levels_[depth].tableau = parent.tableau;
      levels_[depth].tableau.decide_zero_z(parent.variable);
      return true;
    }
    --depth;
  }
  return false;
}

Stop Enumeration::search(std::span<double> z, Control& control) {
  levels_[0].tableau.load([&](int j) { return lcp_.column(j); }, lcp_.q(), is_free_);
  std::size_t depth = 0;
  for (;;) {
    if (const Stop stop = control.check_limits(nodes_++); stop != Stop::none) return stop;
    EnumerationTableau& tableau = levels_[depth].tableau;
    bool open = tableau.propagate() == EnumerationTableau::State::open;
    const bool is_tried = open && !all_ && tableau.is_complementary_solution();
    if (is_tried && try_leaf(tableau, z, control)) {
      remember(z);
      return Stop::finished;
    }
    if (open && !descend(depth)) {
      if (!is_tried && try_leaf(tableau, z, control)) {
        remember(z);
        if (!all_) return Stop::finished;
      }
      open = false;
    }
    if (interruption_ != Stop::none) return interruption_;
    if (!open && !backtrack(depth)) return Stop::none;
  }
}

Stop Enumeration::solve(std::span<double> z, Control& control) {
  nodes_ = found_ = stored_ = 0;
  interruption_ = Stop::none;
  ray_ = {};
  boxes_.load();
  const Inclusion& view = boxes_.inclusion();
  lcp_.load(view, EquilibratedLcp::Kind::symmetric);
  const Stop stop = search(z, control);
  if (stop != Stop::none) return stop;
  if (found_ > 0) {
    std::copy_n(solutions_.begin(), unknowns_, z.begin());
    return Stop::finished;
  }
  // Exhausted without a solution. For an LCP there may be a proof that even w >= 0, z >= 0 is impossible.
  if (proves_) ray_ = infeasibility_.find(lcp_, view, control);
  if (!ray_.empty()) return Stop::infeasible;
  control.log("enumeration: all complementary bases were examined (%lld nodes): no solution up to rounding",
              static_cast<long long>(nodes_));
  return Stop::stalled;
}

}  // namespace

extern const MethodEntry enumeration_method;
const MethodEntry enumeration_method{
    {sizeof(nsm_method_info), "enumeration", "implicit enumeration of complementary bases with pruning; can list all solutions",
     "Al-Khayyal 1987; Judice and Faustino 1988",
     "any M, for a few dozen complementarities; exponential in the worst case; friction in the plane",
     linear_classes | coulomb_classes, default_nodes,
     "up to some 30 unknowns: finds a solution if there is one, whatever the matrix, and all isolated ones with `all_solutions`; "
     "exponential beyond"},
    []() { return with_planar_friction(std::make_unique<Enumeration>(), "enumeration", default_nodes); }};

}  // namespace nonsmooth
