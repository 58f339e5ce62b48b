// The only file of the kernel that includes headers of the numerics library.
#include "problems/numerics_bridge.hpp"

#include <nonsmooth/nonsmooth.h>

#include <string_view>
#include <tuple>

namespace nonsmooth::kernel {
namespace {

void check(nsm_status status, const char* what) {
  if (status != NSM_OK) fail("%s: %s", what, nsm_last_error());
}

nsm_matrix view(const AssembledMatrix& M) {
  if (M.dense) return nsm_matrix_dense(M.size, M.size, M.values->data());
  const auto blocks = static_cast<std::int64_t>(M.start->size()) - 1;
  nsm_matrix result = nsm_matrix_block_csr(M.block_size, blocks, blocks, M.start->data(), M.column->data(), M.values->data());
  if (M.block_size == 0) {
    result.rows = result.cols = M.size;
    result.row_end = result.col_end = M.row_end->data();
  }
  return result;
}

nsm_matrix view(const SparseMatrix& M) {
  return nsm_matrix_csc(M.rows(), M.cols(), M.outerIndexPtr(), M.innerIndexPtr(), M.valuePtr());
}

struct ProblemHandle {
  nsm_problem* pointer = nullptr;
  ~ProblemHandle() { nsm_problem_free(&pointer); }
};

struct OptionsHandle {
  nsm_options* pointer = nullptr;
  ~OptionsHandle() { nsm_options_free(&pointer); }
};

int kindOf(GenericBlock block) {
  switch (block) {
    case GenericBlock::Equality: return NSM_BLOCK_EQUALITY;
    case GenericBlock::Complementarity: return NSM_BLOCK_COMPLEMENTARITY;
    case GenericBlock::Relay: return NSM_BLOCK_RELAY;
    case GenericBlock::Friction2D: return NSM_BLOCK_FRICTION_2D;
    case GenericBlock::Friction3D: return NSM_BLOCK_FRICTION_3D;
  }
  return NSM_BLOCK_EQUALITY;
}

nsm_class classOf(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::Lcp: return NSM_LCP;
    case ProblemKind::Mlcp: return NSM_MLCP;
    case ProblemKind::Relay: return NSM_RELAY;
    case ProblemKind::Avi: return NSM_AVI;
    case ProblemKind::Friction: return NSM_FRICTION;
    case ProblemKind::Rolling: return NSM_ROLLING;
    case ProblemKind::GlobalFriction: return NSM_GLOBAL_FRICTION;
    case ProblemKind::GlobalRolling: return NSM_GLOBAL_ROLLING;
    case ProblemKind::Generic: return NSM_GENERIC;
  }
  return NSM_CLASS_COUNT;
}

void createGeneric(const ProblemData& data, const nsm_matrix& M, const double* q, ProblemHandle& problem) {
  std::vector<std::int32_t> kinds;
  for (const GenericBlock kind : data.block_kind) kinds.push_back(kindOf(kind));
  check(nsm_problem_create_generic(&M, q, static_cast<std::int64_t>(kinds.size()), kinds.data(), data.block_size.data(),
                                   data.mu.data(), data.lo.data(), data.hi.data(), &problem.pointer),
        "generic mechanical problem");
}

void createGlobal(const ProblemData& data, const Vector& q, ProblemHandle& problem) {
  const nsm_matrix M = view(data.global_M), H = view(data.H);
  const Vector zero = Vector::Zero(data.global_M.rows());
  if (data.kind == ProblemKind::GlobalFriction)
    check(nsm_problem_create_global_friction(data.dimension, &M, &H, zero.data(), q.data(), data.mu.data(), nullptr, nullptr,
                                             &problem.pointer),
          "global friction problem");
  else
    check(nsm_problem_create_global_rolling(data.dimension, &M, &H, zero.data(), q.data(), data.mu.data(), data.mu_r.data(),
                                            nullptr, nullptr, &problem.pointer),
          "global rolling friction problem");
}

void create(const ProblemData& data, const Vector& q, ProblemHandle& problem) {
  nsm_problem** out = &problem.pointer;
  if (data.kind == ProblemKind::GlobalFriction || data.kind == ProblemKind::GlobalRolling) return createGlobal(data, q, problem);
  const nsm_matrix M = view(data.M);
  switch (data.kind) {
    case ProblemKind::Lcp: return check(nsm_problem_create_lcp(&M, q.data(), out), "LCP");
    case ProblemKind::Mlcp: return check(nsm_problem_create_mlcp(&M, q.data(), data.is_complementarity.data(), out), "MLCP");
    case ProblemKind::Relay: return check(nsm_problem_create_relay(&M, q.data(), data.lo.data(), data.hi.data(), out), "relay");
    case ProblemKind::Avi: {
      const nsm_matrix H = view(data.H);
      return check(nsm_problem_create_avi(&M, q.data(), &H, data.k.data(), nullptr, nullptr, out), "AVI");
    }
    case ProblemKind::Friction:
      return check(nsm_problem_create_friction(data.dimension, &M, q.data(), data.mu.data(), out), "friction problem");
    case ProblemKind::Rolling:
      return check(nsm_problem_create_rolling(data.dimension, &M, q.data(), data.mu.data(), data.mu_r.data(), out),
                   "rolling friction problem");
    case ProblemKind::Generic: return createGeneric(data, M, q.data(), problem);
    case ProblemKind::GlobalFriction:
    case ProblemKind::GlobalRolling: break;
  }
}

}  // namespace

