// What a factorisation costs, counted and not measured by the clock, so that the same problem takes the same path on every
// machine.
#pragma once

#include "methods/frame/control.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

// From here on, in products with M, sweeps bring a solve nearer to its end than factorisations of the same cost
// (docs/decisions/0052-dear-factorisations.md).
constexpr double dear_factorisation = 100;
// And from here on before any of them is made in large problems, but for a try; piles are above
// (docs/decisions/0053-settling-sweeps.md).
constexpr double very_dear_factorisation = 250;

// Entries of M that are not left out; of W, which is not formed for that, where the bodies are known. O(n^2) where M is dense.
double product_entries(const Inclusion& view);

class FactorisationPrice {
 public:
  void setup(const Inclusion& view) {
    view_ = &view;
    products_ = -1;
  }
  // The matrix has new values: zeros of a dense one count as nothing.
  void update();
  // A factorisation of a Newton system in products with M, about. Orders and allocates the first time; where there is no memory
  // for that it counts as nothing, this time.
  double products();
  // The same in a solve, which counts the ordering as setting up.
  double products(Control& control);

 private:
  const Inclusion* view_ = nullptr;
  double products_ = -1;  // negative: not known
};

}  // namespace nonsmooth
