// One loop for all sets, a template over the row access (uniform blocks of 1, 2, 3, 5 or any mixture) and over the one-block
// solver.
#include "methods/sweeps/block_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <type_traits>
#include <variant>

#include "core/error.hpp"
#include "core/index.hpp"
#include "core/prefetch.hpp"
#include "core/workers.hpp"
#include "methods/frame/iteration.hpp"
#include "methods/sweeps/block_rows.hpp"
#include "methods/sweeps/body_rows.hpp"
#include "methods/sweeps/change_rows.hpp"
#include "methods/sweeps/over_relaxation.hpp"
#include "sets/coulomb_lanes.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double largest_growth = 2, little_progress = 0.99;  // of the residual, between two halvings of Jacobi's relaxation
constexpr std::int64_t cycle_sweeps = 200;
// Of the bytes per sweep, bodies : W. Measured on piles of spheres and stacks of boxes: sweeps over bodies are bound by latency,
// those over W by its bytes.
constexpr double break_even = 0.38;
// Contacts, and contacts in a group on average, from which on they are solved in groups.
constexpr std::int64_t smallest_grouped = 64, least_filled = 3;
constexpr double most_padded = 1.5;  // rows of a group as long as its longest : as long as they are
// Blocks of W per contact up to which its rows stay in double precision: impulses die out along strings of contacts, and Newton's
// method, which comes next there, tells a contact with 1e-50 from one with 0.
constexpr std::size_t most_of_a_string = 4;

template <class BlockSolver>
BlockCondition condition_of(const BlockSolver& solver) {
  if constexpr (requires { solver.condition(); })
    return solver.condition();
  else
    return BlockCondition::definite;
}

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
  BlockCondition condition() const {
    return std::visit([](const auto& solver) { return condition_of(solver); }, solver_);
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
               RollingBlockSolver<1>, RollingBlockSolver<2>, DilatantBlockSolver, SecondOrderCone::BlockSolver, DiskBlockSolver>
      solver_;
};

// How many blocks that are not coupled a solver solves at once.
template <class BlockSolver>
constexpr std::size_t width_of = [] {
  if constexpr (requires { BlockSolver::width; })
    return BlockSolver::width;
  else
    return std::size_t{1};
}();

// Rows of W of all contacts of a group.
template <class Rows>
concept HasLaneRows = requires(Rows rows) {
  rows.lane_rows(std::size_t{});
};

// Rows that keep velocities beside the reactions.
template <class Rows>
concept KeepsVelocities = requires(Rows rows, const double* z) {
  rows.read(z);
};

template <class Rows, class BlockSolver>
class SweeperOf final : public Sweeper {
 public:
  SweeperOf(const Inclusion& view, const SweepOptions& options, SweepOrder order)
      : options_(options), workers_(view.workers), order_(std::move(order)) {
    std::int32_t largest = 1;
    for (const SetBlock& block : view.blocks) largest = std::max(largest, block.size);
    solvers_.resize(first_group(order_.slabs()));
    scratch_ = width * std::max(at(largest), stride) + line;
    for (Vector* v : {&q_, &old_}) v->resize(scratch_ * order_.slabs());
    if constexpr (requires(BlockSolver solver) { solver.choose(options.contact_solver); })
      for (BlockSolver& solver : solvers_) solver.choose(options_.contact_solver);
    if (options_.simultaneous) start_.resize(at(view.size()));
    if (over_relaxes()) {
      if constexpr (width > 1)
        over_relaxation_.resize(solvers_.size() * width, solvers_.size() * width * 3);
      else
        over_relaxation_.resize(view.blocks.size(), at(view.size()));
    }
    rows_.setup(view, order_);
    prepare(view);
  }

  void load(const Inclusion& view) override {
    rows_.load(view);
    prepare(view);
  }

  void start(double* z) override {
    resume(z);
    if constexpr (requires { rows_.begin(); }) rows_.begin();
    relaxation_ = options_.relaxation;
    if (over_relaxes()) over_relaxation_.begin();
    for (BlockSolver& solver : solvers_)
      if constexpr (requires { solver.forget(); }) solver.forget();
  }

  void resume(double* z) override {
    project(blocks_, z, z);
    sweeps_ = 0;
  }

