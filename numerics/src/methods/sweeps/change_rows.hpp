// Rows of W of groups of contacts for sweeps, in half of the memory: velocities are computed in double precision now and then,
// and what reactions have changed since is multiplied with W in single precision. As sweeps converge these changes vanish and
// their rounding with them, so that sweeps end where those in double precision do (iterative refinement: Wilkinson 1963, chapter
// 3).
#pragma once

#include <vector>

#include "core/index.hpp"
#include "methods/sweeps/block_rows.hpp"

namespace nonsmooth {

class ChangeRows : public StoredRows<3, static_cast<int>(CoulombLanesSolver3::width), float> {
 public:
  // view: borrowed.
  void setup(const Inclusion& view, const SweepOrder& order);
  // Reads the matrix, at setup and whenever its values have changed.
  void load(const Inclusion& view);

  // Whether velocities are read before this sweep, counted from 0. Of the changes since then seven digits are right, which a few
  // of the first sweeps may gain.
  static bool reads_before(std::int64_t sweep);
  // Velocities of the reactions z, from where their changes are counted.
  void read(const double* z);
  // The velocity as it was read.
  void gather(std::size_t place, const double*, double* q) const {
    for (std::size_t i = 0; i < 3; ++i) q[i] = velocity_[number(group(place), 3, i, lane(place))];
  }

  LaneRows lane_rows(std::size_t group) {
    const auto begin = at(start_[group]) * width, end = at(start_[group + 1]) * width;
    const std::size_t own = group * 3 * width;
    return {.w = values_.data() + first_ + begin * 9,
            .col = col_.data() + begin,
            .end = col_.data() + end,
            .velocity = velocity_.data() + own,
            .reference = reference_.data() + own,
            .x = change_.data(),
            .own = change_.data() + group * width * packed,
            .unit = unit_,
            .factor = change_factor_,
            .beyond_cache = change_.size() * sizeof(float) > cache};
  }
  // Of a contact that was moved after its group was solved.
  void change(std::size_t place, const double* fresh) {
    float* change = change_.data() + slot(place) * packed;
    for (std::size_t i = 0; i < 3; ++i)
      change[i] = as_number(change_factor_ * (fresh[i] - reference_[number(group(place), 3, i, lane(place))]));
  }

 private:
  static constexpr std::size_t width = CoulombLanesSolver3::width;
  static constexpr std::size_t cache = 1 << 20;  // bytes that a processor keeps near

  const Inclusion* view_ = nullptr;
  int matrix_exponent_ = 0;
  double change_factor_ = 1, unit_ = 1;  // a change times change_factor_ is stored; unit_ times a product is a velocity
  Vector velocity_, reference_;  // of the groups' contacts, lane by lane: when they were read, without their own part; z then
  Vector product_;               // M z
  std::vector<float> change_;    // of each slot
};

}  // namespace nonsmooth
