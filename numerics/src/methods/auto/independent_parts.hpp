// A problem whose unknowns fall into parts that M does not couple: each part is a problem of its own, solved by a method of its
// own. Pivoting then costs the cube of the largest part, not of the whole; of islands of contacts only those that are hard take
// many steps. A dense matrix of zeros for the most part is one part, stored without them. Where bodies are known, contacts that
// share none are apart, and each part knows its bodies.
#pragma once

#include <memory>
#include <vector>

#include "methods/frame/method.hpp"

namespace nonsmooth {

class IndependentParts {
 public:
  // Allocates. Finds the parts; a single one is kept only where it is stored otherwise than the whole. Blocks of the view stay
  // together. entry: the method of every part.
  void setup(const Inclusion& view, const Options& options, const MethodEntry& entry);
  std::size_t count() const { return parts_.size(); }

  // Whether a changed matrix still has no entries but those of the parts.
  bool hold_all_entries() const;
  void update(Change change);
  // All parts, each up to its share of the residual.
  Stop solve(std::span<double> z, Control& control);
  // After Stop::infeasible: y of the part that has no solution, 0 elsewhere.
  std::span<const double> infeasibility_ray() const { return ray_; }
  // In the last part whose method ran in the last solve; nullptr where none did.
  const char* finished_by() const { return last_ != nullptr ? last_->method->finished_by() : nullptr; }

 private:
  struct Part final : MatrixSource {
    std::vector<std::size_t> blocks;   // of the whole
    IndexVector rows;                  // of the whole, ascending
    std::vector<std::int64_t> values;  // where each value of M stands among those of the whole; -1: nowhere
    IndexVector contacts;              // of the whole, where bodies are known
    DelassusOperator bodies;           // of these
    Matrix M;                          // with bodies formed when it is asked for
    bool formed = false;               // of bodies
    Vector q, z;
    Inclusion view;
    Control control;
    std::unique_ptr<Method> method;
    const Matrix& matrix() override;
  };
  bool is_mostly_zero(std::int64_t order, std::int64_t entries) const;
  bool is_mostly_zero() const;
  std::vector<std::size_t> coupled_blocks() const;
  void find_parts();
  std::vector<bool> sparse_parts() const;
  void copy_matrices();
  void take_bodies(Part& part) const;
  void copy_blocks(const BlockCsrMatrix& whole);
  void copy_entries();
  SetBlock block_in_part(std::size_t block) const;
  void list_blocks(Part& part) const;
  void gather_matrix(Part& part) const;
  void gather(Part& part, Change change);
  std::int32_t common_block_size() const;
  double solve_part(Part& part, double share, std::span<double> z, Stop& stop);

  const Inclusion* view_ = nullptr;
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<Part*> by_size_;
  const Part* last_ = nullptr;
  std::vector<std::size_t> part_of_row_;
  IndexVector row_in_part_;
  Vector ray_;
};

}  // namespace nonsmooth
