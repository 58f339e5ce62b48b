// Row access for sweeps over bodies: y, the velocity the reactions give to the bodies, is kept, so that a contact reads the
// bodies it touches and not its neighbours. The cost of a contact does not grow with the number of contacts of its bodies.
#pragma once

#include <algorithm>

#include "problems/inclusion.hpp"

namespace nonsmooth {

// Contacts of D rows between bodies of N degrees of freedom (0: as they come).
template <int D, int N>
class BodyRows {
 public:
  void setup(const Inclusion& view) { load(view); }
  void load(const Inclusion& view) {
    bodies_ = view.bodies;
    q_ = view.q->data();
    y_.assign(bodies_->state_size(), 0.0);
    diagonal_.resize(static_cast<std::size_t>(bodies_->contacts()) * D * D);
    for (std::int32_t a = 0; a < bodies_->contacts(); ++a) bodies_->diagonal_block(a, diagonal_.data() + a * D * D);
  }

  static constexpr std::int32_t size(std::size_t) { return D; }
  static std::int32_t start(std::size_t block) { return static_cast<std::int32_t>(block) * D; }
  const double* diagonal(std::size_t block) const { return diagonal_.data() + block * D * D; }

  // y of the reactions z. Changes are added up afterwards: to be called again before their rounding counts.
  void read(const double* z) {
    std::fill(y_.begin(), y_.end(), 0.0);
    for (std::int32_t a = 0; a < bodies_->contacts(); ++a) bodies_->scatter<D, N>(a, z + a * D, y_.data());
  }
  void gather(std::size_t block, const double* z, double* q) const {
    const double *W = diagonal(block), *own = z + block * D, *given = q_ + block * D;
    double u[D];
    for (int i = 0; i < D; ++i) {
      u[i] = given[i];
      for (int j = 0; j < D; ++j) u[i] -= W[i + j * D] * own[j];
    }
    bodies_->gather<D, N>(static_cast<std::int32_t>(block), y_.data(), u);
    for (int i = 0; i < D; ++i) q[i] = u[i];
  }
  void change(std::size_t block, const double* old, const double* fresh) {
    double difference[D];
    for (int i = 0; i < D; ++i) difference[i] = fresh[i] - old[i];
    bodies_->scatter<D, N>(static_cast<std::int32_t>(block), difference, y_.data());
  }

 private:
  const DelassusOperator* bodies_ = nullptr;
  const double* q_ = nullptr;
  Vector diagonal_, y_;
};

}  // namespace nonsmooth
