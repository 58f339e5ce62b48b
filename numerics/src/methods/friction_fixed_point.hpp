// Friction as a sequence of convex problems, each solved by another method, each with what the last solution says:
//   tresca          normals with their bounds, tangents in disks of fixed radius mu r_N (Panagiotopoulos 1975; Haslinger 1983)
//   panagiotopoulos the normals with the tangents fixed, then the tangents in their disks with the normals fixed
//   de_saxce        a problem over second-order cones with the shift mu |u_T| e_N fixed (Acary, Cadoux, Lemarechal, Malick 2011)
#pragma once

#include <deque>

#include "methods/frame/inner_solver.hpp"

namespace nonsmooth {

enum class FixedPoint { tresca, panagiotopoulos, de_saxce };

class FrictionFixedPoint final : public Method {
 public:
  // inner: what solves the convex problems unless the option inner_method names another method.
  FrictionFixedPoint(FixedPoint kind, const char* name, const char* inner) : kind_(kind), name_(name), inner_(inner) {}
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;

 private:
  // A tangential part of a contact: the block that stands for it, and the row of the normal.
  struct Bound {
    std::size_t part, block;
    std::int32_t normal;
    double mu;
  };

  void append(const SetBlock& block);
  void load_matrices();
  void setup_solver(PartOfRows& part, const Options& options);
  void write_right_hand_side(PartOfRows& part, std::span<const double> z);
  void write_radii(std::size_t part, std::span<const double> z);
  void add_shifts(PartOfRows& part, std::span<const double> z);
  Stop step(std::span<double> z, Control& control);

  FixedPoint kind_;
  const char *name_, *inner_;
  const Inclusion* view_ = nullptr;
  Options options_;
  std::deque<PartOfRows> parts_;  // which stay where they are
  std::vector<Bound> bounds_;
  Vector w_, others_;
};

}  // namespace nonsmooth
