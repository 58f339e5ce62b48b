// The state of all systems of a model in flat arrays, one per quantity.
#ifndef NONSMOOTH_KERNEL_STATE_STORE_HPP
#define NONSMOOTH_KERNEL_STATE_STORE_HPP

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "nonsmooth/kernel/algebra.hpp"

namespace nonsmooth::kernel {

// Quantities with one entry per coordinate (q of mechanical systems).
enum class Coordinate { q, old, older, count };
// Quantities with one entry per direction in which a reaction can act: x of first order systems, velocities of mechanical ones.
enum class Motion {
  v,         // x, or the velocity
  old,       // its value at the start of the step
  rate,      // its derivative
  input0,    // r of first order systems, or the position impulse p[0]
  input1,    // the impulse p[1]
  input2,    // the force p[2]
  inputOld,  // r at the start of the step
  force,     // f, or fL
  forceOld,  // its value at the start of the step
  free,      // what v would be without reactions
  count
};

// Of p[level], or r.
inline Motion inputField(int level) { return static_cast<Motion>(static_cast<int>(Motion::input0) + level); }

// Where the state of a system stands.
struct StateSlot {
  Index q = 0, v = 0;    // where the entries of a system start
  Index nq = 0, nv = 0;  // how many it has
};

// Slots freed are given again to systems of the same sizes, so that a run which inserts and removes bodies keeps its memory.
class StateStore {
 public:
  // Makes room for a system of so many coordinates and velocities; gives it back.
  StateSlot insert(Index nq, Index nv);
  void erase(const StateSlot& slot);
  // Copies all quantities of a slot between stores.
  static void copy(const StateStore& from, const StateSlot& source, StateStore& to, const StateSlot& target);

  // The state of the start of the step that has ended becomes that of one step before.
  void shift();
  // The present state of all systems becomes that of the start of the step, or the other way round.
  void save();
  void restore();
  // How often a system has begun to ask something else of its integrator: prescribed velocities.
  unsigned long demands() const { return demands_; }
  void changeDemands() { ++demands_; }
  // Zeros in a field of all systems.
  void clear(Motion field);

  // A field of all systems.
  double* data(Coordinate field) { return coordinates_[static_cast<std::size_t>(field)].data(); }
  double* data(Motion field) { return motions_[static_cast<std::size_t>(field)].data(); }
  // A field of one system.
  VectorView view(Coordinate field, const StateSlot& s) { return {data(field) + s.q, s.nq}; }
  VectorView view(Motion field, const StateSlot& s) { return {data(field) + s.v, s.nv}; }
  const std::vector<double>& all(Coordinate field) const { return coordinates_[static_cast<std::size_t>(field)]; }
  const std::vector<double>& all(Motion field) const { return motions_[static_cast<std::size_t>(field)]; }

 private:
  std::vector<double>& all(Coordinate field) { return coordinates_[static_cast<std::size_t>(field)]; }
  std::vector<double>& all(Motion field) { return motions_[static_cast<std::size_t>(field)]; }
  std::array<std::vector<double>, static_cast<std::size_t>(Coordinate::count)> coordinates_;
  std::array<std::vector<double>, static_cast<std::size_t>(Motion::count)> motions_;
  std::map<std::pair<Index, Index>, std::vector<StateSlot>> free_;
  unsigned long demands_ = 0;
};

}  // namespace nonsmooth::kernel
#endif
