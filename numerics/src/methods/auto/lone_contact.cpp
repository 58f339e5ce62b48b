#include "methods/auto/lone_contact.hpp"

#include "sets/set.hpp"

namespace nonsmooth {
namespace {

template <class Cone>
bool solve_block(const Cone& cone, const Matrix& M, const double* q, double* z) {
  double W[Cone::size * Cone::size] = {};
  for_each_entry(M, [&](std::int64_t i, std::int64_t j, double value) { W[i + Cone::size * j] = value; });
  typename BlockSolverOf<Cone>::Type solver;
  if (!solver.prepare(cone, W, 0)) return false;
  solver.solve(q, z);
  return true;
}

}  // namespace

bool is_lone_contact(const Inclusion& view) {
  return view.blocks.size() == 1 && (view.blocks[0].kind == SetKind::coulomb_2d || view.blocks[0].kind == SetKind::coulomb_3d);
}

Stop solve_lone_contact(const Inclusion& view, std::span<double> z, Control& control) {
  const SetBlock& block = view.blocks[0];
  const double* q = view.q->data();
  const bool solved = block.kind == SetKind::coulomb_2d ? solve_block(CoulombCone2{{block.a}}, *view.M, q, z.data())
                                                        : solve_block(CoulombCone3{{block.a}}, *view.M, q, z.data());
  const Stop stop = solved ? control.check(1, z) : Stop::none;
  return stop == Stop::none ? Stop::stalled : stop;
}

}  // namespace nonsmooth
