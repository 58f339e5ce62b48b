#include "methods/row_bounds.hpp"

#include <cmath>

#include "core/error.hpp"

namespace nonsmooth {

void RowBounds::setup(const Inclusion& view, const char* method) {
  for (const SetBlock& block : view.blocks)
    if (block.kind != SetKind::orthant && block.kind != SetKind::box && block.kind != SetKind::free_space)
      fail(NSM_UNSUPPORTED, "%s treats orthants, boxes and free rows only; the block at row %d is neither", method, block.start);
  lo.resize(static_cast<std::size_t>(view.size()));
  hi.resize(lo.size());
  load(view);
}

void RowBounds::load(const Inclusion& view) {
  for (const SetBlock& block : view.blocks)
    for (std::int32_t i = block.start; i < block.start + block.size; ++i) {
      const bool box = block.kind == SetKind::box;
      lo[static_cast<std::size_t>(i)] = box ? block.a : block.kind == SetKind::orthant ? 0.0 : -HUGE_VAL;
      hi[static_cast<std::size_t>(i)] = box ? block.b : HUGE_VAL;
    }
}

}  // namespace nonsmooth
