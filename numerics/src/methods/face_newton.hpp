// Newton's method on the face of C on which the solution lies (face_direction.hpp), for small problems. In a simulation the next
// solution nearly always lies on the face of the last: where nothing turns one factor serves many solves, else the steps of one.
//
// Faces are read from z - w / s as in the method of Alart and Curnier (1991), so that all that are wrong are exchanged at once.
// Where contacts are hyperstatic the equations are singular: a small proximal term selects the solution next to the iterate.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "linalg/workspace.hpp"
#include "methods/block_sweep.hpp"
#include "methods/control.hpp"
#include "methods/face_direction.hpp"

namespace nonsmooth {

class FaceNewton {
 public:
  static constexpr std::int64_t largest_order = 96;
  // Coulomb and rolling friction, orthants, boxes and free rows, some of them with friction, and few enough.
  static bool treats(const Inclusion& view);
  // Allocates for a view that it treats; the view must outlive this object.
  void setup(const Inclusion& view);
  // What sweeps need too, which most solves do not. Throws Error if a diagonal block is singular.
  void setup_sweeps();
  void update(Change change);
  // From the face of z; where that leads nowhere, from those that a few sweeps find. Stop::finished with the solution in z, a
  // limit that was reached, or Stop::stalled. The first one that sweeps sets that up.
  Stop solve(std::span<double> z, Control& control);

 private:
  void load();
  void evaluate(std::span<const double> z);
  bool take_face(std::span<double> z);
  template <int PART, int PARTS>
  bool take_contact(std::size_t block, std::span<double> z);
  bool take_row(std::size_t block, double lo, double hi, std::span<double> z);
  FaceDirection& add(const FaceDirection& direction);
  const double* image_of(const FaceDirection& direction);
  bool factorise();
  bool has_same_statuses() const { return std::equal(status_.begin(), status_.end(), factored_status_.begin()); }
  bool has_same_matrix() const;
  void step(std::span<double> z);
  void stay_on_face(std::span<double> z);
  Stop follow(std::span<double> z, Control& control);
  Stop reach_sweeps(Control& control);
  Stop sweep(std::span<double> z, int sweeps, Control& control);

  const Inclusion* view_ = nullptr;
  std::size_t n_ = 0, count_ = 0;  // unknowns, free directions
  std::size_t attempts_ = 0;       // with more and more sweeps before them
  std::unique_ptr<Sweeper> sweeper_;
  std::optional<Change> untold_;     // what it has not read yet
  const double* columns_ = nullptr;  // of M: its own where it is dense, else dense_
  Workspace room_;                   // of the next ones
  std::span<double> dense_, scale_, w_, column_, y_, factor_;
  std::vector<int> pivot_;
  std::vector<FaceDirection> directions_;  // of the present face, then of that whose factor is at hand
  // Of both faces: one bit for every part that lies on its bound, and one for a block that is not at the apex.
  std::vector<std::uint8_t> statuses_;
  std::span<std::uint8_t> status_, factored_status_;
  bool factored_ = false;
  std::int64_t iteration_ = 0;
};

}  // namespace nonsmooth
