#include "problems/global_friction.hpp"

#include "core/checked.hpp"
#include "problems/checks.hpp"
#include "problems/friction.hpp"

namespace nonsmooth {

std::vector<SetBlock> GlobalContactData::blocks() const {
  std::vector<SetBlock> result;
  result.push_back({SetKind::free_space, 0, static_cast<std::int32_t>(dynamics_rows())});
  if (bilateral_rows() > 0)
    result.push_back(
        {SetKind::free_space, static_cast<std::int32_t>(dynamics_rows()), static_cast<std::int32_t>(bilateral_rows())});
  append_contact_blocks(result, static_cast<std::int32_t>(contact_start()), dimension, mu, mu_r);
  return result;
}

void GlobalContactData::validate_common(std::int32_t dimension_1, std::int32_t dimension_2) const {
  require_square(M, "M");
  require_rows(H, M.rows(), "H");
  const std::int64_t count = require_contacts(dimension, dimension_1, dimension_2, H.cols());
  require_length(f, M.rows(), "f");
  require_length(w, H.cols(), "w");
  require_length(mu, count, "mu");
  require_not_negative(mu, "mu");
  if (!G.empty()) require_rows(G, M.rows(), "G");
  require_length(b, G.cols(), "b");
  checked_index(size(), "unknowns of M, G and H together");
}

void GlobalFriction::validate() const { validate_common(2, 3); }

void GlobalRolling::validate() const {
  validate_common(3, 5);
  require_length(mu_r, contacts(), "mu_r");
  require_not_negative(mu_r, "mu_r");
}

}  // namespace nonsmooth
