// Problems whose unknowns are not all coupled: solved part by part, the answer is that of the whole.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/solve.hpp"
#include "methods/auto/independent_parts.hpp"

namespace independent_parts_test {

using generate::at;
using generate::Friction;
using generate::Lcp;
using generate::Values;

// Copies of problems side by side, their unknowns interleaved: row i of part p is row i * parts + p.
Lcp interleaved(const std::vector<Lcp>& parts) {
  const int count = static_cast<int>(parts.size()), own = parts.front().n, n = own * count;
  Lcp whole{n, Values(at(n) * at(n), 0.0), Values(at(n)), {}};
  for (int p = 0; p < count; ++p)
    for (int j = 0; j < own; ++j) {
      whole.q[at(j * count + p)] = parts[at(p)].q[at(j)];
      for (int i = 0; i < own; ++i) whole.M[at(i * count + p + (j * count + p) * n)] = parts[at(p)].M[at(i + j * own)];
    }
  return whole;
}

std::vector<Lcp> random_parts(int count, int own) {
  generate::Random random(23);
  std::vector<Lcp> parts;
  for (int p = 0; p < count; ++p) parts.push_back(generate::harker_pang(random, own, p % 2 == 0));
  return parts;
}

TEST(IndependentParts, GiveTheSolutionOfTheWhole) {
  const auto parts = random_parts(7, 9);
  Lcp whole = interleaved(parts);
  const auto solver = support::setup(support::problem(whole).get(), nullptr);
  for (int round = 0; round < 3; ++round) {
    const auto s = support::solve(solver.get(), whole.n);
    ASSERT_TRUE(s.converged()) << s.text();
    const auto expected = support::solve(whole, "lemke");
    for (int i = 0; i < whole.n; ++i) EXPECT_NEAR(s.z[at(i)], expected.z[at(i)], 1e-7) << round << ", " << i;
    if (round == 0) {
      for (double& x : whole.q) x -= 20;
      ASSERT_EQ(nsm_update_q(solver.get(), whole.q.data(), whole.n), NSM_OK);
    } else {
      for (int i = 0; i < whole.n; ++i) whole.M[at(i) * at(whole.n + 1)] += 5;
      const nsm_matrix M = support::dense(whole.n, whole.n, whole.M);
      ASSERT_EQ(nsm_update_matrix(solver.get(), &M), NSM_OK);
    }
  }
}

TEST(IndependentParts, OnePartWithoutSolutionProvesTheWholeInfeasible) {
  auto parts = random_parts(5, 6);
  parts[3] = {6, Values(36, 0.0), {1, 1, -1, 1, 1, 1}, {}};
  const Lcp whole = interleaved(parts);
  const auto problem = support::problem(whole);
  const auto solver = support::setup(problem.get(), nullptr);
  nsm_result result = NSM_RESULT_INIT;
  ASSERT_EQ(nsm_solve(solver.get(), &result), NSM_OK);
  ASSERT_EQ(result.outcome, NSM_INFEASIBLE);
  Values y(at(whole.n));
  ASSERT_EQ(nsm_infeasibility_certificate(solver.get(), y.data(), whole.n), NSM_OK);
  std::int32_t verified = 0;
  ASSERT_EQ(nsm_certify_infeasible(problem.get(), y.data(), 1e-9, &verified), NSM_OK);
  EXPECT_EQ(verified, 1);
}

// A stop in one part is the stop of the whole, and what the other parts have found is kept.
TEST(IndependentParts, LimitsHoldForTheWhole) {
  const Lcp whole = interleaved(random_parts(6, 8));
  const auto s = support::solve(whole, nullptr, {{"max_iterations", 2}});
  EXPECT_FALSE(s.converged());
  EXPECT_EQ(s.result.outcome, NSM_ITERATION_LIMIT) << s.text();
  EXPECT_LE(s.result.iterations, 2);
  EXPECT_LT(s.result.certificate.residual, whole.residual(Values(at(whole.n), 0.0)) + 1e-12);
}

// Islands of hyperstatic contacts, a pair of contacts and contacts that touch nothing else, interleaved.
struct Islands {
  explicit Islands(int dimension) : whole{dimension, 0, {}, {}, {}, {}, {}} {
    const int d = dimension, sizes[] = {20, 1, 7, 12, 2, 1, 1};
    constexpr int count = 7;
    generate::Random random(31);
    std::vector<Friction> islands;
    std::vector<std::pair<int, int>> places;  // island, contact of it
    for (int size : sizes) {
      const int n = d * size;
      const Values W = generate::gram(random, n, size > 1 ? n / 2 + 1 : n, size > 1 ? 0 : 0.5);
      islands.push_back(generate::constructed_friction(random, d, size, W, 0.1, 0.5));
    }
    for (int c = 0; c < sizes[0]; ++c)
      for (int k = 0; k < count; ++k)
        if (c < sizes[k]) places.emplace_back(k, c);
    const int contacts = static_cast<int>(places.size()), n = d * contacts;
    whole = {d, contacts, Values(at(n) * at(n), 0.0), {}, {}, {}, {}};
    for (const auto& [island, contact] : places) {
      const Friction& f = islands[at(island)];
      whole.mu.push_back(f.mu[at(contact)]);
      for (int i = 0; i < d; ++i) whole.q.push_back(f.q[at(d * contact + i)]);
    }
    for (int a = 0; a < contacts; ++a)
      for (int b = 0; b < contacts; ++b) {
        const auto [island, row] = places[at(a)];
        if (places[at(b)].first != island) continue;
        start_block(a, b);
        const int own = d * sizes[island], col = places[at(b)].second;
        for (int j = 0; j < d; ++j)
          for (int i = 0; i < d; ++i) {
            const double value = islands[at(island)].W[at(d * row + i + (d * col + j) * own)];
            whole.W[at(d * a + i + (d * b + j) * n)] = value;
            values.push_back(value);
          }
      }
    start.push_back(static_cast<std::int32_t>(column.size()));
  }
  void start_block(int row, int col) {
    while (static_cast<int>(start.size()) <= row) start.push_back(static_cast<std::int32_t>(column.size()));
    column.push_back(col);
  }
  nsm_matrix by_blocks() const {
    return nsm_matrix_block_csr(whole.dimension, whole.contacts, whole.contacts, start.data(), column.data(), values.data());
  }
  int size() const { return whole.dimension * whole.contacts; }
  Friction whole;
  std::vector<std::int32_t> start, column;  // by blocks
  Values values;
};

void expect_solved(nsm_solver* solver, const Friction& f) {
  const auto s = support::solve(solver, f.dimension * f.contacts);
  EXPECT_TRUE(s.converged()) << s.text();
  EXPECT_LE(generate::friction_residual(f, s.z), 1.01e-8);
}

TEST(IndependentParts, IslandsOfContacts) {
  for (int dimension : {2, 3}) {
    Islands islands(dimension);
    Friction& f = islands.whole;
    const int n = islands.size();
    const nsm_matrix blocks = islands.by_blocks(), dense = support::dense(n, n, f.W);
    for (const nsm_matrix& W : {blocks, dense}) {
      Friction now = f;
      nsm_problem* raw = nullptr;
      ASSERT_EQ(nsm_problem_create_friction(dimension, &W, now.q.data(), now.mu.data(), &raw), NSM_OK) << nsm_last_error();
      const support::ProblemPtr problem(raw);
      const auto solver = support::setup(problem.get(), nullptr);
      expect_solved(solver.get(), now);
      for (int step = 0; step < 3; ++step) {
        for (double& q : now.q) q *= 1.05;
        ASSERT_EQ(nsm_update_q(solver.get(), now.q.data(), n), NSM_OK);
        expect_solved(solver.get(), now);
      }
      for (double& mu : now.mu) mu *= 1.2;
      ASSERT_EQ(nsm_update_mu(solver.get(), now.mu.data(), now.contacts), NSM_OK);
      expect_solved(solver.get(), now);
    }
  }
}

// New values may couple what was apart at setup.
TEST(IndependentParts, AnUpdateMayJoinIslands) {
  Islands islands(3);
  Friction& f = islands.whole;
  const int n = islands.size();
  const auto solver = support::setup(support::problem(f).get(), nullptr);
  expect_solved(solver.get(), f);
  generate::Random random(8);
  const Values coupling = generate::gram(random, n, n, 0);
  for (std::size_t i = 0; i < coupling.size(); ++i) f.W[i] += 0.1 * coupling[i];
  const nsm_matrix W = support::dense(n, n, f.W);
  ASSERT_EQ(nsm_update_matrix(solver.get(), &W), NSM_OK) << nsm_last_error();
  expect_solved(solver.get(), f);
}

// A string of contacts, each coupled to the next through one entry of a block of zeros, in a dense matrix: auto leaves its zeros
// out. New values may fill what was left out, within a block or between two that had none.
TEST(IndependentParts, DenseMatricesOfZerosAreStoredWithoutThem) {
  constexpr int contacts = 50, n = 3 * contacts;
  generate::Random random(44);
  Values W = generate::identity(n, 3);
  const auto couple = [&](int i, int j, double value) { W[at(i + j * n)] = W[at(j + i * n)] = value; };
  for (int c = 0; c + 1 < contacts; ++c) couple(3 * c, 3 * c + 3, -1);
  Friction f = generate::constructed_friction(random, 3, contacts, W);
  const auto solver = support::setup(support::problem(f).get(), nullptr);
  expect_solved(solver.get(), f);
  const auto expect_solved_with_new_values = [&] {
    f.W = W;
    const nsm_matrix matrix = support::dense(n, n, f.W);
    ASSERT_EQ(nsm_update_matrix(solver.get(), &matrix), NSM_OK) << nsm_last_error();
    expect_solved(solver.get(), f);
  };
  for (double& value : W) value *= 1.5;
  expect_solved_with_new_values();
  couple(1, 5, 0.5);
  expect_solved_with_new_values();
  couple(2, n - 1, 0.5);
  expect_solved_with_new_values();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      if (W[at(i + j * n)] == 0) couple(i, j, 0.001);
  expect_solved_with_new_values();
}

// Global: bodies with one contact each and one with forty, so that W = H' M^-1 H has many parts.
TEST(IndependentParts, IslandsOfBodies) {
  constexpr int bodies = 30, first = 40, contacts = first + bodies - 1, n = 6 * bodies, m = 3 * contacts;
  generate::Random random(12);
  Values H(at(n) * at(m), 0.0), f = random.normals(n), w(at(m), 0.0);
  for (int c = 0; c < contacts; ++c) {
    const int body = c < first ? 0 : c - first + 1;
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 6; ++i) H[at(6 * body + i + (3 * c + j) * n)] = random.normal() + (i == j ? 2 : 0);
    w[at(3 * c)] = 0.1;
  }
  const Values M = generate::identity(n, 2), mu(at(contacts), 0.4);
  const nsm_matrix mass = support::dense(n, n, M), jacobian = support::dense(n, m, H);
  const auto problem = [&] {
    nsm_problem* raw = nullptr;
    EXPECT_EQ(nsm_problem_create_global_friction(3, &mass, &jacobian, f.data(), w.data(), mu.data(), nullptr, nullptr, &raw),
              NSM_OK);
    return support::ProblemPtr(raw);
  };
  const auto solver = support::setup(problem().get(), nullptr);
  const Values zero(at(n + m), 0.0);
  for (int step = 0; step < 4; ++step) {
    ASSERT_EQ(nsm_warm_start(solver.get(), zero.data(), n + m), NSM_OK);
    const auto s = support::solve(solver.get(), n + m);
    EXPECT_TRUE(s.converged()) << s.text();
    EXPECT_EQ(s.z, support::solve(problem().get(), nullptr).z) << "step " << step;
    for (double& x : w) x *= 1.1;
    f = random.normals(n);
    for (const bool forces : {step % 2 == 0, step % 2 != 0})
      ASSERT_EQ(forces ? nsm_update_f(solver.get(), f.data(), n) : nsm_update_q(solver.get(), w.data(), m), NSM_OK);
  }
}

