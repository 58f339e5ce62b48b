// Simulates a scene with the kernel of Siconos; ../kernel/measure.hpp has the arguments. METHOD is not used: Lemke for the ball,
// projected Gauss-Seidel for beads, block Gauss-Seidel (NSGS) for spheres, blocks of matrices where there are more than a few.
#include <NewtonEuler3DR.hpp>
#include <SiconosKernel.hpp>
#include <cmath>
#include <memory>

#include "../kernel/measure.hpp"
#include "siconos_events.hpp"

extern "C" {
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>
}

namespace {

using namespace nonsmooth::scenes;

std::shared_ptr<SimpleMatrix> identity(unsigned size, double factor = 1) {
  auto result = std::make_shared<SimpleMatrix>(size, size);
  for (unsigned k = 0; k < size; ++k) (*result)(k, k) = factor;
  return result;
}

// The normal points from the second body, or the floor, to the first.
class SpherePair : public NewtonEuler3DR {
 public:
  void computeh(double, const BlockVector& q, SiconosVector& y) override {
    double d[3], squares = 0;
    for (unsigned k = 0; k < 3; ++k) {
      d[k] = q(k) - q(k + 7);
      squares += d[k] * d[k];
    }
    const double distance = std::sqrt(squares);
    for (unsigned k = 0; k < 3; ++k) {
      const double n = d[k] / distance;
      (*_Nc)(k) = n;
      (*_Pc1)(k) = q(k) - radius * n;
      (*_Pc2)(k) = q(k + 7) + radius * n;
    }
    y(0) = distance - 2 * radius;
  }
};

class SphereOnGround : public NewtonEuler3DR {
 public:
  void computeh(double, const BlockVector& q, SiconosVector& y) override {
    for (unsigned k = 0; k < 3; ++k) {
      (*_Nc)(k) = k == 2 ? 1 : 0;
      (*_Pc1)(k) = (*_Pc2)(k) = q(k) - (k == 2 ? radius : 0);
    }
    y(0) = q(2) - radius;
  }
};

class SceneSimulation {
 public:
  SceneSimulation(const Scene& scene, const Request& request)
      : model_(std::make_shared<NonSmoothDynamicalSystem>(0.0, (request.steps + 10) * scene.h)) {
    scene.rigid ? addRigidBodies(scene) : addPoints(scene);
    if (scene.rigid)
      problem_ = std::make_shared<FrictionContact>(3, SICONOS_FRICTION_3D_NSGS);
    else
      problem_ = std::make_shared<LCP>(scene.position.size() == 1 ? SICONOS_LCP_LEMKE : SICONOS_LCP_NSGS_SBM);
    if (scene.position.size() > 1) problem_->setMStorageType(NM_SPARSE_BLOCK);
    options_ = problem_->numericsSolverOptions().get();
    options_->iparam[SICONOS_IPARAM_MAX_ITER] = request.iterations;
    options_->dparam[SICONOS_DPARAM_TOL] = request.tolerance;
    const auto integrator = std::make_shared<MoreauJeanOSI>(0.5);
    if (request.threshold > 0) integrator->setConstraintActivationThreshold(request.threshold);
    simulation_ =
        std::make_shared<TimeStepping>(model_, std::make_shared<TimeDiscretisation>(0.0, scene.h), integrator, problem_);
    simulation_->setNewtonOptions(SICONOS_TS_LINEAR);
    simulation_->setWarnOnNonConvergence(false);
    simulation_->setCheckSolverFunction([](int, Simulation*) {});  // it would throw where a limit of iterations is met
    coordinates_ = scene.rigid ? 3 : 1;
  }

  void step(Measured& sums) {
    simulation_->computeOneStep();
    if (model_->topology()->indexSetsSize() > 1) {
      sums.contacts += static_cast<double>(model_->topology()->indexSet(1)->size());
      sums.iterations += options_->iparam[SICONOS_IPARAM_ITER_DONE];
    }
    simulation_->nextStep();
  }

  void record(std::vector<double>& values) {
    for (const auto& q : positions_)
      for (unsigned k = 0; k < coordinates_; ++k) values.push_back((*q)(k));
  }

 private:
  void addPoints(const Scene& scene) {
    const auto law = std::make_shared<NewtonImpactNSL>(scene.restitution);
    const auto floor = std::make_shared<SimpleMatrix>(1, 3), pair = std::make_shared<SimpleMatrix>(1, 6);
    (*floor)(0, 0) = (*pair)(0, 0) = 1;
    (*pair)(0, 3) = -1;
    for (std::size_t k = 0; k < scene.position.size(); ++k) {
      const auto q = vectorOf({scene.position[k][2], 0, 0}), v = vectorOf({scene.velocity[k][2], 0, 0});
      const auto body = std::make_shared<LagrangianLinearTIDS>(q, v, identity(3));
      body->setFExtPtr(vectorOf({-gravity, 0, 0}));
      insert(body, body->q());
    }
    for (const Pair& contact : scene.contacts) {
      const bool on_floor = contact.second == ground;
      link(contact, law,
           std::make_shared<LagrangianLinearTIR>(on_floor ? floor : pair, vectorOf({on_floor ? -radius : -2 * radius})));
    }
  }

  void addRigidBodies(const Scene& scene) {
    const auto law = std::make_shared<NewtonImpactFrictionNSL>(scene.restitution, 0.0, scene.mu, 3);
    for (std::size_t k = 0; k < scene.position.size(); ++k) {
      const auto &x = scene.position[k], &u = scene.velocity[k];
      const auto body =
          std::make_shared<NewtonEulerDS>(vectorOf({x[0], x[1], x[2], 1, 0, 0, 0}), vectorOf({u[0], u[1], u[2], 0, 0, 0}), 1.0,
                                          identity(3, 0.4 * radius * radius));
      body->setFExtPtr(vectorOf({0, 0, -gravity}));
      insert(body, body->q());
    }
    for (const Pair& contact : scene.contacts) {
      std::shared_ptr<Relation> relation;
      if (contact.second == ground)
        relation = std::make_shared<SphereOnGround>();
      else
        relation = std::make_shared<SpherePair>();
      link(contact, law, relation);
    }
  }

  void insert(const std::shared_ptr<DynamicalSystem>& body, const std::shared_ptr<SiconosVector>& q) {
    model_->insertDynamicalSystem(body);
    bodies_.push_back(body);
    positions_.push_back(q);
  }

  void link(const Pair& pair, const std::shared_ptr<NonSmoothLaw>& law, const std::shared_ptr<Relation>& relation) {
    const auto contact = std::make_shared<Interaction>(law, relation);
    const auto& first = bodies_[static_cast<std::size_t>(pair.first)];
    if (pair.second == ground)
      model_->link(contact, first);
    else
      model_->link(contact, first, bodies_[static_cast<std::size_t>(pair.second)]);
  }

  std::shared_ptr<NonSmoothDynamicalSystem> model_;
  std::vector<std::shared_ptr<DynamicalSystem>> bodies_;
  std::vector<std::shared_ptr<SiconosVector>> positions_;
  std::shared_ptr<LinearOSNS> problem_;
  std::shared_ptr<TimeStepping> simulation_;
  SolverOptions* options_ = nullptr;
  unsigned coordinates_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return measure(
      argc, argv, [](const Scene& scene, const Request& request) { return std::make_unique<SceneSimulation>(scene, request); },
      [](const EventScene& scene, const Request&) { return std::make_unique<EventSimulation>(scene); });
}
