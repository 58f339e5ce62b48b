#include "problems/rolling.hpp"

#include "problems/checks.hpp"
#include "problems/friction.hpp"

namespace nonsmooth {

void Rolling::validate() const {
  require_square(W, "W");
  const std::int64_t contacts = require_contacts(dimension, 3, 5, W.rows());
  require_length(q, W.rows(), "q");
  require_length(mu, contacts, "mu");
  require_length(mu_r, contacts, "mu_r");
  require_not_negative(mu, "mu");
  require_not_negative(mu_r, "mu_r");
}

Inclusion Rolling::inclusion() const {
  Inclusion view{&W, &q, {}, residual_scale(q)};
  append_contact_blocks(view.blocks, 0, dimension, mu, mu_r);
  return view;
}

}  // namespace nonsmooth
