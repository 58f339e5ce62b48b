#include "problems/friction.hpp"

#include "problems/checks.hpp"

namespace nonsmooth {

void Friction::validate() const {
  require_square(W, "W");
  const std::int64_t contacts = require_contacts(dimension, 2, 3, W.rows());
  require_length(q, W.rows(), "q");
  require_length(mu, contacts, "mu");
  require_not_negative(mu, "mu");
}

Inclusion Friction::inclusion() const {
  Inclusion view{&W, &q, {}, residual_scale(q)};
  append_contact_blocks(view.blocks, 0, dimension, mu);
  return view;
}

void append_contact_blocks(std::vector<SetBlock>& blocks, std::int32_t start, std::int32_t dimension, const Vector& mu,
                           const Vector& mu_r) {
  SetKind kind = dimension == 2 ? SetKind::coulomb_2d : SetKind::coulomb_3d;
  if (!mu_r.empty()) kind = dimension == 3 ? SetKind::rolling_2d : SetKind::rolling_3d;
  blocks.reserve(blocks.size() + mu.size());
  for (std::size_t c = 0; c < mu.size(); ++c)
    blocks.push_back({kind, start + static_cast<std::int32_t>(c) * dimension, dimension, mu[c], mu_r.empty() ? 0.0 : mu_r[c]});
}

}  // namespace nonsmooth
