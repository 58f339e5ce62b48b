// The face of C on which a solution lies: each contact open, sticking or sliding, each bounded row at a bound or inside. Read
// from z - w / s as in the method of Alart and Curnier (1991), so that all statuses that are wrong are exchanged at once.
#pragma once

#include <span>

#include "methods/newton/face_direction.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

class ContactFace {
 public:
  // Coulomb and rolling friction, disks, orthants, boxes and free rows, some of them with friction or disks.
  static bool treats(const Inclusion& view);
  // Allocates for a view that it treats; the view must outlive this object.
  void setup(const Inclusion& view);
  // The face that z and w point to, s of each row; z is moved onto it, true if that has changed it.
  bool take(std::span<double> z, std::span<const double> w, std::span<const double> s);
  // Parts that slide have moved along the tangent of their bound: back onto it.
  void stay_on(std::span<double> z) const;
  // Block by block; of a contact the normal comes first.
  std::span<const FaceDirection> directions() const { return std::span(directions_).first(count_); }
  // Of a block with friction, or a disk, which is one part.
  bool slides(std::size_t block, int part) const { return (status_[block] & (2 << part)) != 0; }
  // The present face is the one that factors are of, from now on; whether it still is, in its statuses or in every figure, and
  // how many blocks have another status.
  void remember();
  bool has_same_statuses() const;
  bool is_same() const;
  std::size_t changes() const;

 private:
  template <int PART, int PARTS>
  bool take_contact(std::size_t block, std::span<double> z, std::span<const double> w, std::span<const double> s);
  bool take_disk(std::size_t block, std::span<double> z, std::span<const double> w, std::span<const double> s);
  bool take_row(std::size_t block, std::span<double> z, double w, double s, double lo, double hi);
  FaceDirection& add() { return directions_[count_++]; }

  static constexpr std::uint8_t row_inside = 1, row_at_lower = 2, row_at_upper = 4;  // of a bounded row
  static constexpr std::uint8_t closed = 1;                                          // of a contact; bit 1 + g: part g slides

  const Inclusion* view_ = nullptr;
  std::size_t n_ = 0, count_ = 0;          // unknowns, free directions
  std::vector<FaceDirection> directions_;  // of the present face, then of the one remembered
  // Of both faces: one bit for every part that lies on its bound, and one for a block that is not at the apex.
  std::vector<std::uint8_t> statuses_;
  std::span<std::uint8_t> status_, remembered_;
};

}  // namespace nonsmooth
