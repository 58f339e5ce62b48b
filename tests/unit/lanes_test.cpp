// Eight numbers at once do, lane by lane, what one number does, to the bit and whatever the instructions.
#include "core/lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "core/instructions.hpp"
#include "lanes/operations.hpp"

namespace lanes_test {

using namespace nonsmooth;

class EightAtOnce : public testing::TestWithParam<Instructions> {
 protected:
  void SetUp() override {
    if (GetParam() > widest_instructions()) GTEST_SKIP() << "not of this processor";
  }
  const LaneOperations& lanes = GetParam() == Instructions::avx512 ? lanes_of_avx512
                                : GetParam() == Instructions::avx2 ? lanes_of_avx2
                                                                   : lanes_of_any;
};

std::string name_of(const testing::TestParamInfo<Instructions>& tested) {
  return tested.param == Instructions::avx512 ? "Avx512" : tested.param == Instructions::avx2 ? "Avx2" : "AnyProcessor";
}
INSTANTIATE_TEST_SUITE_P(Lanes, EightAtOnce, testing::Values(Instructions::all_have, Instructions::avx2, Instructions::avx512),
                         name_of);

using Eight = std::array<double, lane_count>;

// The sign of what is no number is that of no operation.
bool same_bits(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// Numbers at the edges: every one meets every other, in every lane.
template <class Check>
void with_all_pairs(const Check& check) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const std::vector<double> numbers = {0.0,    -0.0,   1.0,     -1.0,     1.0 / 3,   -2.5,        1e308,
                                       -1e308, 5e-324, -2e-310, infinite, -infinite, std::nan("")};
  for (std::size_t first = 0; first < numbers.size(); ++first)
    for (std::size_t second = 0; second < numbers.size(); ++second) {
      Eight a{}, b{};
      for (std::size_t k = 0; k < lane_count; ++k) {
        a[k] = numbers[(first + 3 * k) % numbers.size()];
        b[k] = numbers[(second + 5 * k) % numbers.size()];
      }
      check(a, b);
    }
}

TEST_P(EightAtOnce, CalculateAsOneNumberDoes) {
  with_all_pairs([&](const Eight& a, const Eight& b) {
    std::array<Eight, LaneOperations::results> results;
    lanes.calculate(a.data(), b.data(), results[0].data());
    for (std::size_t k = 0; k < lane_count; ++k) {
      const double x = a[k], y = b[k];
      const std::array expected = {x + y,          x - y,          x * y,       x / y,        -x,
                                   std::max(x, y), std::min(x, y), std::abs(x), std::sqrt(x), a[0]};
      for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_TRUE(same_bits(results[i][k], expected[i]))
            << "result " << i << " of " << x << " and " << y << " is " << results[i][k] << " in lane " << k;
    }
  });
}

TEST_P(EightAtOnce, CompareAsOneNumberDoes) {
  with_all_pairs([&](const Eight& a, const Eight& b) {
    std::array<Eight, LaneOperations::masks> selected;
    std::array<bool, LaneOperations::masks> are_any, expect_any{};
    lanes.compare(a.data(), b.data(), selected[0].data(), are_any.data());
    for (std::size_t k = 0; k < lane_count; ++k) {
      const double x = a[k], y = b[k];
      const std::array holds = {x<y, x <= y, x == y, x> y, x >= y, x < y && x <= 0, x < y || x <= 0, !(x < y)};
      for (std::size_t i = 0; i < holds.size(); ++i) {
        expect_any[i] |= holds[i];
        ASSERT_TRUE(same_bits(selected[i][k], holds[i] ? x : y)) << "mask " << i << " of " << x << " and " << y << ", lane " << k;
      }
    }
    ASSERT_EQ(are_any, expect_any);
  });
}

TEST_P(EightAtOnce, TellOfASingleLane) {
  for (std::size_t lane = 0; lane <= lane_count; ++lane) {
    Eight a{}, b{}, ignored[LaneOperations::masks];
    if (lane < lane_count) b[lane] = 1;
    bool are_any[LaneOperations::masks];
    lanes.compare(a.data(), b.data(), ignored[0].data(), are_any);
    EXPECT_EQ(are_any[0], lane < lane_count) << lane;
    EXPECT_FALSE(are_any[3]) << lane;
    b.fill(1);
    if (lane < lane_count) b[lane] = 0;
    lanes.compare(a.data(), b.data(), ignored[0].data(), are_any);
    EXPECT_EQ(are_any[7], lane < lane_count) << lane;
  }
}

TEST_P(EightAtOnce, AreJoinedAndSeparated) {
  constexpr int entries = 3;
  std::array<std::array<double, entries>, lane_count> from{}, to{};
  std::array<const double*, lane_count> places{};
  std::array<double*, lane_count> targets{};
  for (std::size_t k = 0; k < lane_count; ++k) {
    std::iota(from[k].begin(), from[k].end(), 10.0 * static_cast<double>(k));
    places[k] = from[lane_count - 1 - k].data();
    targets[k] = to[lane_count - 1 - k].data();
  }
  for (int offset = 0; offset < entries; ++offset) {
    Eight joined;
    lanes.join(places.data(), offset, joined.data());
    for (std::size_t k = 0; k < lane_count; ++k) EXPECT_EQ(joined[k], places[k][offset]) << k;
    auto expected = to;
    for (std::size_t k = 0; k < lane_count; ++k)
      expected[k][static_cast<std::size_t>(offset)] = from[k][static_cast<std::size_t>(offset)];
    lanes.separate(joined.data(), targets.data(), offset);
    EXPECT_EQ(to, expected);  // the other entries as they were
  }
}

TEST_P(EightAtOnce, AreRoundedToSinglePrecisionAndBack) {
  with_all_pairs([&](const Eight& a, const Eight&) {
    std::array<float, lane_count> narrow;
    Eight wide;
    lanes.narrow(a.data(), narrow.data());
    lanes.widen(narrow.data(), wide.data());
    for (std::size_t k = 0; k < lane_count; ++k) {
      // What is too large becomes infinite, as IEEE 754 has it; C++ leaves it open.
      const double rounded = std::abs(a[k]) > std::numeric_limits<float>::max()
                                 ? std::copysign(std::numeric_limits<double>::infinity(), a[k])
                                 : static_cast<float>(a[k]);
      ASSERT_TRUE(same_bits(narrow[k], rounded)) << a[k] << ", lane " << k;
      ASSERT_TRUE(same_bits(wide[k], rounded)) << a[k] << ", lane " << k;
    }
  });
}

TEST_P(EightAtOnce, AreJoinedFromThreesAndSeparatedToThem) {
  constexpr std::size_t fours = 40;
  std::array<float, 4 * fours> z;
  std::iota(z.begin(), z.end(), 1.0F);
  constexpr std::array<std::int32_t, lane_count> places = {156, 0, 77, 4, 9, 100, 51, 128};
  std::array<std::array<float, lane_count>, 3> x;
  lanes.join_threes(z.data(), places.data(), x[0].data());
  std::array<float, 4 * lane_count> back;
  back.fill(-1);
  lanes.separate_threes(x[0].data(), back.data());
  for (std::size_t k = 0; k < lane_count; ++k) {
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(x[i][k], z[static_cast<std::size_t>(places[k]) + i]) << "lane " << k << ", number " << i;
      EXPECT_EQ(back[4 * k + i], x[i][k]) << "lane " << k << ", number " << i;
    }
    EXPECT_TRUE(same_bits(back[4 * k + 3], 0.0)) << k;
  }
}

TEST(OneNumber, IsALaneOfItsOwn) {
  static_assert(std::is_same_v<MaskOf<double>, bool>);
  with_all_pairs([](const Eight& a, const Eight& b) {
    const double x = a[0], y = b[0];
    ASSERT_TRUE(same_bits(larger(x, y), std::max(x, y))) << x << " and " << y;
    ASSERT_TRUE(same_bits(smaller(x, y), std::min(x, y))) << x << " and " << y;
    ASSERT_TRUE(same_bits(magnitude(x), std::abs(x))) << x;
    ASSERT_TRUE(same_bits(square_root(x), std::sqrt(x))) << x;
    ASSERT_TRUE(same_bits(select(true, x, y), x) && same_bits(select(false, x, y), y)) << x << " and " << y;
  });
  EXPECT_TRUE(negation(false) && !negation(true) && any(true) && !any(false));
}

}  // namespace lanes_test
