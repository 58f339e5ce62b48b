// Ten beads of mass 1 above each other that fall on a floor, as in the reference trajectory T26.
#ifndef TESTS_KERNEL_BEAD_COLUMN_HPP
#define TESTS_KERNEL_BEAD_COLUMN_HPP

#include <memory>
#include <nonsmooth/kernel/kernel.hpp>
#include <vector>

namespace kernel_tests {

struct BeadColumn {
  static constexpr std::size_t beads = 10;
  static constexpr double radius = 0.1, gravity = 9.81;
  nonsmooth::kernel::NonSmoothDynamicalSystem model;
  std::vector<std::shared_ptr<nonsmooth::kernel::LagrangianLinearTIDS>> bead;
  std::vector<std::shared_ptr<nonsmooth::kernel::Interaction>> contacts;  // of each bead with what is below it

  // No contact is linked yet.
  BeadColumn(double e, double T) : model(0.0, T) {
    using namespace nonsmooth::kernel;
    const auto law = std::make_shared<NewtonImpactNSL>(e);
    for (std::size_t i = 0; i < beads; ++i) {
      bead.push_back(std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, 1 + .25 * static_cast<double>(i)),
                                                            Vector::Zero(1), Matrix::Identity(1, 1)));
      bead[i]->setFExt(Vector::Constant(1, -gravity));
      model.insertDynamicalSystem(bead[i]);
      Matrix H = Matrix::Constant(1, i == 0 ? 1 : 2, -1);
      H.rightCols(1).setOnes();
      contacts.push_back(std::make_shared<Interaction>(
          law, std::make_shared<LagrangianLinearTIR>(H, Vector::Constant(1, i == 0 ? -radius : -2 * radius))));
    }
  }
  void link(std::size_t i) {
    if (i == 0)
      model.link(contacts[0], bead[0]);
    else
      model.link(contacts[i], bead[i - 1], bead[i]);
  }
  void linkAll() {
    for (std::size_t i = 0; i < beads; ++i) link(i);
  }
  double gap(std::size_t i) const { return bead[i]->q()[0] - (i == 0 ? radius : bead[i - 1]->q()[0] + 2 * radius); }
  double energy() const {
    double sum = 0;
    for (const auto& b : bead) sum += 0.5 * b->velocity()[0] * b->velocity()[0] + gravity * b->q()[0];
    return sum;
  }
};

}  // namespace kernel_tests

#endif
