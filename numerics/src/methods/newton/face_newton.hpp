// Newton's method on the face of C on which the solution lies (contact_face.hpp). In a simulation the next solution nearly always
// lies on the face of the last. Where contacts are hyperstatic the equations are singular: a small proximal term selects the
// solution next to the iterate.
#pragma once

#include <span>

#include "methods/frame/control.hpp"
#include "methods/newton/contact_face.hpp"

namespace nonsmooth {

// Steps from face to face, whatever factors they take.
class FaceNewton {
 public:
  virtual ~FaceNewton() = default;

 protected:
  static constexpr double proximal_term = 1e-9;  // relative to the diagonal

  // Steps until they no longer pay: Stop::none. A factor is kept while it serves. s of contact_face.hpp, w: that of z.
  Stop follow(std::span<double> z, std::span<double> w, std::span<const double> s, Control& control);

  // w = M z + q.
  virtual void evaluate(std::span<const double> z) = 0;
  // The equations of the present face. false if they are singular.
  virtual bool factorise() = 0;
  // z by a step with the factor at hand.
  virtual void step(std::span<double> z) = 0;
  // Whether the first step has shown that it is not worth another one.
  virtual bool leads_nowhere(const Control&) const { return false; }

  ContactFace face_;
  bool factored_ = false;
  std::int64_t iteration_ = 0;
};

}  // namespace nonsmooth