  void damp() override { relaxation_ *= 0.5; }

  void observe(double residual) override {
    if (over_relaxes()) over_relaxation_.observe(residual);
  }

  void prepare(const Inclusion& view) override {
    regularised_ = ambiguous_ = {};
    blocks_.resize(view.blocks.size());
    const auto note = [](Finding& finding, std::size_t b) {
      finding = {finding.count + 1, finding.count == 0 ? b : std::min(b, finding.first)};
    };
    for (std::size_t g = 0; g < solvers_.size(); ++g)
      for (std::size_t k = first_place(g); k < first_place(g + 1); ++k) {
        const auto b = at(order_.blocks()[k]);
        blocks_[k] = view.blocks[b];
        const std::optional<BlockCondition> condition = prepare_block(g, k, blocks_[k]);
        if (!condition) fail(NSM_UNSUPPORTED, "sweeps: the diagonal block of block %zu is singular or negative", b);
        if (*condition == BlockCondition::regularised) note(regularised_, b);
        if (*condition == BlockCondition::ambiguous) note(ambiguous_, b);
      }
  }

  void sweep(double* z, bool backwards) override {
    const double* source = z;
    if (options_.simultaneous) {
      std::copy(z, z + start_.size(), start_.begin());
      source = start_.data();
    }
    if constexpr (KeepsVelocities<Rows>)
      if (options_.simultaneous || Rows::reads_before(sweeps_++)) rows_.read(z);
    const bool relaxes = over_relaxes() ? width == 1 : relaxation_ != 1.0;
    // Even slabs, then odd ones, or the other way round.
    const auto slabs = static_cast<std::int64_t>(order_.slabs());
    for (std::int64_t half = 0; half < std::min<std::int64_t>(slabs, 2); ++half) {
      const std::int64_t first = backwards && slabs > 1 ? 1 - half : half;
      run_tasks(workers_, (slabs - first + 1) / 2, [&](std::int64_t k) {
        const auto slab = at(first + 2 * k);
        !relaxes ? sweep_slab<false>(slab, source, z, backwards) : sweep_slab<true>(slab, source, z, backwards);
      });
    }
  }

 private:
  static constexpr std::size_t blocks_ahead = 16;
  static constexpr std::size_t line = 16;  // doubles that keep the scratch of two threads in lines of their own
  static constexpr std::size_t width = width_of<BlockSolver>, stride = 4;
  // Contacts of one size, whose order need not be that of the problem.
  static constexpr bool reorders = requires(Rows rows) { requires(Rows::size(0) > 1); };

  bool over_relaxes() const { return options_.acceleration == Acceleration::over_relaxation; }

  std::size_t first_group(std::size_t slab) const {
    if constexpr (width > 1) return order_.first_group(slab);
    return order_.begin(slab);
  }
  std::size_t first_place(std::size_t group) const {
    if constexpr (width > 1) return order_.first_place(group);
    return group;
  }

  // Nothing if the diagonal block is singular.
  std::optional<BlockCondition> prepare_block(std::size_t group, std::size_t place, const SetBlock& block) {
    std::optional<BlockCondition> condition;
    const auto prepare_one = [&](auto& solver) {
      visit_set(block, [&](const auto& set) {
        if constexpr (requires { solver.prepare(set, rows_.diagonal(place), 0.0); })
          if (solver.prepare(set, rows_.diagonal(place), options_.proximal)) condition = condition_of(solver);
      });
    };
    if constexpr (width == 1) {
      prepare_one(solvers_[group]);
    } else {
      typename BlockSolver::OneBlock one;
      prepare_one(one);
      solvers_[group].set(place - first_place(group), one);
    }
    return condition;
  }

  template <bool RELAXED>
  void sweep_slab(std::size_t slab, const double* source, double* z, bool backwards) {
    double *q = q_.data() + slab * scratch_, *old = old_.data() + slab * scratch_;
    const std::size_t begin = first_group(slab), end = first_group(slab + 1);
    const auto group = [&](std::size_t k) { return backwards ? begin + end - 1 - k : k; };
    for (std::size_t k = begin; k < end; ++k) {
      if constexpr (reorders)
        if (k + blocks_ahead / width < end) fetch(group(k + blocks_ahead / width), source);
      update_group<RELAXED>(group(k), source, z, q, old);
    }
  }

