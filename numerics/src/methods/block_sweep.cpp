// One loop for all sets, a template over the row access (uniform blocks of 1, 2, 3, 5 or any mixture) and over the one-block
// solver.
#include "methods/block_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <variant>

#include "core/error.hpp"
#include "methods/block_rows.hpp"
#include "methods/iteration.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double growth_limit = 2, progress = 0.99;  // of the residual, between two halvings of Jacobi's relaxation
constexpr std::int64_t cycle_sweeps = 200;

// The one-block solver of any set, for mixtures.
class AnyBlockSolver {
 public:
  template <class Set>
  bool prepare(const Set& set, const double* W, double proximal) {
    using Solver = typename BlockSolverOf<Set>::Type;
    Solver* held = std::get_if<Solver>(&solver_);  // keeps its memory
    return (held != nullptr ? *held : solver_.emplace<Solver>()).prepare(set, W, proximal);
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
               RollingBlockSolver<1>, RollingBlockSolver<2>, SecondOrderCone::BlockSolver, DiskBlockSolver>
      solver_;
};

template <class Rows, class BlockSolver>
class SweeperOf final : public Sweeper {
 public:
  SweeperOf(const Inclusion& view, const SweepOptions& options) : options_(options), solvers_(view.blocks.size()) {
    std::int32_t largest = 1;
    for (const SetBlock& block : view.blocks) largest = std::max(largest, block.size);
    q_.resize(static_cast<std::size_t>(largest));
    old_.resize(static_cast<std::size_t>(largest));
    if (options_.simultaneous) start_.resize(static_cast<std::size_t>(view.size()));
    rows_.setup(view);
    prepare(view);
  }

  void load(const Inclusion& view) override {
    rows_.load(view);
    prepare(view);
  }

  void forget() override {
    relaxation_ = options_.relaxation;
    for (BlockSolver& solver : solvers_)
      if constexpr (requires { solver.forget(); }) solver.forget();
  }

  void damp() override { relaxation_ *= 0.5; }

  void prepare(const Inclusion& view) override {
    for (std::size_t b = 0; b < solvers_.size(); ++b) {
      bool usable = false;
      visit_set(view.blocks[b], [&](const auto& set) {
        if constexpr (requires { solvers_[b].prepare(set, rows_.diagonal(b), 0.0); })
          usable = solvers_[b].prepare(set, rows_.diagonal(b), options_.proximal);
      });
      if (!usable) fail(NSM_INVALID_VALUE, "the diagonal block of block %zu is singular", b);
    }
    blocks_ = view.blocks;
  }

  void sweep(double* z, bool backwards) override {
    const std::size_t count = solvers_.size();
    const double* source = z;
    if (options_.simultaneous) {
      std::copy(z, z + start_.size(), start_.begin());
      source = start_.data();
    }
    if (relaxation_ == 1.0) {
      for (std::size_t k = 0; k < count; ++k) solve_block(backwards ? count - 1 - k : k, source, z);
    } else {
      for (std::size_t k = 0; k < count; ++k) relax_block(backwards ? count - 1 - k : k, source, z);
    }
  }

 private:
  void solve_block(std::size_t b, const double* source, double* z) {
    rows_.gather(b, source, q_.data());
    solvers_[b].solve(q_.data(), z + rows_.start(b));
  }

  // z <- P(z + omega (z_exact - z)).
  void relax_block(std::size_t b, const double* source, double* z) {
    double* zb = z + rows_.start(b);
    const std::int32_t size = rows_.size(b);
    std::copy(zb, zb + size, old_.begin());
    solve_block(b, source, z);
    for (std::int32_t i = 0; i < size; ++i) {
      double& old = old_[static_cast<std::size_t>(i)];
      old += relaxation_ * (zb[i] - old);
    }
    project(blocks_[b], old_.data(), zb);
  }

  SweepOptions options_;
  Rows rows_;
  std::vector<BlockSolver> solvers_;
  std::vector<SetBlock> blocks_;
  double relaxation_ = 1;
  Vector q_, old_, start_;
};

template <class Set, int D>
std::unique_ptr<Sweeper> uniform_sweeper(const Inclusion& view, const SweepOptions& options) {
  return std::make_unique<SweeperOf<UniformRows<D>, typename BlockSolverOf<Set>::Type>>(view, options);
}

}  // namespace

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

void BlockSweep::setup(const Inclusion& view, const Options& options) {
  for (const SetBlock& block : view.blocks)
    if (block.kind == SetKind::polyhedron)
      fail(NSM_UNSUPPORTED, "%s: a polyhedron {H z >= k} is no product of small sets; only boxes are treated", name_);
  view_ = &view;
  options_ = {options.real(Option::relaxation), options.real(Option::proximal), options.flag(Option::symmetric_sweeps),
              simultaneous_, options.integer(Option::check_interval)};
  sweeper_ = make_sweeper(view, options_);
}

void BlockSweep::update(Change change) {
  if (change == Change::matrix) sweeper_->load(*view_);
  if (change == Change::sets) sweeper_->prepare(*view_);
}

Stop BlockSweep::solve(std::span<double> z, Control& control) {
  // The start must lie in C: the one-block solvers' proximal terms assume it.
  for (const SetBlock& block : view_->blocks) project(block, z.data() + block.start, z.data() + block.start);
  sweeper_->forget();
  double reference = HUGE_VAL;
  std::int64_t last_progress = 0;
  return iterate(z, control, options_.check_interval, [&](std::int64_t k) {
    // Simultaneous steps overshoot where blocks are strongly coupled: a residual that grows, or stays in a cycle, asks for
    // shorter ones.
    const double residual = control.residual();
    const bool overshoots = residual > growth_limit * reference || k - last_progress > cycle_sweeps;
    if (simultaneous_ && overshoots) sweeper_->damp();
    if (overshoots || residual < progress * reference) {
      reference = residual;
      last_progress = k;
    }
    sweeper_->sweep(z.data(), options_.symmetric && k % 2 == 0);
    return Stop::none;
  });
}

}  // namespace nonsmooth
