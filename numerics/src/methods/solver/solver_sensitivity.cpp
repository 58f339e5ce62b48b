// Derivatives of the last solution, in the unknowns of the problem.
#include <algorithm>

#include "core/error.hpp"
#include "core/index.hpp"
#include "methods/solver/solver.hpp"
#include "problems/problem_values.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

// Place in mu of every block of the view that reads it, contacts and disks, else -1.
IndexVector places_in_mu(const Problem& problem, std::span<const SetBlock> blocks) {
  const Generic* generic = std::get_if<Generic>(&problem.data);
  IndexVector places(blocks.size(), -1);
  std::int32_t place = 0, start = 0;  // of the present block of the problem, its first row
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    while (generic != nullptr && start < blocks[b].start) start += generic->block_size[at(place++)];
    if (!may_slide(blocks[b].kind)) continue;
    places[b] = place;
    if (generic == nullptr) ++place;
  }
  return places;
}

}  // namespace

Sensitivity& Solver::sensitivity() {
  if (!certified_) fail(NSM_NOT_AVAILABLE, "no certified solution of the present values: nsm_solve comes first");
  if (!sensitivity_) {
    const auto rows = at(view_.size());
    const Inclusion view = seen_.reduction() != nullptr ? seen_.reduction()->determined() : seen_.original();
    sensitivity_ = std::make_unique<Sensitivity>(view, places_in_mu(problem_, view.blocks), z_.last(rows), w_.last(rows));
  }
  return *sensitivity_;
}

void Solver::differentiate(std::span<const double> dq, std::span<const double> dmu, std::span<double> dz, std::span<double> dw) {
  require_finite_values(dq, "dq");
  require_finite_values(dmu, "dmu");
  Sensitivity& derivative = sensitivity();
  if (seen_.reduction() == nullptr) return derivative.apply(dq, dmu, dz, dw);
  // What the equations of motion leave stays 0.
  const std::span<double> du = dw.empty() ? dw : dw.last(local_.size());
  std::fill(dw.begin(), dw.end() - static_cast<std::ptrdiff_t>(du.size()), 0.0);
  Vector dr(dz.empty() ? 0 : local_.size()), of_all(dq.empty() ? 0 : local_.size());  // joints come first, and have no dq
  std::copy(dq.begin(), dq.end(), of_all.end() - std::ssize(dq));
  derivative.apply(of_all, dmu, dr, du);
  if (!dz.empty()) seen_.reduction()->lift_change(dr, dz);
}

void Solver::differentiate_transposed(std::span<const double> gz, std::span<const double> gw, std::span<double> gq,
                                      std::span<double> gmu) {
  require_finite_values(gz, "gz");
  require_finite_values(gw, "gw");
  Sensitivity& derivative = sensitivity();
  if (seen_.reduction() == nullptr) return derivative.apply_transposed(gz, gw, gq, gmu);
  Vector gr(gz.empty() ? 0 : local_.size());
  if (!gz.empty()) seen_.reduction()->lift_change_transposed(gz, gr);
  Vector of_all(gq.empty() ? 0 : local_.size());
  derivative.apply_transposed(gr, gw.empty() ? gw : gw.last(local_.size()), of_all, gmu);
  std::copy(of_all.end() - std::ssize(gq), of_all.end(), gq.begin());
}

}  // namespace nonsmooth
