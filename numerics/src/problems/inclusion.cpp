#include "problems/inclusion.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "core/index.hpp"
#include "sets/set.hpp"

namespace nonsmooth {

bool has_contacts(const Inclusion& view) {
  return std::any_of(view.blocks.begin(), view.blocks.end(), [](const SetBlock& block) { return has_friction(block.kind); });
}

bool all_of_kind(const Inclusion& view, std::initializer_list<SetKind> kinds) {
  return std::all_of(view.blocks.begin(), view.blocks.end(),
                     [&](const SetBlock& block) { return std::find(kinds.begin(), kinds.end(), block.kind) != kinds.end(); });
}

std::int64_t count_free_rows(const Inclusion& view) {
  return std::accumulate(view.blocks.begin(), view.blocks.end(), std::int64_t{0},
                         [&](auto sum, const SetBlock& b) { return sum + (is_free(b) ? b.size : 0); });
}

void refuse_polyhedra(const Inclusion& view, const char* method) {
  for (const SetBlock& block : view.blocks)
    if (block.kind == SetKind::polyhedron)
      fail(NSM_UNSUPPORTED, "%s: a polyhedron {H z >= k} is no product of small sets; only boxes are treated", method);
}

void refuse_contacts(const Inclusion& view, const char* method) {
  for (const SetBlock& block : view.blocks)
    if (has_friction(block.kind))
      fail(NSM_UNSUPPORTED, "%s treats no friction; the block at row %d is a contact of dimension %d", method, block.start,
           block.size);
}

void refuse_disks(const Inclusion& view, const char* method) {
  for (const SetBlock& block : view.blocks)
    if (block.kind == SetKind::disk)
      fail(NSM_UNSUPPORTED, "%s treats no disks; the block at row %d is one, of radius %g", method, block.start, block.a);
}

void refuse_contacts_and_disks(const Inclusion& view, const char* method) {
  refuse_contacts(view, method);
  refuse_disks(view, method);
}

IndexVector block_of_each_row(const Inclusion& view) {
  IndexVector block_of_row(at(view.size()));
  for (std::size_t b = 0; b < view.blocks.size(); ++b)
    std::fill_n(block_of_row.begin() + view.blocks[b].start, view.blocks[b].size, static_cast<std::int32_t>(b));
  return block_of_row;
}

void multiply_add(const Inclusion& view, std::span<const double> z, std::span<double> w) {
  if (view.bodies != nullptr)
    view.bodies->multiply_add(z, w, view.workers);
  else if (ElasticOperator* W = view.elastic_operator())
    W->multiply_add(z, w);
  else
    multiply_add(*view.M, 1.0, z, w, view.workers);
}

bool evaluate(const Inclusion& view, std::span<const double> z, std::span<double> w) {
  if (view.F != nullptr) return view.F->evaluate(z, w);
  std::copy(view.q->begin(), view.q->end(), w.begin());
  multiply_add(view, z, w);
  return true;
}

bool project(const Inclusion& view, std::span<const double> x, std::span<double> p) {
  return project(view.blocks, x.data(), p.data());
}

double residual_of_zero(const Inclusion& view) {
  const double size = view.F == nullptr ? norm2(*view.q) : 0;
  return size > 0 ? size / view.scale : 1;
}

double data_norm(const Inclusion& view, std::span<double> workspace) {
  if (view.F == nullptr) return norm2(*view.q);
  return view.F->evaluate(view.reference, workspace) ? norm2(workspace) : 0;
}

double residual_scale(const Vector& q) { return std::fmax(1.0, norm2(q)); }

double residual_scale(const Inclusion& view, std::span<double> workspace) { return std::fmax(1.0, data_norm(view, workspace)); }

}  // namespace nonsmooth
