// Outputs, multipliers and Jacobians of all interactions of a model in flat arrays.
#ifndef NONSMOOTH_KERNEL_INTERACTION_STORE_HPP
#define NONSMOOTH_KERNEL_INTERACTION_STORE_HPP

#include <array>
#include <map>
#include <vector>

#include "nonsmooth/kernel/law.hpp"
#include "nonsmooth/kernel/relation.hpp"

namespace nonsmooth::kernel {

// Quantities with one entry per row of an interaction.
enum class Output {
  y0,
  y1,
  y2,
  lambda0,
  lambda1,
  lambda2,
  y0Old,  // at the start of the step
  y1Old,
  y0Older,  // one step before
  count
};
// Matrices of an interaction.
enum class Block {
  C,  // [rows, motion]
  B,  // [motion, rows]; first order relations only
  D,  // [rows, rows]; where the relation has one
  count
};

// Where the rows of an interaction stand.
struct OutputSlot {
  // First row and number of rows.
  Index start = 0, rows = 0;
};

// Outputs and multipliers of all interactions, field by field in one array each.
class OutputStore {
 public:
  // Makes room for so many rows; gives it back; copies all fields.
  OutputSlot insert(Index rows);
  void erase(const OutputSlot& slot) { free_[slot.rows].push_back(slot); }
  static void copy(const OutputStore& from, const OutputSlot& source, OutputStore& to, const OutputSlot& target);
  // Outputs of all interactions become those of the start of the step; those, of a step that has ended, become those of one step
  // before.
  void save();
  void shift();
  // Length of each field, places that are free included.
  Index rows() const { return static_cast<Index>(values_.front().size()); }
  // A field of all interactions, or of one.
  double* data(Output field) { return values_[static_cast<std::size_t>(field)].data(); }
  VectorView view(Output field, const OutputSlot& s) { return {data(field) + s.start, s.rows}; }

 private:
  std::vector<double>& all(Output field) { return values_[static_cast<std::size_t>(field)]; }
  std::array<std::vector<double>, static_cast<std::size_t>(Output::count)> values_;
  std::map<Index, std::vector<OutputSlot>> free_;
};

// Blocks of matrices, with reuse of freed ones of the same length.
class BlockStore {
 public:
  // Makes room for so many numbers; gives it back.
  Index insert(Index length);
  void erase(Index start, Index length) { free_[length].push_back(start); }
  // The numbers; moves when the store grows.
  double* data() { return values_.data(); }

 private:
  std::vector<double> values_;
  std::map<Index, std::vector<Index>> free_;
};

class Interaction;

// One entry of the model's table of interactions. Dead entries have a null object.
struct InteractionRecord {
  // The interaction and its parts; null object: the place is free.
  Interaction* object = nullptr;
  const NonSmoothLaw* law = nullptr;
  Relation* relation = nullptr;
  std::array<Index, 2> system = {-1, -1};  // numbers of the systems; the second is -1 for an interaction with the outside
  std::array<Index, 2> motion = {0, 0};    // their dimensions
  // Rows of its outputs and multipliers.
  OutputSlot y;
  std::array<Index, 3> block = {-1, -1, -1};  // where C, B and D start
  // How often this place has been given away.
  std::uint32_t generation = 0;
  // Where C is constant and has few columns that are not zero: these; else empty.
  std::vector<Index> columns;
  unsigned long relation_version = 0;  // of the relation when its constant matrices were evaluated
  unsigned long followed_version = 0;  // of the relation when it was asked whether it is linear and has D
  // Does its output depend linearly on the state?
  bool linear = false;
  bool fresh = false;   // its constant matrices have been evaluated
  bool active = false;  // in index set 1 as of the last update
  // Has lambda an input matrix of its own; does it enter the output? Number of linked systems; their motion directions in all.
  bool hasB() const { return block[static_cast<std::size_t>(Block::B)] >= 0; }
  bool hasD() const { return block[static_cast<std::size_t>(Block::D)] >= 0; }
  std::size_t sides() const { return system[1] < 0 ? 1 : 2; }
  Index totalMotion() const { return motion[0] + motion[1]; }
};

}  // namespace nonsmooth::kernel
#endif