  // The order of the sweep is not that of the memory, and the solution of a block ends where it is hard to foresee: processors do
  // not fetch early by themselves.
  void fetch(std::size_t group, const double* source) const {
    const auto* solver = reinterpret_cast<const char*>(&solvers_[group]);
    for (std::size_t offset = 0; offset < sizeof(BlockSolver); offset += 64) fetch_line(solver + offset);
    for (std::size_t k = first_place(group); k < first_place(group + 1); ++k) rows_.fetch(k, source);
  }

  // q and old: `stride` numbers for each block of the group.
  template <bool RELAXED>
  void update_group(std::size_t group, const double* source, double* z, double* q, double* old) {
    const std::size_t first = first_place(group), count = first_place(group + 1) - first;
    const bool by_lanes = HasLaneRows<Rows> && !options_.simultaneous;  // else all velocities have just been read
    double *blocks[width], *given[width];
    for (std::size_t k = 0; k < count; ++k) {
      blocks[k] = z + rows_.start(first + k);
      given[k] = q + k * stride;
      if constexpr (RELAXED || (KeepsVelocities<Rows> && !HasLaneRows<Rows>))
        for (std::int32_t i = 0; i < rows_.size(first + k); ++i) old[k * stride + at(i)] = blocks[k][i];
      if (!by_lanes) rows_.gather(first + k, source, given[k]);
    }
    if constexpr (width == 1) {
      solvers_[group].solve(q, blocks[0]);
    } else {
      for (std::size_t k = count; k < width; ++k) {
        given[k] = q + k * stride;
        blocks[k] = old + k * stride;
        *given[k] = 1;  // an open contact
      }
      const LaneCreep creep = over_relaxes() ? over_relaxation_.lanes(group) : LaneCreep{};
      const LaneCreep* const pushed = over_relaxes() ? &creep : nullptr;
      if (!by_lanes) lanes_.solve(solvers_[group], given, blocks, pushed);
      if constexpr (HasLaneRows<Rows>)
        if (by_lanes) lanes_.solve_rows(solvers_[group], rows_.lane_rows(group), blocks, pushed);
    }
    for (std::size_t k = 0; k < count; ++k) {
      if constexpr (RELAXED) relax(first + k, old + k * stride, blocks[k]);
      if constexpr (HasLaneRows<Rows>) {
        if constexpr (RELAXED) rows_.change(first + k, blocks[k]);
      } else if constexpr (KeepsVelocities<Rows>) {
        if (!options_.simultaneous) rows_.change(first + k, old + k * stride, blocks[k]);
      }
    }
  }

  // z <- P(z_old + omega (z - z_old)).
  void relax(std::size_t k, const double* old, double* zb) {
    const auto size = at(rows_.size(k));
    const double factor =
        over_relaxes() ? over_relaxation_.factor(k, reorders ? k * size : at(rows_.start(k)), size, old, zb) : relaxation_;
    if (factor == 1.0) return;
    for (std::size_t i = 0; i < size; ++i) zb[i] = old[i] + factor * (zb[i] - old[i]);
    project(blocks_[k], zb, zb);
  }

  SweepOptions options_;
  Workers* workers_;
  SweepOrder order_;
  Rows rows_;
  std::vector<BlockSolver> solvers_;  // of groups, or of blocks, in this order
  const CoulombLanes& lanes_ = coulomb_lanes();
  std::vector<SetBlock> blocks_;  // in this order too
  double relaxation_ = 1;
  std::int64_t sweeps_ = 0;
  std::size_t scratch_ = 0;  // of each slab in the next two
  Vector q_, old_, start_;
  OverRelaxation over_relaxation_;
};

// Whether a sweep over the bodies costs less than one over the rows of W.
bool sweeps_bodies(const Inclusion& view, const SweepOptions& options) {
  if (view.bodies == nullptr || options.always_bodies) return view.bodies != nullptr;
  return static_cast<double>(view.bodies->bytes()) <= break_even * static_cast<double>(view.bodies->matrix_bytes());
}

