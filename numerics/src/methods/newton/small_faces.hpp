// Steps from face to face (face_newton.hpp) of small problems with friction or disks, on one small dense factor: where nothing
// turns one factor serves many solves, else the steps of one.
#pragma once

#include <memory>
#include <optional>

#include "linalg/workspace.hpp"
#include "methods/frame/method.hpp"
#include "methods/newton/face_newton.hpp"
#include "methods/sweeps/block_sweep.hpp"

namespace nonsmooth {

class SmallFaces final : private FaceNewton {
 public:
  static constexpr std::int64_t largest_order = 96;
  static bool treats(const Inclusion& view) { return view.size() <= largest_order && ContactFace::treats(view); }
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
  void evaluate(std::span<const double> z) override;
  const double* image_of(const FaceDirection& direction);
  bool factorise() override;
  void step(std::span<double> z) override;
  Stop reach_sweeps(Control& control);
  Stop sweep(std::span<double> z, int sweeps, Control& control);

  const Inclusion* view_ = nullptr;
  std::size_t n_ = 0;         // unknowns
  std::size_t attempts_ = 0;  // with more and more sweeps before them
  std::unique_ptr<Sweeper> sweeper_;
  std::optional<Change> untold_;     // what it has not read yet
  const double* columns_ = nullptr;  // of M: its own where it is dense, else dense_
  Workspace room_;                   // of the next ones
  std::span<double> dense_, scale_, w_, column_, y_, factor_;
  std::vector<int> pivot_;
};

}  // namespace nonsmooth
