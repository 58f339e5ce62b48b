// One-contact problems in 3D of eight contacts that are not coupled, solved at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/instructions.hpp"
#include "sets/coulomb_block.hpp"
#include "sets/set_block.hpp"

namespace nonsmooth {

class CoulombBlockSolver3;

// Lane for lane with the bits of CoulombBlockSolver3. Twelve cache lines.
struct alignas(64) CoulombLanesSolver3 {
  using OneBlock = CoulombBlockSolver3;
  static constexpr std::size_t width = 8;
  void set(std::size_t lane, const OneBlock& one);
  void forget();

  double block[sizeof(CoulombBlock3<double>) / sizeof(double)][width]{};
};

// Rows of W of eight contacts, lane by lane, in single precision: velocity + unit * (sum over the layers k of W_k x_k) is the
// velocity without the contacts' own reactions. A layer is nine times eight numbers of w, blocks by columns, and eight of col:
// x_k of a lane starts at x + *col. A lane without a contact, or without as many blocks as others, has blocks of zeros, with x
// of the group, and one without a contact velocity_N > 0. What is found becomes the x of the contacts themselves: four numbers
// each from own on, factor * (r - reference) and a zero.
struct LaneRows {
  // Below it numbers of w and x are 0: their products would be denormal, which processors take a hundred times as long for.
  static constexpr double smallest = 0x1p-60;
  const float* w;
  const std::int32_t *col, *end;
  const double *velocity, *reference;
  const float* x;
  float* own;
  double unit, factor;
  bool beyond_cache;  // x as a whole: what is read of it is fetched ahead
};
// Layers behind the last one whose columns are read, to fetch what later rows need.
constexpr std::size_t layers_ahead = 16;

// Over-relaxation of eight contacts (creep.hpp): what each remembers of its last change.
struct LaneCreep {
  double* factor;  // eight numbers: what it was multiplied with
  double* change;  // three times eight: itself, before that
  double limit;    // of the factors
};

// creep: NULL without over-relaxation. contacts: eight of them; vectors: of all rows.
struct CoulombLanes {
  // q: where the velocity of each lane without its own reaction stands; r: where its reaction does. q_N > 0 without a contact.
  void (*solve)(CoulombLanesSolver3& solver, const double* const* q, double* const* r, const LaneCreep* creep);
  void (*solve_rows)(CoulombLanesSolver3& solver, const LaneRows& rows, double* const* r, const LaneCreep* creep);
  // As ContactCone has them, bit by bit: P(x), which may be x; u~ in place of w; |z - P(z - u~)|, infinite if its square is.
  void (*project)(const SetBlock* contacts, const double* x, double* p);
  void (*add_normal_shift)(const SetBlock* contacts, double* w);
  void (*natural_map)(const SetBlock* contacts, const double* z, const double* w, double* errors);
  // The same of one to eight contacts in space that roll; eight errors are written.
  void (*rolling_map)(const SetBlock* contacts, int count, const double* z, const double* w, double* errors);
};
// The same bits, whatever the instructions.
const CoulombLanes& coulomb_lanes(Instructions instructions = widest_instructions());

extern const CoulombLanes coulomb_lanes_of_any, coulomb_lanes_of_avx2, coulomb_lanes_of_avx512;

constexpr double largest_lane_mu = 1e150;  // whose square is a number

// How many of the first blocks are contacts in space that roll, at most as many as there are lanes.
inline int count_rolling_lanes(std::span<const SetBlock> blocks) {
  const auto is_lane = [](const SetBlock& block) {
    return block.kind == SetKind::rolling_3d && block.a <= largest_lane_mu && block.b <= largest_lane_mu;
  };
  std::size_t count = 0;
  while (count < CoulombLanesSolver3::width && count < blocks.size() && is_lane(blocks[count])) ++count;
  return static_cast<int>(count);
}

// All blocks in turn: eight(first) for eight contacts in space one after the other, one(block) for any other.
template <class Eight, class One>
void visit_by_lanes(std::span<const SetBlock> blocks, Eight&& eight, One&& one) {
  constexpr std::size_t width = CoulombLanesSolver3::width;
  const auto is_lane = [](const SetBlock& block) { return block.kind == SetKind::coulomb_3d && block.a <= largest_lane_mu; };
  for (std::size_t k = 0; k < blocks.size();) {
    std::size_t lanes = 0;
    while (lanes < width && k + lanes < blocks.size() && is_lane(blocks[k + lanes])) ++lanes;
    if (lanes == width) eight(blocks.data() + k);
    for (std::size_t i = 0; lanes < width && i <= lanes && k + i < blocks.size(); ++i) one(blocks[k + i]);
    k += lanes < width ? lanes + 1 : width;
  }
}

}  // namespace nonsmooth
