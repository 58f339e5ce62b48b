// W = H' M^-1 H of elastic bodies by the factors of M: a product costs a solve with them where W itself, which is dense, takes
// the square of the contacts.
#pragma once

#include "linalg/component_factor.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

class AppliedCompliance final : public ElasticOperator {
 public:
  // M, H and the factors of M are borrowed. Allocates.
  void setup(const CscMatrix& M, const CscMatrix& H, std::int32_t dimension, ComponentFactor& factor);
  void multiply_add(std::span<const double> z, std::span<double> w) override;
  double work() const override;
  std::span<const double> diagonal() const override { return diagonal_; }

 private:
  void measure_alone();
  void measure();
  void enlarge(const IndexVector& contacts, double factor);
  double whole(std::int32_t contact) const;
  const CscMatrix *M_ = nullptr, *H_ = nullptr;
  std::int32_t dimension_ = 0;
  ComponentFactor* factor_ = nullptr;
  Vector motion_, diagonal_;
};

}  // namespace nonsmooth
