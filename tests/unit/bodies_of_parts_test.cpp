// Contacts of bodies that fall apart, as those of a simulation mostly do: what a part knows of its bodies, and how contacts that
// support a structure are told by them.
#include <gtest/gtest.h>

#include <utility>

#include "../support/generators.hpp"
#include "methods/auto/independent_parts.hpp"
#include "methods/sweeps/coupling_graph.hpp"
#include "problems/condensation.hpp"

namespace nonsmooth::bodies_of_parts_test {

using generate::at;
using generate::Random;

constexpr int dofs = 6, ground = -1;

// Contacts between these bodies, in space.
GlobalFriction contacts_of(Random& random, int bodies, const std::vector<std::pair<int, int>>& pairs) {
  const int n = dofs * bodies, columns = 3 * static_cast<int>(pairs.size());
  DenseMatrix M{n, n, Vector(at(n) * at(n), 0.0)}, H{n, columns, Vector(at(n) * at(columns), 0.0)};
  for (int i = 0; i < n; ++i) M.values[at(i * (n + 1))] = random.uniform(0.5, 2);
  for (std::size_t c = 0; c < pairs.size(); ++c)
    for (const int body : {pairs[c].first, pairs[c].second})
      for (int k = 0; k < 3 * dofs && body != ground; ++k)
        H.values[at(dofs * body + k % dofs + (3 * static_cast<int>(c) + k / dofs) * n)] = random.normal();
  GlobalFriction g;
  g.dimension = 3;
  g.M = Matrix(to_csc(Matrix(M, "M")), "M");
  g.H = Matrix(to_csc(Matrix(H, "H")), "H");
  g.f = random.normals(n);
  g.w = random.normals(columns);
  g.mu = random.uniforms(static_cast<int>(pairs.size()), 0.1, 1);
  g.validate();
  return g;
}

// A plate on twelve bodies that lie on the ground, four contacts each, and two bodies on their own, in between.
std::vector<std::pair<int, int>> plate_on_bodies() {
  std::vector<std::pair<int, int>> pairs;
  for (int body = 1; body <= 12; ++body)
    for (int k = 0; k < 4; ++k) {
      pairs.emplace_back(body, ground);
      if (body % 5 == 0) pairs.emplace_back(12 + body / 5, ground);
      pairs.emplace_back(body, 0);
    }
  return pairs;
}

std::vector<std::int64_t> rows_of_bodies;  // of each part that a probe was set up for; 0 where its bodies are not known

class Probe final : public Method {
 public:
  void setup(const Inclusion& view, const Options&) override {
    rows_of_bodies.push_back(view.bodies != nullptr ? std::int64_t{3} * view.bodies->contacts() : 0);
  }
  void update(Change) override {}
  Stop solve(std::span<double>, Control&) override { return Stop::stalled; }
};

TEST(BodiesOfParts, PartsKnowTheirs) {
  Random random(5);
  const GlobalFriction problem = contacts_of(random, 15, plate_on_bodies());
  const Condensation condensation(problem);
  ASSERT_NE(condensation.inclusion().bodies, nullptr);
  IndependentParts parts;
  rows_of_bodies.clear();
  parts.setup(condensation.inclusion(), Options(), {{}, []() -> std::unique_ptr<Method> { return std::make_unique<Probe>(); }});
  EXPECT_EQ(parts.count(), 3u);
  EXPECT_EQ(rows_of_bodies, (std::vector<std::int64_t>{3 * 96, 0, 0})) << "those of few contacts are formed";
}

TEST(BodiesOfParts, RestrictedOperatorsAreBlocksOfTheWhole) {
  Random random(6);
  GlobalFriction problem = contacts_of(random, 15, plate_on_bodies());
  Condensation condensation(problem);
  const DelassusOperator& whole = *condensation.inclusion().bodies;
  IndexVector chosen;
  for (std::int32_t c = 0; c < whole.contacts(); ++c)
    if (c % 3 != 1) chosen.push_back(c);
  DelassusOperator part;
  part.restrict_to(whole, chosen);
  for (const double mass : {1.0, 3.0}) {
    CscMatrix M = to_csc(problem.M);
    for (double& value : M.values) value *= mass;
    problem.M = Matrix(M, "M");
    condensation.refactorise();
    part.take_values(whole, chosen);
    const auto n = static_cast<int>(3 * chosen.size());
    const Vector r = random.normals(n);
    Vector all(at(3 * whole.contacts()), 0.0), expected = all, w(at(n), 0.0), formed = w;
    for (std::size_t k = 0; k < r.size(); ++k) all[at(3 * chosen[k / 3]) + k % 3] = r[k];
    whole.multiply_add(all, expected);
    part.multiply_add(r, w);
    multiply_add(Matrix(part.form(), "W"), 1.0, r, formed);
    for (std::size_t k = 0; k < r.size(); ++k) {
      EXPECT_NEAR(w[k], expected[at(3 * chosen[k / 3]) + k % 3], 1e-12);
      EXPECT_NEAR(formed[k], w[k], 1e-12);
    }
  }
}

// Of one body, or with a body that nothing else touches: the same by bodies and by the pattern of W.
TEST(BodiesOfParts, SupportsAreCountedAlike) {
  Random random(7);
  std::vector<std::pair<int, int>> tower, row, pairs;
  for (int body = 0; body < 20; ++body) tower.emplace_back(body, body - 1);
  for (int body = 0; body < 20; ++body) {
    row.emplace_back(body, ground);
    if (body > 0) row.emplace_back(body, body - 1);
  }
  for (int body = 0; body < 20; body += 2)
    for (int k = 0; k < 2; ++k) {
      pairs.emplace_back(body, ground);
      pairs.emplace_back(body + 1, body);
    }
  for (const auto& [contacts, supports] : {std::pair(tower, 2), std::pair(row, 20), std::pair(pairs, 40)}) {
    const GlobalFriction problem = contacts_of(random, 20, contacts);
    const Condensation condensation(problem);
    Inclusion view = condensation.inclusion();
    ASSERT_NE(view.bodies, nullptr);
    const Structure by_bodies = structure_of(view);
    const Matrix W(view.bodies->form(), "W");
    view.M = &W;
    view.bodies = nullptr;
    EXPECT_EQ(by_bodies.supports, supports);
    EXPECT_EQ(by_bodies.supports, structure_of(view).supports);
    EXPECT_EQ(by_bodies.length, structure_of(view).length);
  }
}

}  // namespace nonsmooth::bodies_of_parts_test
