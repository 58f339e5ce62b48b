// Block Gauss-Seidel: every block's problem is solved exactly in turn with the others held fixed. For an LCP this is projected
// Gauss-Seidel (Cryer 1971), for friction NSGS (Jean and Moreau 1987; Jourdan, Alart and Jean 1998), for mixed blocks the generic
// mechanical solver.
//
// One loop for all of them, a template over the row access (uniform blocks of 1, 2, 3, 5 or any mixture) and over the one-block
// solver.
#include <algorithm>
#include <memory>
#include <variant>

#include "core/error.hpp"
#include "methods/block_rows.hpp"
#include "methods/method.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t stall_sweeps = 20000;  // without the best residual falling by stall_factor
constexpr double stall_factor = 0.99;
constexpr std::int64_t eager_checks = 4;  // the first sweeps are checked one by one: easy problems end early

struct SweepOptions {
  double relaxation, proximal;
  bool symmetric;
  std::int64_t check_interval;
};

// The one-block solver of any set, for mixtures.
class AnyBlockSolver {
 public:
  template <class Set>
  bool prepare(const Set& set, const double* W, double proximal) {
    return solver_.emplace<typename BlockSolverOf<Set>::Type>().prepare(set, W, proximal);
  }
  void solve(const double* q, double* z) {
    std::visit([&](auto& solver) { solver.solve(q, z); }, solver_);
  }
  void forget() {
    std::visit(
        [](auto& solver) {
          if constexpr (requires { solver.forget(); }) solver.forget();
        },
        solver_);
  }

 private:
  std::variant<Orthant::BlockSolver, Box::BlockSolver, FreeSpace::BlockSolver, CoulombBlockSolver2, CoulombBlockSolver3,
               RollingBlockSolver<1>, RollingBlockSolver<2>, SecondOrderCone::BlockSolver>
      solver_;
};

class Sweeper {
 public:
  virtual ~Sweeper() = default;
  virtual void load(const Inclusion& view) = 0;     // the matrix has changed
  virtual void prepare(const Inclusion& view) = 0;  // the sets have changed
  // Drops what the one-block solvers remember of earlier sweeps, so that equal starts give equal bits.
  virtual void forget() = 0;
  virtual void sweep(double* z, bool backwards) = 0;
};

template <class Rows, class BlockSolver>
class SweeperOf final : public Sweeper {
 public:
  SweeperOf(const Inclusion& view, const SweepOptions& options) : options_(options), solvers_(view.blocks.size()) {
    std::int32_t largest = 1;
    for (const SetBlock& block : view.blocks) largest = std::max(largest, block.size);
    q_.resize(static_cast<std::size_t>(largest));
    old_.resize(static_cast<std::size_t>(largest));
    rows_.setup(view);
    prepare(view);
  }

  void load(const Inclusion& view) override {
    rows_.load(view);
    prepare(view);
  }

  void forget() override {
    for (BlockSolver& solver : solvers_)
      if constexpr (requires { solver.forget(); }) solver.forget();
  }

  void prepare(const Inclusion& view) override {
    for (std::size_t b = 0; b < solvers_.size(); ++b) {
      bool usable = false;
      visit_set(view.blocks[b], [&](const auto& set) {
        if constexpr (requires { solvers_[b].prepare(set, rows_.diagonal(b), 0.0); })
          usable = solvers_[b].prepare(set, rows_.diagonal(b), options_.proximal);
      });
      if (!usable) fail(NSM_INVALID_VALUE, "block_gauss_seidel: the diagonal block of block %zu is singular", b);
    }
    if (options_.relaxation != 1.0) blocks_ = view.blocks;
  }

  void sweep(double* z, bool backwards) override {
    const std::size_t count = solvers_.size();
    if (options_.relaxation == 1.0) {
      for (std::size_t k = 0; k < count; ++k) solve_block(backwards ? count - 1 - k : k, z);
    } else {
      for (std::size_t k = 0; k < count; ++k) relax_block(backwards ? count - 1 - k : k, z);
    }
  }

 private:
  void solve_block(std::size_t b, double* z) {
    rows_.gather(b, z, q_.data());
    solvers_[b].solve(q_.data(), z + rows_.start(b));
  }

  // z <- P(z + omega (z_exact - z)).
  void relax_block(std::size_t b, double* z) {
    double* zb = z + rows_.start(b);
    const std::int32_t size = rows_.size(b);
    std::copy(zb, zb + size, old_.begin());
    solve_block(b, z);
    for (std::int32_t i = 0; i < size; ++i) {
      double& old = old_[static_cast<std::size_t>(i)];
      old += options_.relaxation * (zb[i] - old);
    }
    project(blocks_[b], old_.data(), zb);
  }