using nonsmooth::Change, nonsmooth::Control, nonsmooth::Inclusion, nonsmooth::Options, nonsmooth::Stop;

// Ends as infeasible where some q is negative, named after the size of its part.
class Named final : public nonsmooth::Method {
 public:
  void setup(const Inclusion& view, const Options&) override { view_ = &view; }
  void update(Change) override {}
  Stop solve(std::span<double> z, Control&) override {
    z[0] = 1;
    return view_->q->front() < 0 ? Stop::infeasible : Stop::stalled;
  }
  const char* finished_by() const override { return view_->size() == 1 ? "small" : "large"; }
  std::span<const double> infeasibility_ray() const override { return *view_->q; }

 private:
  const Inclusion* view_ = nullptr;
};

// A part that has no solution ends the solve before the larger ones are reached.
TEST(IndependentParts, TheLastPartThatRanIsTold) {
  const nonsmooth::Matrix M(nonsmooth::DenseMatrix{3, 3, {1, 0, 0, 0, 2, 1, 0, 1, 2}}, "M");
  Values q{-1, -1, -1};
  Inclusion view;
  view.M = &M;
  view.q = &q;
  for (std::int32_t i = 0; i < 3; ++i) view.blocks.push_back({nonsmooth::SetKind::orthant, i, 1});
  nonsmooth::MethodEntry entry{{}, [] { return nonsmooth::make_method<Named>(); }};
  entry.info.default_iterations = 100;
  nonsmooth::IndependentParts parts;
  parts.setup(view, {}, entry);
  ASSERT_EQ(parts.count(), 2u);
  EXPECT_EQ(parts.finished_by(), nullptr);
  Control control;
  control.setup(view, {}, 100);
  const auto solve = [&](Values given) {
    q = std::move(given);
    parts.update(Change::right_hand_side);
    Values z(3, 0.0);
    control.begin();
    parts.solve(z, control);
    return parts.finished_by();
  };
  EXPECT_STREQ(solve({2, -1, -1}), "large");
  EXPECT_STREQ(solve({-2, -1, -1}), "small");
  EXPECT_EQ(solve({2, 2, 2}), nullptr);  // z = 0 solves all parts
}

