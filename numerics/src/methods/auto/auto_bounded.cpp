// Bounds alone:
//  - positive definite problems: a few exchanges of whole blocks;
//  - small enough to keep dense: pivoting, which is exact;
//  - sparse: multigrid if they are grids, else a few sweeps, active sets with sparse factorisations, an interior point method,
//  then
//    pivoting on sparse factors, which large ones sweep before: that tells the pivots where to start
//    (docs/decisions/0062-sparse-programmes.md).
// Where a sweep or a product with M costs far less than a factorisation, a few go first, and go on if they foretell an end that
// is near (sweep_budget.hpp). A few projected sweeps before the pivots of dense problems were tried: at n = 300 four of them cost
// as much as all of Lemke's pivots.
//
// Polyhedra: sparse ones by an interior point method, then by pivots on sparse factors; dense ones by pivots, then by the rest.

#include <algorithm>

#include "linalg/symmetry.hpp"
#include "linalg/tridiagonal_factor.hpp"
#include "methods/auto/auto_portfolios.hpp"
#include "methods/frame/equilibration.hpp"
#include "methods/newton/factorisation_price.hpp"
#include "methods/newton/linear_system.hpp"
#include "methods/pivoting/active_set_memory.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

// Measured crossovers of sparse factors and the dense tableau, on graphs without any locality:
// docs/decisions/0015-sparse-lemke.md.
constexpr std::int64_t longest_pivoted_row = 20, largest_pivoted_order = 50000;
constexpr std::int64_t sweeps_before_pivots = 1000, sparse_pivots_per_unknown = 4;
constexpr std::int64_t pivoted_paths = 2;  // pivots that cost as many solves by the interior point method go before it
constexpr std::int64_t few_equalities = 100;
constexpr std::int64_t monotone_pivots_per_unknown = 3;  // most paths are shorter; an interior point method knows no long ones
constexpr std::int64_t long_path = 100;                  // pivots an unknown: some paths of indefinite M go on for millions
constexpr std::int64_t smallest_exchanged_order = 16, few_bases = 16, exchanged_bases = 60;
// Definite matrices halve the number of wrong signs within two or three, as a rule (docs/decisions/0061-dense-problems.md).
constexpr double exchange_patience = 4, large_exchange_patience = 8;
constexpr std::int64_t largest_swept_dense_order = 32;  // the row copy of a dense matrix costs two eliminations of it
constexpr std::int64_t largest_enumerated_order = 32;   // the tree keeps n tableaux
constexpr std::int64_t enumeration_nodes = 200000;
// Beyond it the first nodes: where rows decide each other, as of triangular matrices, they suffice whatever the order.
constexpr std::int64_t largest_briefly_enumerated_order = 64, few_enumeration_nodes = 2000;
constexpr std::int64_t multigrid_steps = 60, sparse_exchanges = 100, sparse_central_steps = 60, central_steps = 200;
constexpr std::int64_t smallest_sparse_polyhedron = 300, largest_searched_polyhedron = 1000;
constexpr std::int64_t largest_newton_bounds = 300;       // sixty factorisations
constexpr std::int64_t largest_newton_polyhedron = 64;    // unknowns and multipliers: steps that cost less than the pivots did
constexpr std::int64_t smallest_aggregated_order = 2000;  // from here on active sets start from coarser problems
constexpr std::int64_t last_bounded_sweeps = 400, bounded_projections = 20, bounded_steps = 40, last_bounded_projections = 200;
constexpr double products_per_sweep = 4;
constexpr std::int64_t largest_factorised_block = 1000;  // as a last resort: a second
constexpr std::int64_t first_central_steps = 20;
constexpr std::int64_t smallest_condensed_order = 64, mostly_free_steps = 3;  // pivots take each free row by itself

const Stage bounded_sweeps{"block_gauss_seidel", first_sweeps, Extent::foretold, last_bounded_sweeps};
const Stage conjugate_steps{"projected_conjugate_gradient", bounded_steps, Extent::foretold, last_bounded_projections};
// A sweep of a large matrix costs far less than a factorisation even where hundreds have to follow.
const Stage large_sweeps{"block_gauss_seidel", 200, Extent::foretold, 3000};
// Where factors would not fit.
const Stage large_projections{.method = "accelerated_projected_gradient",
                              .budget = 20000,
                              .extent = Extent::halving,
                              .farthest = 4000,
                              .in_place_of_last = true};

