// A global problem with friction in dense storage, by columns and by blocks: every method finds one solution.
#include <gtest/gtest.h>

#include <string>

#include "../support/generators.hpp"
#include "../support/random_bodies.hpp"
#include "core/error.hpp"
#include "methods/solver/solver.hpp"

namespace nonsmooth::global_storage_test {

using generate::Random;

constexpr nsm_storage storages[] = {NSM_CSC, NSM_BLOCK_CSR, NSM_DENSE};

Matrix in_storage(const Matrix& A, nsm_storage storage, int block_size) {
  if (storage == NSM_DENSE) return Matrix(to_dense(A), "A");
  return storage == NSM_CSC ? Matrix(to_csc(A), "A") : Matrix(to_block_csr(A, block_size), "A");
}

// M and H, and with a joint G.
template <class Data>
Problem stored(Data data, nsm_storage storage) {
  data.M = in_storage(data.M, storage, data.dimension);
  data.H = in_storage(data.H, storage, data.dimension);
  if (data.G.cols() > 0) data.G = in_storage(data.G, storage, 1);
  Problem problem;
  problem.data = std::move(data);
  validate(problem);
  return problem;
}

template <class Data>
Data bodies(int dimension, int contacts, bool joint) {
  Random random(static_cast<std::uint64_t>(dimension));
  Data data = support::random_bodies<Data>(random, {dimension, 2 * dimension, contacts + 1, contacts}, false);
  std::fill(data.mu.begin(), data.mu.end(), 0.3);
  if (!joint) return data;
  const std::int64_t n = data.M.rows();
  data.G = Matrix(DenseMatrix{n, 1, random.normals(n)}, "G");
  data.b = {0.25};
  return data;
}

struct Answer {
  nsm_result result = NSM_RESULT_INIT;
  Vector z;
};

// Empty where the method treats other problems of the class.
Answer answer(const Problem& problem, const MethodEntry& method) {
  Options options;
  options.set("tolerance", 1e-10);
  try {
    Solver solver(problem, method.info.name, options);
    Answer found{solver.solve(), {}};
    found.z.assign(solver.z().begin(), solver.z().end());
    return found;
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), NSM_UNSUPPORTED) << error.message();
    return {};
  }
}

template <class Data>
void compare(int dimension, int contacts, bool joint) {
  const Data data = bodies<Data>(dimension, contacts, joint);
  const Problem problems[] = {stored(data, storages[0]), stored(data, storages[1]), stored(data, storages[2])};
  int methods = 0;
  for (const MethodEntry* method : method_table()) {
    if ((method->info.classes & class_bit(Data::kind)) == 0) continue;
    SCOPED_TRACE(std::string(method->info.name) + ", " + std::to_string(contacts) + " contacts of dimension " +
                 std::to_string(dimension));
    const Answer by_columns = answer(problems[0], *method);
    if (by_columns.z.empty()) continue;
    ++methods;
    EXPECT_EQ(by_columns.result.outcome, NSM_CONVERGED) << by_columns.result.certificate.residual;
    for (int k : {1, 2}) {
      const Answer other = answer(problems[k], *method);
      ASSERT_EQ(other.z.size(), by_columns.z.size());
      EXPECT_EQ(other.result.outcome, NSM_CONVERGED);
      if (storages[k] == NSM_BLOCK_CSR) {
        EXPECT_EQ(other.z, by_columns.z) << "blocks have the entries of the columns";
      }
      for (std::size_t i = 0; i < other.z.size(); ++i) EXPECT_NEAR(other.z[i], by_columns.z[i], 1e-7 * (1 + norm2(by_columns.z)));
    }
  }
  EXPECT_GT(methods, 12);
}

TEST(GlobalStorage, EveryMethodFindsOneSolutionOfFriction) {
  for (const int dimension : {2, 3})
    for (const int contacts : {3, 14})
      for (const bool joint : {false, true}) compare<GlobalFriction>(dimension, contacts, joint);
}

TEST(GlobalStorage, EveryMethodFindsOneSolutionOfRollingFriction) {
  for (const int dimension : {3, 5})
    for (const int contacts : {3, 14}) compare<GlobalRolling>(dimension, contacts, false);
}

}  // namespace nonsmooth::global_storage_test
