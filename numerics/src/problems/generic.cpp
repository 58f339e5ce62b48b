#include "problems/generic.hpp"

#include <algorithm>

#include "core/checked.hpp"
#include "core/index.hpp"
#include "problems/checks.hpp"
#include "problems/free_blocks.hpp"

namespace nonsmooth {
namespace {

const char* name_of_sized(std::int32_t kind) {
  return kind == NSM_BLOCK_DISK ? "a disk" : kind == NSM_BLOCK_FRICTION_2D ? "2D friction" : "3D friction";
}

void validate_block(std::int32_t kind, std::int32_t size, std::size_t k) {
  if (kind < NSM_BLOCK_EQUALITY || kind > NSM_BLOCK_DISK)
    fail(NSM_INVALID_VALUE, "block_kind[%zu] = %d is none of nsm_block_kind", k, kind);
  if (size <= 0) fail(NSM_INVALID_DIMENSION, "size of block %zu is %d, not positive", k, size);
  if (const std::int32_t required = required_size(kind); required != 0 && size != required)
    fail(NSM_INVALID_DIMENSION, "size of block %zu is %d; %s has %d", k, size, name_of_sized(kind), required);
}

}  // namespace

void Generic::validate() const {
  require_square(M, "M");
  require_length(q, M.rows(), "q");
  require_length(block_size, static_cast<std::int64_t>(block_kind.size()), "block_size");
  std::int64_t total = 0;
  for (std::size_t k = 0; k < block_kind.size(); ++k) {
    validate_block(block_kind[k], block_size[k], k);
    total = checked_add(total, block_size[k], "block_size");
  }
  if (total != M.rows())
    fail(NSM_INVALID_DIMENSION, "size of all blocks is %lld, M has %lld rows", (long long)total, (long long)M.rows());
  if (!mu.empty() || std::any_of(block_kind.begin(), block_kind.end(), reads_mu))
    require_length(mu, static_cast<std::int64_t>(block_kind.size()), "mu");
  require_not_negative(mu, "mu");
  const bool has_relay = std::find(block_kind.begin(), block_kind.end(), NSM_BLOCK_RELAY) != block_kind.end();
  if (has_relay || !lo.empty() || !hi.empty()) {
    require_length(lo, M.rows(), "lo");
    require_length(hi, M.rows(), "hi");
    require_ordered(lo, hi);
  }
}

Inclusion Generic::inclusion() const {
  Inclusion view{&M, &q, {}, residual_scale(q)};
  std::int32_t start = 0;
  for (std::size_t k = 0; k < block_kind.size(); ++k) {
    const std::int32_t size = block_size[k];
    switch (block_kind[k]) {
      case NSM_BLOCK_EQUALITY: view.blocks.push_back({SetKind::free_space, start, size}); break;
      case NSM_BLOCK_FRICTION_2D: view.blocks.push_back({SetKind::coulomb_2d, start, 2, mu[k]}); break;
      case NSM_BLOCK_FRICTION_3D: view.blocks.push_back({SetKind::coulomb_3d, start, 3, mu[k]}); break;
      case NSM_BLOCK_DISK: view.blocks.push_back({SetKind::disk, start, 2, mu[k]}); break;
      default:
        for (std::int32_t i = start; i < start + size; ++i) {
          if (block_kind[k] == NSM_BLOCK_COMPLEMENTARITY)
            view.blocks.push_back({SetKind::orthant, i, 1});
          else
            view.blocks.push_back({SetKind::box, i, 1, lo[at(i)], hi[at(i)]});
        }
    }
    start += size;
  }
  view.blocks = with_free_blocks_cut(std::move(view.blocks), M);
  return view;
}

}  // namespace nonsmooth