  SweepOptions options_;
  Rows rows_;
  std::vector<BlockSolver> solvers_;
  std::vector<SetBlock> blocks_;  // for over-relaxation only
  Vector q_, old_;
};

template <class Set, int D>
std::unique_ptr<Sweeper> uniform_sweeper(const Inclusion& view, const SweepOptions& options) {
  return std::make_unique<SweeperOf<UniformRows<D>, typename BlockSolverOf<Set>::Type>>(view, options);
}

std::unique_ptr<Sweeper> make_sweeper(const Inclusion& view, const SweepOptions& options) {
  const bool uniform = std::all_of(view.blocks.begin(), view.blocks.end(),
                                   [&](const SetBlock& block) { return block.kind == view.blocks.front().kind; });
  if (uniform && !view.blocks.empty()) switch (view.blocks.front().kind) {
      case SetKind::orthant: return uniform_sweeper<Orthant, 1>(view, options);
      case SetKind::box: return uniform_sweeper<Box, 1>(view, options);
      case SetKind::coulomb_2d: return uniform_sweeper<CoulombCone2, 2>(view, options);
      case SetKind::coulomb_3d: return uniform_sweeper<CoulombCone3, 3>(view, options);
      case SetKind::rolling_2d: return uniform_sweeper<RollingCone2, 3>(view, options);
      case SetKind::rolling_3d: return uniform_sweeper<RollingCone3, 5>(view, options);
      default: break;
    }
  return std::make_unique<SweeperOf<MixedRows, AnyBlockSolver>>(view, options);
}

class BlockGaussSeidel final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override {
    for (const SetBlock& block : view.blocks)
      if (block.kind == SetKind::polyhedron)
        fail(NSM_UNSUPPORTED, "block_gauss_seidel: a polyhedron {H z >= k} is no product of small sets; only boxes are treated");
    view_ = &view;
    options_ = {options.real(Option::relaxation), options.real(Option::proximal), options.flag(Option::symmetric_sweeps),
                options.integer(Option::check_interval)};
    sweeper_ = make_sweeper(view, options_);
  }

  void update(Change change) override {
    if (change == Change::matrix) sweeper_->load(*view_);
    if (change == Change::sets) sweeper_->prepare(*view_);
  }

  Stop solve(std::span<double> z, Control& control) override {
    // The start must lie in C: the one-block solvers' proximal terms assume it.
    for (const SetBlock& block : view_->blocks) project(block, z.data() + block.start, z.data() + block.start);
    sweeper_->forget();
    Stop stop = control.check(0, z);
    double milestone = control.best_residual();
    std::int64_t milestone_sweep = 0;
    for (std::int64_t k = 1; stop == Stop::none; ++k) {
      sweeper_->sweep(z.data(), options_.symmetric && k % 2 == 0);
      const bool due = k <= eager_checks || k % options_.check_interval == 0;
      stop = due ? control.check(k, z) : control.check_limits(k);
      if (control.best_residual() <= stall_factor * milestone) {
        milestone = control.best_residual();
        milestone_sweep = k;
      } else if (stop == Stop::none && k - milestone_sweep >= stall_sweeps) {
        stop = Stop::stalled;
      }
    }
    // The limit may have come between two checks.
    if (stop == Stop::iteration_limit || stop == Stop::time_limit || stop == Stop::cancelled) control.consider(z);
    return stop;
  }

 private:
  const Inclusion* view_ = nullptr;
  SweepOptions options_{};
  std::unique_ptr<Sweeper> sweeper_;
};

}  // namespace

extern const MethodEntry block_gauss_seidel_method;
const MethodEntry block_gauss_seidel_method{
    {sizeof(nsm_method_info), "block_gauss_seidel",
     "block Gauss-Seidel with exact one-block solves: PGS for LCP, NSGS for friction",
     "Cryer 1971; Jean and Moreau 1987; Jourdan, Alart and Jean 1998",
     "LCP and boxes: symmetric positive definite, strictly diagonally dominant or H+ matrices; friction: none proven, slow where "
     "W is singular",
     class_bit(NSM_LCP) | class_bit(NSM_MLCP) | class_bit(NSM_RELAY) | class_bit(NSM_AVI) | class_bit(NSM_QP) |
         class_bit(NSM_FRICTION) | class_bit(NSM_GLOBAL_FRICTION) | class_bit(NSM_ROLLING) | class_bit(NSM_GLOBAL_ROLLING) |
         class_bit(NSM_GENERIC) | class_bit(NSM_SOCLCP),
     200000},
    &make_method<BlockGaussSeidel>};

}  // namespace nonsmooth
