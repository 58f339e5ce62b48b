// Reference trajectories of first order systems: T6, T7, T8, T10, T14.
#include <cmath>
#include <memory>

#include "trajectory.hpp"

namespace first_order_trajectories_test {

using namespace nonsmooth::kernel;
using kernel_tests::difference;

struct Circuit {
  std::shared_ptr<FirstOrderLinearTIDS> ds;
  std::shared_ptr<Interaction> interaction;
  NonSmoothDynamicalSystem model;

  Circuit(const Vector& x0, const Matrix& A, const Matrix& C, const Matrix& D, const Matrix& B, std::shared_ptr<NonSmoothLaw> law,
          double T)
      : ds(std::make_shared<FirstOrderLinearTIDS>(x0, A)), model(0.0, T) {
    interaction =
        std::make_shared<Interaction>(std::move(law), std::make_shared<FirstOrderLinearTIR>(C, D, Matrix(), Vector(), B));
    model.insertDynamicalSystem(ds);
    model.link(interaction, ds);
  }

  // One row per instant, made by `row` after each step; the first before any.
  template <class Row>
  Matrix run(const TimeDiscretisation& instants, OneStepIntegrator& integrator, OneStepNSProblem& problem, long count, Row row) {
    TimeDiscretisation own = instants;
    TimeStepping simulation(model, own, integrator, problem);
    const Vector first = row(0.0);
    Matrix rows(count, first.size());
    rows.row(0) = first;
    for (long k = 1; k < count; ++k) {
      EXPECT_TRUE(simulation.computeOneStep().solve.certified) << k;
      rows.row(k) = row(simulation.nextTime());
      simulation.nextStep();
    }
    return rows;
  }
};

Matrix rowOf(std::initializer_list<double> values) {
  Matrix result(1, static_cast<Index>(values.size()));
  Index k = 0;
  for (const double value : values) result(0, k++) = value;
  return result;
}

TEST(Trajectories, T6CircuitThetaGamma) {
  READ_OR_SKIP(reference, "CircuitRLCD-ThetaGamma.ref");
  const double pi = std::acos(-1.0), L = 1, C = 1 / (4 * pi * pi), R = 10, h = .05;
  Matrix A(2, 2), B(2, 1);
  A << 0, -1, 1 / (L * C), 0;
  B << 1, 0;
  Circuit circuit(Eigen::Vector2d(1, 1), A, rowOf({1 / C, 0}), rowOf({R}), B, std::make_shared<ComplementarityConditionNSL>(1),
                  5.0);
  EulerMoreauOSI integrator(.5, .5);
  integrator.setUseGammaForRelation(true);
  LCP problem;
  double dissipated = 0;
  bool first = true;
  const Matrix rows = circuit.run(TimeDiscretisation(0.0, h), integrator, problem, 100, [&](double t) {
    const VectorView x = circuit.ds->x();
    const double lambda = circuit.interaction->lambda(0)[0];
    if (!first) dissipated += h * R * lambda * lambda;
    first = false;
    const double energy = .5 * (x[0] * x[0] / C + L * x[1] * x[1]);
    Vector row(9);
    // The first row has y without lambda; the file has zeros in the place of r.
    row << t, x[0], x[1], t > 0 ? -circuit.interaction->y(0)[0] : -x[0] / C, lambda, 0, energy, dissipated, energy + dissipated;
    return row;
  });
  EXPECT_LE(difference(rows, reference, 0, 100, 9), 1e-11);
  // The discrete dissipation equality of theta = gamma = 1/2.
  EXPECT_LE((rows.col(8).array() - rows(0, 8)).abs().maxCoeff(), 1e-12);
}

struct Diodes {
  double L = 1e-2, C = 1e-6, R = 1e3;
  Matrix A() const {
    Matrix result(2, 2);
    result << 0, -1 / C, 1 / L, 0;
    return result;
  }
};

TEST(Trajectories, T7CircuitWithDiode) {
  READ_OR_SKIP(reference, "CircuitRLCD.ref");
  const Diodes d;
  Matrix B(2, 1);
  B << -1 / d.C, 0;
  Circuit circuit(Eigen::Vector2d(10, 0), d.A(), rowOf({-1, 0}), rowOf({d.R}), B,
                  std::make_shared<ComplementarityConditionNSL>(1), 5e-3);
  EulerMoreauOSI integrator(.5000000000001);
  LCP problem;
  const Matrix rows = circuit.run(TimeDiscretisation(0.0, 1e-5), integrator, problem, 500, [&](double t) {
    Vector row(5);
    row << t, circuit.ds->x()[0], circuit.ds->x()[1], t > 0 ? -circuit.interaction->y(0)[0] : 0.0,
        circuit.interaction->lambda(0)[0];
    return row;
  });
  EXPECT_LE(difference(rows, reference, 0, 500, 3), 1e-11);
  EXPECT_LE((rows.block(1, 3, 499, 2) - reference.block(1, 3, 499, 2)).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(Trajectories, T8DiodeBridge) {
  READ_OR_SKIP(reference, "DiodeBridge.ref");
  const Diodes d;
  Matrix C(4, 2), D(4, 4), B(2, 4);
  C << 0, 0, 0, 0, -1, 0, 1, 0;
  D << 1 / d.R, 1 / d.R, -1, 0, 1 / d.R, 1 / d.R, 0, -1, 1, 0, 0, 0, 0, 1, 0, 0;
  B << 0, 0, -1 / d.C, 1 / d.C, 0, 0, 0, 0;
  Circuit circuit(Eigen::Vector2d(10, 0), d.A(), C, D, B, std::make_shared<ComplementarityConditionNSL>(4), 5e-3);
  EulerMoreauOSI integrator(.5);
  LCP problem;
  const Matrix rows = circuit.run(TimeDiscretisation(0.0, "1.0e-6"), integrator, problem, 5000, [&](double t) {
    const VectorView y = circuit.interaction->y(0), lambda = circuit.interaction->lambda(0);
    Vector row(8);
    row << t, circuit.ds->x()[0], circuit.ds->x()[1], y[0], -lambda[0], -lambda[1], lambda[2], y[0] + lambda[2];
    return row;
  });
  EXPECT_LE(difference(rows, reference, 0, 5000, 3), 1e-11);
  EXPECT_LE((rows.block(1, 3, 4999, 5) - reference.block(1, 3, 4999, 5)).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(Trajectories, T10Relay) {
  READ_OR_SKIP(reference, "SimpleExampleRelay.ref");
  Circuit circuit(Eigen::Vector2d(1, -1), Matrix::Zero(2, 2), Matrix::Identity(2, 2), Matrix(), 2 * Matrix::Identity(2, 2),
                  std::make_shared<RelayNSL>(2), 0.8);
  EulerMoreauOSI integrator(.5);
  Relay problem;
  const Matrix rows = circuit.run(TimeDiscretisation(0.0, 1e-3), integrator, problem, 800, [&](double t) {
    const VectorView y = circuit.interaction->y(0), lambda = circuit.interaction->lambda(0);
    Vector row(7);
    row << t, circuit.ds->x()[0], circuit.ds->x()[1], lambda[0], lambda[1], y[0], y[1];
    return row;
  });
  EXPECT_LE(difference(rows, reference, 1, 800, 7), 1e-12);
}

TEST(Trajectories, T14Twisting) {
  READ_OR_SKIP(reference, "Twisting.ref");
  const double h = .1;
  Matrix A(2, 2), B(2, 2), H(4, 2);
  A << 0, 1, 0, 0;
  B << 0, 0, 10, 3;
  H << 1, 0, -h / 2, 1, -1, 0, h / 2, -1;
  Circuit circuit(Eigen::Vector2d(10, 10), A, Matrix::Identity(2, 2), Matrix(), B,
                  std::make_shared<NormalConeNSL>(2, H, Vector::Constant(4, -1)), 20.0);
  EulerMoreauOSI integrator(.5);
  AVI problem;
  const Matrix rows = circuit.run(TimeDiscretisation(0.0, h), integrator, problem, 200, [&](double t) {
    Vector row(3);
    row << t, circuit.ds->x()[0], circuit.ds->x()[1];
    return row;
  });
  EXPECT_LE(difference(rows, reference, 0, 200, 3), 1e-11);
}

}  // namespace first_order_trajectories_test