struct NumericsSolver::Handles {
  nsm_solver* solver = nullptr;
  Vector z, w;  // of the numerics problem, whose last entries are ours
  bool fresh = false;
  bool learns = false;                    // the caller has left the method to us
  bool loose = false;                     // the tolerance
  std::string_view first_stage = "none";  // that `auto` was set up with
  std::string_view finished = "none";     // the stage that finished the last solve, if it is one to begin with; its budget
  std::int64_t budget = 1;
  ~Handles() { nsm_free(&solver); }
};

NumericsSolver::NumericsSolver() : handles_(std::make_unique<Handles>()) {}
NumericsSolver::~NumericsSolver() = default;

namespace {

// Of small problems a setup costs as much as what it could spare. Sweeps that are few go first anyway; many cost more than the
// second-order stages, and end by chance. To a loose tolerance proximal Newton steps cost so much more than an interior point
// that fails that this goes first in either case; to a tight one sweeps and steps from the start, of which it makes no use, end
// sooner.
constexpr Index smallest_learned = 1000;
constexpr double loose_tolerance = 1e-6;
constexpr std::int64_t many_sweeps = 100, most_sweeps = 2000, interior_iterations = 60;

void setOptions(const SolverChoice& choice, OptionsHandle& options) {
  check(nsm_options_create(&options.pointer), "options");
  for (const auto& [name, value] : choice.options) check(nsm_options_set(options.pointer, name.c_str(), value), name.c_str());
  for (const auto& [name, word] : choice.words)
    check(nsm_options_set_text(options.pointer, name.c_str(), word.c_str()), name.c_str());
}

}  // namespace

void NumericsSolver::checkChoice(const SolverChoice& choice, ProblemKind kind) {
  OptionsHandle options;
  setOptions(choice, options);
  if (choice.method.empty()) return;
  for (std::int64_t k = 0; k < nsm_method_count(); ++k) {
    nsm_method_info info{};
    info.struct_size = sizeof info;
    check(nsm_method_describe(k, &info), "methods");
    if (choice.method != info.name) continue;
    const nsm_class asked = classOf(kind);
    if ((info.classes >> asked & 1u) == 0)
      fail("method %s does not treat problems of class %s", info.name, nsm_class_name(asked));
    return;
  }
  fail("the numerics library has no method \"%s\" (nonsmooth methods lists them)", choice.method.c_str());
}

void NumericsSolver::setup(const ProblemData& data, const Vector& q, const SolverChoice& choice) {
  nsm_free(&handles_->solver);  // first: the new one finds its memory
  ProblemHandle problem;
  create(data, q, problem);
  OptionsHandle options;
  Handles& h = *handles_;
  h.learns = choice.method.empty();
  h.first_stage = h.finished;
  setOptions(choice, options);
  double tolerance = 0;
  check(nsm_options_get(options.pointer, "tolerance", &tolerance), "tolerance");
  h.loose = tolerance > loose_tolerance;
  if (h.learns) {
    check(nsm_options_set_text(options.pointer, "first_stage", h.first_stage.data()), "first_stage");
    check(nsm_options_set(options.pointer, "first_stage_iterations", static_cast<double>(h.budget)), "first_stage_iterations");
  }
  check(nsm_setup(problem.pointer, choice.method.empty() ? nullptr : choice.method.c_str(), options.pointer, &handles_->solver),
        "setup of the solver");
  handles_->z.setZero(nsm_problem_size(problem.pointer));
  handles_->w.setZero(handles_->z.size());
  handles_->fresh = true;
}

bool NumericsSolver::hasLearned() const { return handles_->first_stage != handles_->finished; }

void NumericsSolver::forget() { handles_->finished = "none"; }

namespace {

// The stage of `auto` to begin with where a solve ended like this one, and its budget.
std::pair<std::string_view, std::int64_t> learned(const ProblemData& data, Index rows, bool loose, const nsm_result& result) {
  const std::string_view stage = result.finished_by;
  if (data.mu.empty() || rows < smallest_learned || result.outcome != NSM_CONVERGED) return {"none", 1};
  if (loose && (stage == "friction_interior_point" || stage == "proximal_newton"))
    return {"friction_interior_point", interior_iterations};
  if (stage == "block_gauss_seidel" && result.iterations > many_sweeps && result.iterations <= most_sweeps)
    return {stage, 2 * result.iterations};
  return {"none", 1};
}

}  // namespace

SolveReport NumericsSolver::solve(const ProblemData& data, const Vector& q, bool values_changed, bool warm, Vector& z,
                                  Vector& w) {
  Handles& h = *handles_;
  const Index rows = q.size();
  if (warm)
    h.z.tail(rows) = z;
  else
    h.z.setZero();
  SolveReport report;
  std::int32_t outcome = NSM_CONVERGED;
  // A batch of one is update, start, solve and solution in one call, which allocates nothing of its own.
  const double* values = values_changed && !h.fresh ? data.M.values->data() : nullptr;
  check(nsm_solve_batch(h.solver, 1, values, q.data(), h.z.data(), h.w.data(), &outcome, &report.residual), "solve");
  h.fresh = false;
  z = h.z.tail(rows);
  w = h.w.tail(rows);
  nsm_result result = NSM_RESULT_INIT;
  check(nsm_last_result(h.solver, &result), "result");
  if (h.learns) std::tie(h.finished, h.budget) = learned(data, rows, h.loose, result);
  report.method = result.finished_by;
  report.iterations = static_cast<long>(result.iterations);
  report.certified = outcome == NSM_CONVERGED;
  report.outcome = nsm_outcome_name(static_cast<nsm_outcome>(outcome));
  report.size = rows;
  return report;
}

void NumericsSolver::write(const ProblemData& data, const Vector& q, const std::string& path) {
  ProblemHandle problem;
  create(data, q, problem);
  check(nsm_problem_write(problem.pointer, path.c_str(), nullptr), path.c_str());
}

}  // namespace nonsmooth::kernel
