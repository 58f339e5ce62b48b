// Contacts that roll, measured several at once.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "../support/generators.hpp"
#include "sets/coulomb_lanes.hpp"
#include "sets/set.hpp"

namespace nonsmooth::rolling_lanes_test {

using generate::Random;

// Apex, both parts inside, one or both on their bounds, and one that is inside again for the normal part of both; from one
// contact to eight.
void expect_map_of_one_rolling_contact(Instructions instructions) {
  Random random(57);
  constexpr std::size_t width = CoulombLanesSolver3::width;
  for (std::size_t round = 0; round < 800; ++round) {
    const std::size_t count = 1 + round % width;
    std::vector<SetBlock> contacts(count);
    for (std::size_t k = 0; k < count; ++k) {
      contacts[k].kind = SetKind::rolling_3d;
      contacts[k].start = static_cast<std::int32_t>(5 * k);
      contacts[k].a = k == 0 ? 0 : random.magnitude(-2, 1);
      contacts[k].b = k == 1 ? 0 : random.magnitude(-2, 1);
    }
    const int rows = static_cast<int>(5 * count);
    std::vector<double> z = random.normals(rows), w = random.normals(rows);
    for (std::size_t k = 0; k < count; k += 2) z[5 * k] += 3;
    if (round % 5 == 0) w[1] = 1e200;  // whose square is infinite
    if (round % 7 == 0) w[4] = std::nan("");
    double errors[width];
    ASSERT_EQ(count_rolling_lanes(contacts), static_cast<int>(count));
    coulomb_lanes(instructions).rolling_map(contacts.data(), static_cast<int>(count), z.data(), w.data(), errors);
    for (std::size_t k = 0; k < count; ++k) {
      const RollingCone3 cone{{contacts[k].a, contacts[k].b}};
      double shifted[5], point[5], projected[5], sum = 0;
      std::copy_n(&w[5 * k], 5, shifted);
      cone.add_normal_shift(shifted);
      for (std::size_t i = 0; i < 5; ++i) point[i] = z[5 * k + i] - shifted[i];
      cone.project(point, projected);
      for (std::size_t i = 0; i < 5; ++i) sum += (z[5 * k + i] - projected[i]) * (z[5 * k + i] - projected[i]);
      if (std::isnan(sum))
        ASSERT_TRUE(std::isnan(errors[k])) << "round " << round << ", lane " << k;
      else
        ASSERT_EQ(errors[k], std::sqrt(sum)) << "round " << round << ", lane " << k;
    }
  }
}

TEST(RollingLanes, MeasureWithTheBitsOfOneContact) {
  for (int k = 0; k <= static_cast<int>(widest_instructions()); ++k)
    expect_map_of_one_rolling_contact(static_cast<Instructions>(k));
}

TEST(RollingLanes, EndWhereAContactHasAnotherLaw) {
  std::vector<SetBlock> blocks(12);
  for (SetBlock& block : blocks) block.kind = SetKind::rolling_3d;
  EXPECT_EQ(count_rolling_lanes(blocks), 8);
  blocks[5].kind = SetKind::coulomb_3d;
  EXPECT_EQ(count_rolling_lanes(blocks), 5);
  blocks[2].b = 1e200;  // whose square is infinite
  EXPECT_EQ(count_rolling_lanes(blocks), 2);
}

}  // namespace nonsmooth::rolling_lanes_test