template <int D, class BlockSolver>
std::unique_ptr<Sweeper> uniform_sweeper(const Inclusion& view, const SweepOptions& options, SweepOrder order) {
  if constexpr (D > 1)
    if (sweeps_bodies(view, options))
      return visit_body_size<D>(*view.bodies, [&]<int DIMENSION, int N>() -> std::unique_ptr<Sweeper> {
        return std::make_unique<SweeperOf<BodyRows<DIMENSION, N>, BlockSolver>>(view, options, std::move(order));
      });
  const auto make = [&]<class Rows>(std::type_identity<Rows>) -> std::unique_ptr<Sweeper> {
    return std::make_unique<SweeperOf<Rows, BlockSolver>>(view, options, std::move(order));
  };
  if constexpr (width_of<BlockSolver> != 1)
    if (view.M->values().size() > 9 * most_of_a_string * view.blocks.size()) return make(std::type_identity<ChangeRows>());
  return make(std::type_identity<UniformRows<D>>());
}

// Whether the rows of W of each group can be filled up to the longest of them.
bool rows_fit(const Matrix& M, const SweepOrder& order) {
  const IndexVector blocks = count_blocks_per_row(M, 3);
  std::int64_t padded = 0;
  for (std::size_t g = 0; g < order.groups(); ++g) {
    std::int32_t longest = 0;
    for (std::size_t k = order.first_place(g); k < order.first_place(g + 1); ++k)
      longest = std::max(longest, blocks[at(order.blocks()[k])]);
    padded += std::int64_t{longest} * static_cast<std::int64_t>(CoulombLanesSolver3::width);
  }
  return static_cast<double>(padded) <= most_padded * std::accumulate(blocks.begin(), blocks.end(), 0.0);
}

// Rows with a third of all blocks leave hardly three contacts that are not coupled: looking for them would cost more than sweeps.
bool couples_most(const Matrix& M, std::int64_t contacts) {
  return static_cast<std::int64_t>(M.values().size()) > 9 * contacts * contacts / least_filled;
}

// Groups of contacts to be solved at once, where that pays: few contacts in a group take as long as many.
bool find_groups(const Inclusion& view, const SweepOptions& options, SweepOrder& order) {
  const auto contacts = static_cast<std::int64_t>(view.blocks.size());
  if (contacts < smallest_grouped) return false;
  const bool bodies = sweeps_bodies(view, options);
  if (!bodies && (view.M->dense() != nullptr || couples_most(*view.M, contacts))) return false;
  order.set_slabs(view, 3, static_cast<std::int32_t>(CoulombLanesSolver3::width));
  return static_cast<std::int64_t>(order.groups()) * least_filled <= contacts && (bodies || rows_fit(*view.M, order));
}

template <class Set, int D>
std::unique_ptr<Sweeper> uniform_sweeper_of(const Inclusion& view, const SweepOptions& options) {
  SweepOrder order;
  if constexpr (std::is_same_v<Set, CoulombCone3>)
    if (options.contact_solver == ContactSolver::exact && find_groups(view, options, order))
      return uniform_sweeper<D, CoulombLanesSolver3>(view, options, std::move(order));
  if constexpr (D > 1)
    order.set_slabs(view, D);
  else
    order.set_natural(view.blocks.size());
  if constexpr (std::is_same_v<Set, CoulombCone2> || std::is_same_v<Set, CoulombCone3>)
    if (options.contact_solver != ContactSolver::exact)
      return uniform_sweeper<D, IteratedContactSolver<D>>(view, options, std::move(order));
  return uniform_sweeper<D, typename BlockSolverOf<Set>::Type>(view, options, std::move(order));
}

}  // namespace

