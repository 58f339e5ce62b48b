// What is no problem of its class is refused, naming the field, the place and the value.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "../support/generators.hpp"
#include "core/error.hpp"
#include "nonsmooth/nonsmooth.h"
#include "problems/problem.hpp"

namespace nonsmooth::validation_test {

using generate::at;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

Matrix dense(int rows, int cols, const Vector& values) { return Matrix(DenseMatrix{rows, cols, values}, "M"); }
Matrix identity(int n) { return dense(n, n, generate::identity(n)); }

void expect_refused(ProblemData data, nsm_status status, const std::string& message) {
  Problem problem;
  problem.data = std::move(data);
  try {
    validate(problem);
    ADD_FAILURE() << "taken, not refused with: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), status) << error.message();
    EXPECT_NE(error.message().find(message), std::string::npos) << error.message();
  }
}

void expect_taken(ProblemData data) {
  Problem problem;
  problem.data = std::move(data);
  EXPECT_NO_THROW(validate(problem));
}

TEST(Validation, Matrices) {
  expect_refused(Lcp{dense(0, 0, {}), {}}, NSM_INVALID_DIMENSION, "M is 0 x 0: the problem has no unknowns");
  expect_refused(Lcp{dense(1, 2, {1, 2}), {1}}, NSM_INVALID_DIMENSION, "M is 1 x 2, not square");
  expect_refused(Lcp{dense(2, 2, {1, nan_value, 0, 1}), {1, 1}}, NSM_NOT_FINITE, "M(1, 0) is nan");
  expect_refused(Lcp{dense(2, 2, {1, 0, HUGE_VAL, 1}), {1, 1}}, NSM_NOT_FINITE, "M(0, 1) is inf");
  expect_refused(Lcp{identity(2), {1, HUGE_VAL}}, NSM_NOT_FINITE, "q[1] is inf");
}

TEST(Validation, Bounds) {
  expect_taken(Relay{identity(2), {1, 1}, {1, -HUGE_VAL}, {1, HUGE_VAL}});
  expect_refused(Relay{identity(1), {1}, {1}, {0.5}}, NSM_INVALID_VALUE, "lo[0] = 1 exceeds hi[0] = 0.5");
  expect_refused(Relay{identity(1), {1}, {nan_value}, {1}}, NSM_NOT_FINITE, "lo[0] is nan");
  expect_refused(Relay{identity(1), {1}, {HUGE_VAL}, {HUGE_VAL}}, NSM_INVALID_VALUE, "lo[0] is +infinity");
  expect_refused(Relay{identity(1), {1}, {-HUGE_VAL}, {-HUGE_VAL}}, NSM_INVALID_VALUE, "hi[0] is -infinity");
  expect_refused(Relay{identity(1), {1}, {-1}, {1, 1}}, NSM_INVALID_DIMENSION, "hi has 2 entries, 1 expected");
}

TEST(Validation, Polyhedra) {
  Avi avi{identity(2), {1, 1}, {}};
  avi.set = {dense(1, 2, {1, 1}), {1}, {0, 0}, {}};
  expect_taken(avi);
  avi.set.lo = {0};
  expect_refused(avi, NSM_INVALID_DIMENSION, "lo has 1 entries, 2 expected");
  avi.set = {dense(1, 2, {1, 1}), {1}, {}, {0, 0, 0}};
  expect_refused(avi, NSM_INVALID_DIMENSION, "hi has 3 entries, 2 expected");
  avi.set = {dense(1, 2, {1, 1}), {1, 2}, {}, {}};
  expect_refused(avi, NSM_INVALID_DIMENSION, "k has 2 entries, 1 expected");
  avi.set = {dense(1, 3, {1, 1, 1}), {1}, {}, {}};
  expect_refused(avi, NSM_INVALID_DIMENSION, "H has 3 columns, 2 expected");
}

TEST(Validation, QuadraticProgrammes) {
  Qp qp;
  qp.M = dense(2, 2, {1, 0, 0, -1e-9});
  qp.q = {0, 0};
  expect_refused(qp, NSM_INVALID_VALUE, "M has the eigenvalue -1e-09");
  qp.M = dense(2, 2, {1, 0.5, 0.5 + 1e-9, 1});
  expect_refused(qp, NSM_INVALID_VALUE, "M(1, 0) = 0.5 but M(0, 1) = 0.5");
  qp.M = dense(2, 2, {1, 1, 1, 1});
  expect_taken(qp);
}

TEST(Validation, MixedProblems) {
  expect_refused(Mlcp{identity(2), {1, 1}, {0, 2}}, NSM_INVALID_VALUE, "is_complementarity[1] = 2 is neither 0 nor 1");
  expect_refused(Mlcp{identity(2), {1, 1}, {0}}, NSM_INVALID_DIMENSION, "is_complementarity has 1 entries, 2 expected");
}

TEST(Validation, Cones) {
  const auto cones = [](IndexVector start, Vector tau) {
    return Soclcp{identity(3), {1, 1, 1}, std::move(start), std::move(tau)};
  };
  expect_taken(cones({0, 1, 3}, {1, 2}));
  expect_refused(cones({1, 3}, {1}), NSM_INVALID_VALUE, "cone_start[0] = 1 is not 0");
  expect_refused(cones({0, 1, 1, 3}, {1, 1, 1}), NSM_INVALID_VALUE, "cone_start[2] = 1 does not exceed cone_start[1] = 1");
  expect_refused(cones({0, 2}, {1}), NSM_INVALID_DIMENSION, "cone_start ends at 2, M has 3 rows");
  expect_refused(cones({0, 3}, {0}), NSM_INVALID_VALUE, "tau[0] = 0 is not positive");
  expect_refused(cones({0, 3}, {1, 1}), NSM_INVALID_DIMENSION, "cone_start has 2 entries, 3 expected");
}

TEST(Validation, Contacts) {
  expect_taken(Friction{3, identity(3), {1, 1, 1}, {0}});
  expect_refused(Friction{3, identity(4), Vector(4, 1.0), {0.5}}, NSM_INVALID_DIMENSION, "4 contact rows are no multiple");
  expect_refused(Friction{3, identity(3), Vector(3, 1.0), {-0.5}}, NSM_INVALID_VALUE, "mu[0] = -0.5 is negative");
  expect_refused(Rolling{5, identity(5), Vector(5, 1.0), {0.5}, {}}, NSM_INVALID_DIMENSION, "mu_r has 0 entries, 1 expected");
  expect_refused(Rolling{5, identity(5), Vector(5, 1.0), {0.5}, {-1}}, NSM_INVALID_VALUE, "mu_r[0] = -1 is negative");
}

GlobalRolling global_contact() {
  GlobalRolling global;
  global.dimension = 3;
  global.M = identity(2);
  global.H = dense(2, 3, Vector(6, 1.0));
  global.f = {1, 1};
  global.w = {0, 0, 0};
  global.mu = {0.5};
  global.mu_r = {0.1};
  global.G = dense(2, 1, {1, 0});
  global.b = {0};
  return global;
}

TEST(Validation, GlobalContacts) {
  expect_taken(global_contact());
  const auto refused = [](nsm_status status, const char* message, const std::function<void(GlobalRolling&)>& change) {
    GlobalRolling global = global_contact();
    change(global);
    expect_refused(global, status, message);
  };
  refused(NSM_INVALID_DIMENSION, "H has 3 rows, 2 expected", [](auto& g) { g.H = dense(3, 3, Vector(9, 1.0)); });
  refused(NSM_INVALID_DIMENSION, "4 contact rows are no multiple", [](auto& g) { g.H = dense(2, 4, Vector(8, 1.0)); });
  refused(NSM_INVALID_DIMENSION, "f has 3 entries, 2 expected", [](auto& g) { g.f.push_back(0); });
  refused(NSM_INVALID_DIMENSION, "w has 4 entries, 3 expected", [](auto& g) { g.w.push_back(0); });
  refused(NSM_INVALID_DIMENSION, "mu has 2 entries, 1 expected", [](auto& g) { g.mu.push_back(0); });
  refused(NSM_INVALID_DIMENSION, "mu_r has 2 entries, 1 expected", [](auto& g) { g.mu_r.push_back(0); });
  refused(NSM_INVALID_DIMENSION, "G has 3 rows, 2 expected", [](auto& g) { g.G = dense(3, 1, {1, 0, 0}); });
  refused(NSM_INVALID_DIMENSION, "b has 0 entries, 1 expected", [](auto& g) { g.b.clear(); });
  refused(NSM_INVALID_VALUE, "mu[0] = -1 is negative", [](auto& g) { g.mu = {-1}; });
  refused(NSM_INVALID_VALUE, "mu_r[0] = -1 is negative", [](auto& g) { g.mu_r = {-1}; });
}

// One block of each kind, with coefficients and bounds for all.
Generic generic_of(IndexVector kinds, IndexVector sizes) {
  const int n = std::accumulate(sizes.begin(), sizes.end(), 0);
  const std::size_t blocks = kinds.size();
  return {identity(n),         Vector(at(n), 1.0),  std::move(kinds),  std::move(sizes),
          Vector(blocks, 0.5), Vector(at(n), -1.0), Vector(at(n), 1.0)};
}

TEST(Validation, GenericBlocks) {
  expect_taken(generic_of({0, 1, 2, 3, 4, 5}, {1, 2, 1, 2, 3, 2}));
  expect_refused(generic_of({0, 6}, {1, 1}), NSM_INVALID_VALUE, "block_kind[1] = 6 is none of nsm_block_kind");
  expect_refused(generic_of({-1}, {1}), NSM_INVALID_VALUE, "block_kind[0] = -1 is none of nsm_block_kind");
  expect_refused(generic_of({0, 1}, {1, 0}), NSM_INVALID_DIMENSION, "size of block 1 is 0, not positive");
  expect_refused(generic_of({NSM_BLOCK_FRICTION_2D}, {3}), NSM_INVALID_DIMENSION, "size of block 0 is 3; 2D friction has 2");
  expect_refused(generic_of({NSM_BLOCK_FRICTION_3D}, {2}), NSM_INVALID_DIMENSION, "size of block 0 is 2; 3D friction has 3");
  expect_refused(generic_of({0, NSM_BLOCK_DISK}, {1, 3}), NSM_INVALID_DIMENSION, "size of block 1 is 3; a disk has 2");
  Generic generic = generic_of({0, 1}, {1, 1});
  generic.block_size[1] = 2;
  expect_refused(generic, NSM_INVALID_DIMENSION, "size of all blocks is 3, M has 2 rows");
  generic.block_size = {2};
  expect_refused(generic, NSM_INVALID_DIMENSION, "block_size has 1 entries, 2 expected");
}

// Coefficients and bounds are checked where no block needs them, too.
TEST(Validation, GenericCoefficientsAndBounds) {
  const auto refused = [](nsm_status status, const char* message, const std::function<void(Generic&)>& change) {
    Generic generic = generic_of({NSM_BLOCK_EQUALITY, NSM_BLOCK_COMPLEMENTARITY}, {1, 1});
    change(generic);
    expect_refused(generic, status, message);
  };
  refused(NSM_INVALID_DIMENSION, "mu has 1 entries, 2 expected", [](Generic& g) { g.mu = {0.5}; });
  refused(NSM_INVALID_VALUE, "mu[1] = -0.5 is negative", [](Generic& g) { g.mu[1] = -0.5; });
  refused(NSM_INVALID_DIMENSION, "lo has 0 entries, 2 expected", [](Generic& g) { g.lo = {}; });
  refused(NSM_INVALID_DIMENSION, "hi has 0 entries, 2 expected", [](Generic& g) { g.hi = {}; });
  refused(NSM_INVALID_VALUE, "lo[1] = 2 exceeds hi[1] = 1", [](Generic& g) { g.lo[1] = 2; });
  for (const nsm_block_kind kind : {NSM_BLOCK_FRICTION_2D, NSM_BLOCK_DISK}) {
    Generic generic = generic_of({kind}, {2});
    for (const auto& [mu, message] : {std::pair(-2.0, "mu[0] = -2 is negative"), {std::nan(""), "mu[0]"}, {HUGE_VAL, "mu[0]"}}) {
      generic.mu = {mu};
      expect_refused(generic, mu < 0 ? NSM_INVALID_VALUE : NSM_NOT_FINITE, message);
    }
    generic.mu.clear();
    expect_refused(generic, NSM_INVALID_DIMENSION, "mu has 0 entries, 1 expected");
  }
}

}  // namespace nonsmooth::validation_test
