// What data/INDEX.json claims is true: that a solution is the only one, or not, and that there is none. Known solutions and
// proofs of infeasibility are checked in data_test.cpp.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <nonsmooth/nonsmooth.hpp>
#include <string>
#include <vector>

#include "io/io.hpp"

namespace collection_claims_test {

using Sparse = Eigen::SparseMatrix<double>;
using DenseMatrix = Eigen::MatrixXd;

const std::string data_folder = std::string(NONSMOOTH_DATA_DIR) + "/";

nlohmann::json problems() { return nlohmann::json::parse(std::ifstream(data_folder + "INDEX.json")).at("problems"); }

struct Linear {
  Sparse M;
  Eigen::VectorXd q;
};

// w = M z + q of a problem that is not global.
Linear linear_part(const std::string& file) {
  const nonsmooth::Problem problem = nonsmooth::read_problem(data_folder + file, NSM_CLASS_COUNT);
  const nonsmooth::Inclusion view = nonsmooth::local_inclusion(problem);
  std::vector<Eigen::Triplet<double>> entries;
  nonsmooth::for_each_entry(*view.M, [&](std::int64_t i, std::int64_t j, double value) {
    entries.emplace_back(static_cast<int>(i), static_cast<int>(j), value);
  });
  Linear linear{Sparse(view.size(), view.size()), Eigen::Map<const Eigen::VectorXd>(view.q->data(), view.size())};
  linear.M.setFromTriplets(entries.begin(), entries.end());
  return linear;
}

// Cholesky's factor of the symmetric part exists, with what rounding may hide taken off.
bool is_positive_definite(const Sparse& M) {
  Sparse symmetric = 0.5 * (M + Sparse(M.transpose()));
  const double rounding = 1e-15 * static_cast<double>(M.rows()) * symmetric.diagonal().cwiseAbs().maxCoeff();
  for (int i = 0; i < symmetric.rows(); ++i) symmetric.coeffRef(i, i) -= rounding;
  return Eigen::SimplicialLLT<Sparse>(symmetric).info() == Eigen::Success;
}

bool is_triangular_with_positive_diagonal(const Sparse& M) {
  bool lower = true, upper = true;
  for (int j = 0; j < M.outerSize(); ++j)
    for (Sparse::InnerIterator entry(M, j); entry; ++entry) {
      if (entry.value() == 0) continue;
      lower = lower && entry.row() >= entry.col();
      upper = upper && entry.row() <= entry.col();
    }
  return (lower || upper) && Eigen::VectorXd(M.diagonal()).minCoeff() > 0;
}

// Diagonal positive, and a d > 0 such that the diagonal outweighs the rest of each row of M diag(d) (Berman and Plemmons 1994,
// M35): every principal minor is positive.
bool is_h_matrix(const Sparse& M) {
  Sparse comparison = M;
  for (int j = 0; j < comparison.outerSize(); ++j)
    for (Sparse::InnerIterator entry(comparison, j); entry; ++entry)
      if (entry.row() != entry.col()) entry.valueRef() = -std::abs(entry.value());
  comparison.makeCompressed();
  Eigen::SparseLU<Sparse> factor(comparison);
  if (factor.info() != Eigen::Success) return false;
  const Eigen::VectorXd d = factor.solve(Eigen::VectorXd::Ones(M.rows()));
  return Eigen::VectorXd(M.diagonal()).minCoeff() > 0 && d.minCoeff() > 0 && (comparison * d).minCoeff() > 0.5;
}

bool has_positive_minors(const Sparse& M) {
  const int n = static_cast<int>(M.rows());
  if (n > 12) return false;
  const DenseMatrix dense(M);
  for (int subset = 1; subset < 1 << n; ++subset) {
    std::vector<int> rows;
    for (int i = 0; i < n; ++i)
      if ((subset >> i & 1) != 0) rows.push_back(i);
    if (dense(rows, rows).determinant() <= 0) return false;
  }
  return true;
}

bool is_p_matrix(const Sparse& M) { return is_triangular_with_positive_diagonal(M) || is_h_matrix(M) || has_positive_minors(M); }

// The known solution, moved a little along a direction of the kernel of M, is another solution.
bool can_be_moved(const std::string& file, const Sparse& M) {
  const nsm::Problem problem = nsm::Problem::read(data_folder + file);
  const nsm::Vector z = problem.read_solution(data_folder + file).z;
  const DenseMatrix kernel = Eigen::FullPivLU<DenseMatrix>(DenseMatrix(M)).kernel();
  for (int k = 0; k < kernel.cols(); ++k) {
    nsm::Vector moved = z;
    for (std::size_t i = 0; i < moved.size(); ++i)
      moved[i] += 1e-3 * kernel(static_cast<Eigen::Index>(i), k) / kernel.col(k).norm();
    if (nsm::certify(problem, moved, {}, 1e-12).certified()) return true;
  }
  return false;
}

TEST(CollectionClaims, OfUniquenessAreTrue) {
  const std::map<std::string, bool (*)(const Sparse&)> proofs = {{"M is positive definite", is_positive_definite},
                                                                 {"M is a P-matrix", is_p_matrix}};
  int proved = 0;
  for (const auto& entry : problems()) {
    const std::string file = entry.at("file"), because = entry.value("because", "");
    SCOPED_TRACE(file);
    if (entry.at("unique") == "unknown") {
      EXPECT_EQ(because, "");
      continue;
    }
    const Sparse M = linear_part(file).M;
    if (entry.at("unique") == true)
      EXPECT_TRUE(proofs.at(because)(M)) << because;
    else
      EXPECT_TRUE(can_be_moved(file, M)) << because;
    ++proved;
  }
  EXPECT_GT(proved, 50);
}

// Contacts in the plane: each is open, sticks or slides to either side. In each case two equations per contact; the reactions are
// determined, or there are none.
enum State { open, sticks, slides_forward, slides_backward, state_count };

bool fits(State state, double mu, const double* r, const double* u) {
  constexpr double rounding = 1e-12;
  switch (state) {
    case open: return u[0] >= -rounding;
    case sticks: return std::abs(r[1]) <= mu * r[0] + rounding;
    default: return r[0] >= -rounding && (state == slides_forward ? u[1] : -u[1]) >= -rounding;
  }
}

// Some states of the contacts have a solution, or equations that leave one open.
bool may_be_solvable(const Linear& problem, const nonsmooth::Vector& mu) {
  const DenseMatrix W(problem.M);
  const auto contacts = static_cast<int>(mu.size());
  int cases = 1;
  for (int c = 0; c < contacts; ++c) cases *= state_count;
  for (int number = 0; number < cases; ++number) {
    DenseMatrix A = DenseMatrix::Zero(W.rows(), W.cols());
    Eigen::VectorXd b = Eigen::VectorXd::Zero(W.rows());
    std::vector<State> states;
    for (int c = 0, rest = number; c < contacts; ++c, rest /= state_count) {
      states.push_back(static_cast<State>(rest % state_count));
      const int n = 2 * c, t = n + 1;
      if (states.back() == open) {
        A(n, n) = A(t, t) = 1;
        continue;
      }
      A.row(n) = W.row(n);
      b[n] = -problem.q[n];
      if (states.back() == sticks) {
        A.row(t) = W.row(t);
        b[t] = -problem.q[t];
      } else {
        A(t, t) = 1;
        A(t, n) = (states.back() == slides_forward ? 1 : -1) * mu[static_cast<std::size_t>(c)];
      }
    }
    const Eigen::FullPivLU<DenseMatrix> factor(A);
    const Eigen::VectorXd r = factor.solve(b), u = W * r + problem.q;
    if ((A * r - b).norm() > 1e-10) continue;  // no reactions at all
    if (!factor.isInvertible()) return true;   // not decided here
    bool all = true;
    for (int c = 0; c < contacts; ++c)
      all = all && fits(states[static_cast<std::size_t>(c)], mu[static_cast<std::size_t>(c)], r.data() + 2 * c, u.data() + 2 * c);
    if (all) return true;
  }
  return false;
}

TEST(CollectionClaims, UnsolvableProblemsHaveNoSolution) {
  for (const auto& entry : problems()) {
    if (entry.at("class") != "friction" || entry.at("contacts") > 2 || entry.at("size") != 2 * entry.at("contacts").get<int>())
      continue;
    const std::string file = entry.at("file");
    SCOPED_TRACE(file);
    const nonsmooth::Problem problem = nonsmooth::read_problem(data_folder + file, NSM_CLASS_COUNT);
    const bool solvable = may_be_solvable(linear_part(file), std::get<nonsmooth::Friction>(problem.data).mu);
    EXPECT_EQ(solvable, entry.at("outcome") == "converged");
  }
}

TEST(CollectionClaims, EveryFamilyHasFiveProblems) {
  std::map<std::string, int> counts;
  for (const auto& entry : problems()) ++counts[entry.at("family")];
  for (const auto& [family, count] : counts) EXPECT_GE(count, 5) << family;
}

}  // namespace collection_claims_test
