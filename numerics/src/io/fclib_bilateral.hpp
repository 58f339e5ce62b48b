// Local problems of FCLIB with a bilateral part,  u = W r + V l + q,  V' r + R l + s = 0,  as generic problems: one block of
// equalities for l, as in the z = (v, l, r) of global problems, then the contacts.
#pragma once

#include <optional>

#include "problems/problem.hpp"

namespace nonsmooth::fclib {

struct BilateralLocal {
  Friction contacts;  // W, q, mu
  Matrix V, R;
  Vector s;
};

Generic join(const BilateralLocal& parts);
// The inverse; none if M or the blocks are others, or hold what FCLIB has no place for.
std::optional<BilateralLocal> split(const Generic& problem);
// Length of l, judged by the blocks alone: 0 if they are not one of equalities before contacts of one dimension.
std::int64_t bilateral_rows(const Generic& problem);

}  // namespace nonsmooth::fclib
