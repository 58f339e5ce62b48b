#include "methods/pivoting/row_bounds.hpp"

#include "core/error.hpp"
#include "core/index.hpp"
#include "problems/bounds.hpp"

namespace nonsmooth {

void RowBounds::setup(const Inclusion& view, const char* method) {
  refuse_contacts_and_disks(view, method);
  for (const SetBlock& block : view.blocks)
    if (block.kind != SetKind::orthant && block.kind != SetKind::box && block.kind != SetKind::free_space)
      fail(NSM_UNSUPPORTED, "%s treats orthants, boxes and free rows only; the block at row %d is neither", method, block.start);
  lo.resize(at(view.size()));
  hi.resize(lo.size());
  load(view);
}

void RowBounds::load(const Inclusion& view) { read_bounds(view.blocks, lo, hi); }

}  // namespace nonsmooth