std::unique_ptr<Sweeper> make_sweeper(const Inclusion& view, const SweepOptions& options) {
  const bool uniform = std::all_of(view.blocks.begin(), view.blocks.end(),
                                   [&](const SetBlock& block) { return block.kind == view.blocks.front().kind; });
  const bool coulomb = uniform && !view.blocks.empty() &&
                       (view.blocks.front().kind == SetKind::coulomb_2d || view.blocks.front().kind == SetKind::coulomb_3d);
  if (options.contact_solver != ContactSolver::exact && !coulomb)
    fail(NSM_UNSUPPORTED, "block_solver: only problems of Coulomb contacts of one dimension have others than exact");
  if (uniform && !view.blocks.empty()) switch (view.blocks.front().kind) {
      case SetKind::orthant: return uniform_sweeper_of<Orthant, 1>(view, options);
      case SetKind::box: return uniform_sweeper_of<Box, 1>(view, options);
      case SetKind::coulomb_2d: return uniform_sweeper_of<CoulombCone2, 2>(view, options);
      case SetKind::coulomb_3d: return uniform_sweeper_of<CoulombCone3, 3>(view, options);
      case SetKind::rolling_2d: return uniform_sweeper_of<RollingCone2, 3>(view, options);
      case SetKind::rolling_3d: return uniform_sweeper_of<RollingCone3, 5>(view, options);
      default: break;
    }
  SweepOrder order;
  order.set_natural(view.blocks.size());
  return std::make_unique<SweeperOf<MixedRows, AnyBlockSolver>>(view, options, std::move(order));
}

void BlockSweep::setup(const Inclusion& view, const Options& options) {
  refuse_polyhedra(view, name_);
  view_ = &view;
  options_ = {.relaxation = options.real(Option::relaxation),
              .proximal = options.real(Option::proximal),
              .symmetric = options.flag(Option::symmetric_sweeps),
              .simultaneous = simultaneous_,
              .contact_solver = options.choice<ContactSolver>(Option::block_solver)};
  if (!simultaneous_ && options_.relaxation == 1) options_.acceleration = options.choice<Acceleration>(Option::acceleration);
  check_interval_ = options.integer(Option::check_interval);
  sweeper_ = make_sweeper(view, options_);
  conjugate_ = options_.acceleration == Acceleration::conjugate;
  if (conjugate_) acceleration_.resize(at(view.size()));
}

Stop Sweeper::burst(std::span<double> z, Control& control, std::int64_t sweeps, std::int64_t check_interval,
                    std::int64_t& iteration) {
  start(z.data());
  for (std::int64_t k = 1; k <= sweeps; ++k) {
    sweep(z.data(), false);
    ++iteration;
    const bool checks = k % check_interval == 0;
    const Stop stop = checks ? control.check(iteration, z) : control.check_limits(iteration);
    if (stop != Stop::none) return stop;
    if (checks) observe(control.residual());
  }
  return Stop::none;
}

void BlockSweep::update(Change change) {
  if (change == Change::matrix) sweeper_->load(*view_);
  if (change == Change::sets) sweeper_->prepare(*view_);
}

void BlockSweep::report(const Control& control) const {
  if (const auto& found = sweeper_->regularised(); found.count > 0)
    control.log("%s: block %zu is singular or indefinite and gets a proximal term; %zu of them", name_, found.first, found.count);
  if (const auto& found = sweeper_->ambiguous(); found.count > 0)
    control.log("%s: block %zu: W_NN <= mu |W_NT|: the contact may have no or several solutions (Painleve); %zu of them", name_,
                found.first, found.count);
}

Stop BlockSweep::solve(std::span<double> z, Control& control) {
  report(control);
  acceleration_.begin();
  sweeper_->start(z.data());
  double reference = HUGE_VAL;
  std::int64_t last_progress = 0;
  return iterate(z, control, check_interval_, [&](std::int64_t k) {
    // Simultaneous steps overshoot where blocks are strongly coupled: a residual that grows, or stays in a cycle, asks for
    // shorter ones.
    const double residual = control.residual();
    const bool overshoots = residual > largest_growth * reference || k - last_progress > cycle_sweeps;
    if (simultaneous_ && overshoots) sweeper_->damp();
    if (overshoots || residual < little_progress * reference) {
      reference = residual;
      last_progress = k;
    }
    if (k > 1 && (k - 1) % check_interval_ == 0) sweeper_->observe(residual);
    if (conjugate_) acceleration_.remember(z);
    sweeper_->sweep(z.data(), options_.symmetric && k % 2 == 0);
    if (conjugate_ && acceleration_.extrapolate(z)) sweeper_->resume(z.data());
    return Stop::none;
  });
}

}  // namespace nonsmooth
