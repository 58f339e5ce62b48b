// How long sweeps go on before a method that factorises: past their budget as long as the fall of their own residual foretells
// that they meet the tolerance for a share of what that method would cost. Costs are counted, not measured by the clock, so that
// the same problem takes the same path on every machine.
#pragma once

#include "methods/control.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

class SweepBudget final : public StageBudget {
 public:
  void setup(const Inclusion& view) {
    view_ = &view;
    allowance_ = -1;
  }
  void begin(std::int64_t budget);
  bool goes_on(std::int64_t iteration, const Control& control) override;
  // Sweeps past the budget. Allocates when it is first asked for, which a sweeping stage does at the end of its budget.
  double allowance();

 private:
  const Inclusion* view_ = nullptr;
  double allowance_ = -1;  // negative: not known
  std::int64_t budget_ = 0, next_ = 0;
  double residual_ = 0;  // the best one a window ago
};

}  // namespace nonsmooth
