// Row access for sweeps over bodies: y, the velocity the reactions give to the bodies, is kept, so that a contact reads the
// bodies it touches and not its neighbours. The cost of a contact does not grow with the number of contacts of its bodies.
#pragma once

#include <algorithm>

#include "methods/sweeps/block_rows.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

// Contacts of D rows between bodies of N degrees of freedom (0: as they come).
template <int D, int N>
class BodyRows {
 public:
  void setup(const Inclusion& view, const SweepOrder& order) {
    contact_ = order.blocks();
    row_.clear();
    for (std::int32_t contact : contact_) row_.push_back(contact * D);
    load(view);
  }
  void load(const Inclusion& view) {
    bodies_.take(*view.bodies, contact_);
    given_ = view.q->data();
    begin();
    y_.assign(view.bodies->state_size(), 0.0);
    diagonal_.resize(contact_.size() * D * D);
    for (std::size_t k = 0; k < contact_.size(); ++k)
      bodies_.diagonal_block(static_cast<std::int32_t>(k), diagonal_.data() + k * D * D);
  }

  // Before the sweeps of a solve: q may have changed. It is kept in the order of the sweep.
  void begin() { copy_blocks<D>(given_, row_, q_); }

  static constexpr std::int32_t size(std::size_t) { return D; }
  std::int32_t start(std::size_t place) const { return row_[place]; }
  const double* diagonal(std::size_t place) const { return diagonal_.data() + place * D * D; }

  // y of the reactions z is read before this sweep, counted from 0, and changes are added up afterwards until their rounding
  // counts.
  static bool reads_before(std::int64_t sweep) { return sweep % 64 == 0; }
  void read(const double* z) {
    std::fill(y_.begin(), y_.end(), 0.0);
    for (std::size_t k = 0; k < contact_.size(); ++k)
      bodies_.scatter<D, N>(static_cast<std::int32_t>(k), z + start(k), y_.data());
  }
  // What a place that is gathered later reads and does not find behind what those before it read.
  void fetch(std::size_t place, const double* z) const {
    bodies_.prefetch<D, N>(static_cast<std::int32_t>(place), y_.data());
    fetch_line(z + start(place));
  }
  void gather(std::size_t place, const double* z, double* q) const {
    const double *W = diagonal(place), *own = z + start(place), *given = q_.data() + place * D;
    double u[D];
    for (int i = 0; i < D; ++i) {
      u[i] = given[i];
      for (int j = 0; j < D; ++j) u[i] -= W[i + j * D] * own[j];
    }
    bodies_.gather<D, N>(static_cast<std::int32_t>(place), y_.data(), u);
    for (int i = 0; i < D; ++i) q[i] = u[i];
  }
  void change(std::size_t place, const double* old, const double* fresh) {
    double difference[D];
    for (int i = 0; i < D; ++i) difference[i] = fresh[i] - old[i];
    bodies_.scatter<D, N>(static_cast<std::int32_t>(place), difference, y_.data());
  }

 private:
  DelassusOperator bodies_;        // in the order of the sweep
  const double* given_ = nullptr;  // q as the problem has it
  IndexVector contact_, row_;      // in the order of the sweep, and their first rows
  Vector diagonal_, y_, q_;
};

}  // namespace nonsmooth
