#pragma once

namespace nonsmooth {

// What the one-contact problem in 3D needs of a contact (Real: double), or of eight (Lanes).
template <class Real>
struct CoulombBlock3 {
  Real mu{}, rho{};         // rho: weight of the proximal term
  Real inverse_normal{};    // 1 / W_NN
  Real wtn[2]{}, wnt[2]{};  // couplings tangent <- normal, normal <- tangent
  Real wbar[4]{};           // Schur complement, column-major
  Real alpha{};             // warm start
};

}  // namespace nonsmooth