// Tells the matrix of its part.
class Shown final : public nonsmooth::Method {
 public:
  static inline std::vector<Values> matrices;
  void setup(const Inclusion& view, const Options&) override { view_ = &view; }
  void update(Change) override {}
  Stop solve(std::span<double>, Control&) override {
    const nonsmooth::DenseMatrix dense = to_dense(*view_->M);
    matrices.emplace_back(dense.values.begin(), dense.values.end());
    return Stop::stalled;
  }

 private:
  const Inclusion* view_ = nullptr;
};

// Blocks of unlike sizes: 0 and 3 are one part, 1, 2 and 4 the other; a block of zeros lies between the two.
TEST(IndependentParts, BlocksOfTheSetsAreCopiedWhole) {
  constexpr std::int32_t sizes[] = {2, 1, 3, 2, 1}, n = 9;
  nonsmooth::BlockCsrMatrix blocks{n, n, {}, {}, {0}, {0, 2, 3, 1, 2, 4, 1, 2, 0, 3, 2, 4}, {}, {}};
  Inclusion view;
  for (const std::int32_t size : sizes) {
    view.blocks.push_back({nonsmooth::SetKind::orthant, blocks.row_end.empty() ? 0 : blocks.row_end.back(), size});
    blocks.row_end.push_back(view.blocks.back().start + size);
  }
  blocks.col_end = blocks.row_end;
  for (const std::int32_t count : {3, 2, 3, 2, 2}) blocks.row_start.push_back(blocks.row_start.back() + count);
  for (std::int32_t I = 0; I < 5; ++I)
    for (std::int32_t k = blocks.row_start[at(I)]; k < blocks.row_start[at(I + 1)]; ++k)
      for (std::int32_t e = 0; e < sizes[I] * sizes[blocks.block_col[at(k)]]; ++e)
        blocks.values.push_back(k == 1 ? 0 : 1.0 + static_cast<double>(blocks.values.size()));
  nonsmooth::Matrix M(blocks, "M");
  const Values q(n, -1.0);
  view.M = &M;
  view.q = &q;
  nonsmooth::MethodEntry entry{{}, [] { return nonsmooth::make_method<Shown>(); }};
  entry.info.default_iterations = 100;
  nonsmooth::IndependentParts parts;
  parts.setup(view, {}, entry);
  ASSERT_EQ(parts.count(), 2u);
  Control control;
  control.setup(view, {}, 100);
  for (const double factor : {1.0, 2.0}) {
    for (double& value : M.own_values()) value *= factor;
    parts.update(Change::matrix);
    Shown::matrices.clear();
    control.begin();
    Values z(n, 0.0);
    parts.solve(z, control);
    const nonsmooth::DenseMatrix whole = to_dense(M);
    const std::vector<std::vector<std::size_t>> rows{{0, 1, 6, 7}, {2, 3, 4, 5, 8}};
    ASSERT_EQ(Shown::matrices.size(), 2u);
    for (std::size_t p = 0; p < 2; ++p)
      for (std::size_t j = 0; j < rows[p].size(); ++j)
        for (std::size_t i = 0; i < rows[p].size(); ++i)
          EXPECT_EQ(Shown::matrices[p][i + j * rows[p].size()], whole.values[rows[p][i] + rows[p][j] * n]);
  }
}

}  // namespace independent_parts_test