// Linear programmes and games: few pivots, each of little work. Rows of equality take one each, whatever the solution; up to
// `few_equalities` that costs less than the factors of the interior point method.
bool is_mostly_skew_with_few_equalities(const Inclusion& view) {
  return count_free_rows(view) <= std::max(view.size() / 8, few_equalities) && is_mostly_skew(*view.M);
}

// Whether a sweep costs no more than some products with M: neighbouring free rows are one block of it, whose factors are dense.
bool has_small_blocks(const Inclusion& view) {
  double entries = 0;
  for (const SetBlock& block : view.blocks) entries += static_cast<double>(block.size) * block.size;
  return entries <= products_per_sweep * product_entries(view);
}

// Bounds alone, and sparse or large.
StageList sparse_stages(const Inclusion& view) {
  const std::int64_t n = view.size();
  const bool large = n > largest_dense_order, is_swept = has_small_blocks(view);
  const auto entries = static_cast<std::int64_t>(view.M->values().size());
  const bool may_be_grid = view.M->csc() == nullptr || !is_tridiagonal(*view.M->csc());
  const bool has_pivots = has_positive_diagonal(*view.M);  // without, neither sweeps nor exchanges get anywhere
  StageList stages;
  if (may_be_grid && has_pivots) {
    stages.push_back({"projected_multigrid", multigrid_steps});
    const bool symmetric = is_symmetric(*view.M);
    Stage sweeps = symmetric ? conjugate_steps : bounded_sweeps;
    sweeps.in_place_of_last = true;
    if (symmetric || is_swept) stages.push_back(sweeps);
  }
  // The factors of a large grid take minutes of memory traffic and gigabytes that its multigrid does not need.
  if (has_pivots)
    stages.push_back({.method = "active_set",
                      .budget = sparse_exchanges,
                      .afresh = n >= smallest_aggregated_order,
                      .in_place_of_last = may_be_grid});
  const Stage central_path{.method = "interior_point", .budget = sparse_central_steps, .needs = Definiteness::semidefinite};
  const bool pivots_first = is_mostly_skew_with_few_equalities(view);
  if (large && has_pivots && is_swept) stages.push_back(large_sweeps);
  if (!pivots_first) stages.push_back(central_path);
  if (!pivots_first && large && is_symmetric(*view.M)) stages.push_back(large_projections);
  if (n <= largest_pivoted_order && entries <= longest_pivoted_row * n) {
    if (large && has_pivots && is_swept) stages.push_back({"block_gauss_seidel", sweeps_before_pivots});
    const std::int64_t pivots = sparse_pivots_per_unknown * n;
    if (pivots_first)
      stages.push_back({.method = "sparse_lemke", .budget = pivoted_paths, .extent = Extent::rival, .farthest = pivots});
    if (pivots_first) stages.push_back(central_path);
    stages.push_back({"sparse_lemke", pivots});
  } else if (pivots_first) {
    stages.push_back(central_path);
  }
  if (!large) stages.push_back({"lemke", unlimited});
  if (!large && all_of_kind(view, {SetKind::orthant})) stages.push_back({"semismooth_newton", newton_steps});
  if (n <= largest_reflected) stages.push_back(reflections(n));
  if (is_swept || n <= largest_factorised_block) stages.push_back({"block_gauss_seidel", unlimited});
  return stages;
}

