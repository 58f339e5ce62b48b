// Generic mechanical problem: M z + q = w, split in blocks of equality, complementarity, relay, friction and disks.
#pragma once

#include "linalg/matrix.hpp"
#include "nonsmooth/problem.h"
#include "problems/field.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

inline bool is_friction(std::int32_t block_kind) {
  return block_kind == NSM_BLOCK_FRICTION_2D || block_kind == NSM_BLOCK_FRICTION_3D;
}
// Whether blocks of that kind read mu: friction its coefficient, a disk its radius.
inline bool reads_mu(std::int32_t block_kind) { return is_friction(block_kind) || block_kind == NSM_BLOCK_DISK; }
// The rows of every block of that kind; 0: any number.
constexpr std::int32_t required_size(std::int32_t block_kind) {
  if (block_kind == NSM_BLOCK_FRICTION_3D) return 3;
  return block_kind == NSM_BLOCK_FRICTION_2D || block_kind == NSM_BLOCK_DISK ? 2 : 0;
}

struct Generic {
  static constexpr nsm_class kind = NSM_GENERIC;
  Matrix M;
  Vector q;
  IndexVector block_kind;  // nsm_block_kind
  IndexVector block_size;
  Vector mu;      // per block, read on friction blocks and, as the radius, on disks; may be empty
  Vector lo, hi;  // per row, read on relay blocks; may be empty

  template <class Self, class Visit>
  static void visit_fields(Self& self, Visit&& visit) {
    visit(Field{"M"}, self.M);
    visit(Field{"q"}, self.q);
    visit(Field{"block_kind"}, self.block_kind);
    visit(Field{"block_size"}, self.block_size);
    visit(Field{"mu", true}, self.mu);
    visit(Field{"lo", true, true}, self.lo);
    visit(Field{"hi", true, true}, self.hi);
  }
  void validate() const;
  Inclusion inclusion() const;
};

}  // namespace nonsmooth
