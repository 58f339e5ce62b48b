// Triangular solves with one panel of a supernodal factorisation and one right-hand side, in vectors as long as the processor
// has: what is read is read once, and too little is done with it for a call of BLAS to pay.
#pragma once

#include <cstddef>

namespace nonsmooth {

// By columns; the first `columns` rows are the diagonal block.
template <class Real>
struct SolvedPanel {
  const Real* values;
  std::ptrdiff_t stride;
  int columns, rows;
};

template <class Real>
struct PanelSolves {
  // x = (x_1, x_2), of the diagonal block L_1 and the rows L_2 below it: x_1 = L_1^-1 x_1, x_2 -= L_2 x_1.
  void (*forward)(const SolvedPanel<Real>& L, Real* x);
  void (*forward_unit)(const SolvedPanel<Real>& L, Real* x);  // of a unit diagonal, which is not stored
  // x_1 = L_1^-T (x_1 - L_2' x_2).
  void (*backward)(const SolvedPanel<Real>& L, Real* x);
  // Of an upper triangle: x = U^-1 x.
  void (*backward_upper)(const SolvedPanel<Real>& U, Real* x);
  // Of a panel without a diagonal block: y -= B x and x -= B' y.
  void (*subtract)(const SolvedPanel<Real>& B, const Real* x, Real* y);
  void (*subtract_transposed)(const SolvedPanel<Real>& B, const Real* y, Real* x);
};

// Of the processor this runs on. Thread-safe.
template <class Real>
const PanelSolves<Real>& panel_solves();
extern template const PanelSolves<float>& panel_solves();
extern template const PanelSolves<double>& panel_solves();

}  // namespace nonsmooth