// Orthants and free rows, dense or nearly so.
StageList orthant_stages(const Inclusion& view) {
  const std::int64_t n = view.size();
  const Stage pivots{"lemke", unlimited}, tree{"enumeration", enumeration_nodes};
  if (n <= largest_searched_order) return {pivots, tree, {"semismooth_newton", near_steps}};
  const bool dense = view.M->dense() != nullptr;
  StageList stages;
  if (!dense && n >= smallest_sparse_order && has_small_blocks(view)) stages.push_back(bounded_sweeps);
  if (2 * count_free_rows(view) > n && n >= smallest_condensed_order) stages.push_back({"interior_point", mostly_free_steps});
  const bool may_be_exchanged = n >= smallest_exchanged_order;
  const std::int64_t bases = n <= largest_pivoted_first ? few_bases : exchanged_bases;
  const Stage exchanges{.method = "block_principal_pivoting",
                        .budget = bases,
                        .option = "patience",
                        .value = n <= largest_pivoted_first ? exchange_patience : large_exchange_patience,
                        .needs = Definiteness::definite,
                        .takes_signs = true};
  const bool mixed = !all_of_kind(view, {SetKind::orthant});  // bases that must hold the free rows are singular more often
  if (may_be_exchanged && !mixed) stages.push_back(exchanges);
  if (may_be_exchanged)
    stages.push_back({.method = "lemke", .budget = monotone_pivots_per_unknown * n, .needs = Definiteness::semidefinite});
  if (may_be_exchanged && mixed) stages.push_back(exchanges);
  if (may_be_exchanged)
    stages.push_back({.method = "interior_point", .budget = central_steps, .needs = Definiteness::semidefinite});
  const bool is_reflected = n <= largest_reflected;
  stages.push_back({"lemke", is_reflected ? long_path * n : unlimited});
  if (n <= largest_newton_bounds) stages.push_back({"semismooth_newton", near_steps});
  if (is_reflected) stages.push_back(reflections(n));
  if (is_reflected) stages.push_back(pivots);
  if (n <= largest_enumerated_order) stages.push_back(tree);
  if (!mixed) stages.push_back({"semismooth_newton", newton_steps});
  if (n > largest_enumerated_order && n <= largest_briefly_enumerated_order)
    stages.push_back({"enumeration", few_enumeration_nodes});
  if (n <= largest_redrawn) stages.push_back(drawn_starts("semismooth_newton", n));
  if (n <= largest_swept_dense_order || !dense) stages.push_back({"block_gauss_seidel", unlimited});
  return stages;
}

// Boxes beside orthants and free rows, dense.
StageList box_stages(const Inclusion& view) {
  StageList stages;
  // Rows of equality turn projections away from what they are to find.
  if (view.size() > ActiveSetMemory::largest_order && count_free_rows(view) == 0)
    stages.push_back({"projected_gradient", bounded_projections, Extent::foretold, last_bounded_projections});
  if (suits_central_path(view))
    stages.push_back({.method = "interior_point", .budget = first_central_steps, .needs = Definiteness::semidefinite});
  const bool is_reflected = view.size() <= largest_reflected;
  stages.push_back({"lemke", is_reflected ? long_path * view.size() : unlimited});
  stages.push_back({"interior_point", central_steps});
  if (view.size() <= largest_newton_bounds) stages.push_back({"semismooth_newton", near_steps});
  if (is_reflected) stages.push_back(reflections(view.size()));
  if (is_reflected) stages.push_back({"lemke", unlimited});
  if (view.size() <= largest_enumerated_order) stages.push_back({"enumeration", enumeration_nodes});
  if (view.size() <= largest_redrawn) stages.push_back(drawn_starts("semismooth_newton", view.size()));
  stages.push_back({"block_gauss_seidel", unlimited});
  return stages;
}

}  // namespace

StageList bounded_stages(const Inclusion& view) {
  if (view.size() > largest_dense_order || is_sparse(*view.M)) return sparse_stages(view);
  if (all_of_kind(view, {SetKind::orthant, SetKind::free_space})) return orthant_stages(view);
  return box_stages(view);
}

// Sparse systems with multipliers: some factorisations cost less than pivots, from some hundred on.
StageList polyhedron_stages(const Inclusion& view) {
  const std::int64_t order = Equilibration::order_of(view);
  StageList stages;
  if (order >= smallest_sparse_polyhedron && has_sparse_system(view)) {
    stages.push_back({.method = "interior_point", .budget = sparse_central_steps, .needs = Definiteness::semidefinite});
    stages.push_back({"sparse_lemke", sparse_pivots_per_unknown * order});
  }
  if (order <= largest_pivoted_order) stages.push_back({"lemke", unlimited});
  if (order <= largest_searched_polyhedron) stages.push_back({"cao_ferris", unlimited});
  stages.push_back({"interior_point", central_steps});
  // Where M is indefinite, paths end on rays beside solutions that Newton's steps reach, from there or from the start.
  if (order <= largest_newton_polyhedron) {
    stages.push_back({.method = "semismooth_newton", .budget = near_steps, .goes_on = true});
    stages.push_back({.method = "semismooth_newton", .budget = near_steps, .afresh = true});
  }
  if (order <= largest_reflected) stages.push_back(reflections(order));
  if (order <= largest_redrawn) stages.push_back(drawn_starts("semismooth_newton", order));
  return stages;
}

}  // namespace nonsmooth
