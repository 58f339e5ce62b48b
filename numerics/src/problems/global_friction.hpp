// Friction, global: M v = H r + G l + f, u = H'v + w, G'v + b = 0 (G, b may be absent); (u, r) as in the local problem.
// Solution layout: z = (v, l, r), w = (M v - H r - G l - f, G'v + b, u).
#pragma once

#include "linalg/matrix.hpp"
#include "nonsmooth/problem.h"
#include "problems/field.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

// Data shared by friction and rolling friction; mu_r stays empty for the first.
struct GlobalContactData {
  std::int32_t dimension = 3;
  Matrix M, H;
  Vector f, w, mu, mu_r;
  Matrix G;
  Vector b;

  std::int64_t contacts() const { return static_cast<std::int64_t>(mu.size()); }
  std::int64_t dynamics_rows() const { return M.rows(); }
  std::int64_t bilateral_rows() const { return G.cols(); }
  std::int64_t contact_start() const { return dynamics_rows() + bilateral_rows(); }
  std::int64_t size() const { return contact_start() + H.cols(); }
  // Blocks of z = (v, l, r): free ones for v and l, then the contacts.
  std::vector<SetBlock> blocks() const;

 protected:
  void validate_common(std::int32_t dimension_1, std::int32_t dimension_2) const;

  template <class Self, class Visit>
  static void visit_common(Self& self, Visit&& visit, bool rolling) {
    visit(Field{"dimension"}, self.dimension);
    visit(Field{"M"}, self.M);
    visit(Field{"H"}, self.H);
    visit(Field{"f"}, self.f);
    visit(Field{"w"}, self.w);
    visit(Field{"mu"}, self.mu);
    if (rolling) visit(Field{"mu_r"}, self.mu_r);
    visit(Field{"G", true}, self.G);
    visit(Field{"b", true}, self.b);
  }
};

struct GlobalFriction : GlobalContactData {
  static constexpr nsm_class kind = NSM_GLOBAL_FRICTION;
  template <class Self, class Visit>
  static void visit_fields(Self& self, Visit&& visit) {
    visit_common(self, visit, false);
  }
  void validate() const;
};

struct GlobalRolling : GlobalContactData {
  static constexpr nsm_class kind = NSM_GLOBAL_ROLLING;
  template <class Self, class Visit>
  static void visit_fields(Self& self, Visit&& visit) {
    visit_common(self, visit, true);
  }
  void validate() const;
};

}  // namespace nonsmooth
