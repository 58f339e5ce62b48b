// Matrix Market: layouts and symmetries, round trips to the bit, messages.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "io/io.hpp"
#include "io_examples.hpp"

namespace nonsmooth::io_matrix_market_test {

const std::string q_of_2 = "%%MatrixMarket matrix array real general\n2 1\n-1\n-2\n";

Lcp read(const std::string& m, const std::string& q = q_of_2) {
  return std::get<Lcp>(parse_matrix_market(m, q, NSM_CLASS_COUNT).data);
}

void expect_error(const std::string& m, const std::string& q, nsm_status status, const std::string& fragment) {
  try {
    parse_matrix_market(m, q, NSM_CLASS_COUNT);
    ADD_FAILURE() << "no error: " << fragment;
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), status) << error.message();
    EXPECT_NE(error.message().find(fragment), std::string::npos) << error.message();
  }
}

std::string banner(const std::string& words) { return "%%MatrixMarket matrix " + words + "\n% a remark\n\n"; }

TEST(MatrixMarket, Coordinate) {
  const Lcp lcp = read(banner("coordinate real general") + "2 2 3\n2 1 4\n1 1 3\n2 2 5\n");
  EXPECT_EQ(lcp.M.storage(), NSM_CSC);
  EXPECT_EQ(to_dense(lcp.M).values, (Vector{3, 4, 0, 5}));
  EXPECT_EQ(lcp.q, (Vector{-1, -2}));
}

TEST(MatrixMarket, SymmetricAndSkew) {
  EXPECT_EQ(to_dense(read(banner("coordinate integer symmetric") + "2 2 2\n1 1 3\n2 1 4\n").M).values, (Vector{3, 4, 4, 0}));
  EXPECT_EQ(to_dense(read(banner("coordinate real skew-symmetric") + "2 2 1\n2 1 4\n").M).values, (Vector{0, 4, -4, 0}));
  EXPECT_EQ(read(banner("array real symmetric") + "2 2\n1\n2\n3\n").M.dense()->values, (Vector{1, 2, 2, 3}));
  EXPECT_EQ(read(banner("array real skew-symmetric") + "2 2\n7\n").M.dense()->values, (Vector{0, 7, -7, 0}));
}

TEST(MatrixMarket, ArrayIsColumnMajorAndWordsIgnoreCase) {
  EXPECT_EQ(read("%%MatrixMarket MATRIX Array Real General\n2 2\n1 2 3 4\n").M.dense()->values, (Vector{1, 2, 3, 4}));
}

TEST(MatrixMarket, SparseFreeTerm) {
  const Lcp lcp = read(banner("array real general") + "2 2\n1 0 0 1\n", banner("coordinate real general") + "2 1 1\n2 1 -5\n");
  EXPECT_EQ(lcp.q, (Vector{0, -5}));
}

TEST(MatrixMarket, RoundTripKeepsEveryBit) {
  for (const nsm_storage storage : {NSM_DENSE, NSM_CSC, NSM_BLOCK_CSR}) {
    Problem problem;
    problem.data = examples::data_of_class(NSM_LCP, storage);
    const MatrixMarketFiles files = format_matrix_market(problem);
    const Problem again = parse_matrix_market(files.m, files.q, NSM_LCP);
    EXPECT_EQ(examples::dump(again), examples::dump(storage == NSM_BLOCK_CSR ? examples::with_csc(problem) : problem));
  }
}

TEST(MatrixMarket, HoldsAnLcpOnly) {
  EXPECT_THROW(parse_matrix_market(banner("array real general") + "1 1\n1\n", q_of_2, NSM_RELAY), Error);
  Problem relay;
  relay.data = examples::data_of_class(NSM_RELAY, NSM_DENSE);
  EXPECT_THROW(format_matrix_market(relay), Error);
}

TEST(MatrixMarket, Messages) {
  const std::string good = banner("array real general") + "2 2\n1 0 0 1\n";
  expect_error(good, "", NSM_BAD_FILE, "q is missing");
  expect_error(banner("array complex general") + "2 2\n1 0 0 1\n", q_of_2, NSM_BAD_FILE, "the field 'complex' is none of real");
  expect_error(banner("array real hermitian") + "2 2\n1 0 0 1\n", q_of_2, NSM_BAD_FILE, "the symmetry 'hermitian'");
  expect_error(banner("coordinate real general") + "2 2 1\n3 1 1\n", q_of_2, NSM_INVALID_STRUCTURE, "row 3 is outside 1 .. 2");
  expect_error(banner("coordinate real general") + "2 2 2\n1 1 1\n1 1 1\n", q_of_2, NSM_INVALID_STRUCTURE,
               "M: entry (1, 1) stands twice");
  expect_error(banner("coordinate real symmetric") + "2 2 3\n2 1 1\n1 1 1\n2 1 1\n", q_of_2, NSM_INVALID_STRUCTURE,
               "M: entry (2, 1) stands twice");
  expect_error(banner("coordinate real skew-symmetric") + "2 2 1\n2 2 1\n", q_of_2, NSM_INVALID_STRUCTURE,
               "entry (2, 2) of a skew-symmetric matrix is on the diagonal");
  expect_error(banner("coordinate real symmetric") + "2 2 1\n1 2 1\n", q_of_2, NSM_INVALID_STRUCTURE, "not below the diagonal");
  expect_error(banner("coordinate real symmetric") + "2 3 1\n1 2 1\n", q_of_2, NSM_BAD_FILE, "symmetric, but 2 x 3");
  expect_error(banner("coordinate real general") + "2 2 999999\n1 1 1\n", q_of_2, NSM_BAD_FILE, "2999997 more numbers expected");
  expect_error(banner("coordinate real general") + "2000000000 2000000000 1\n1 1 1\n", q_of_2, NSM_BAD_FILE, "size 2000000000");
  expect_error(banner("array real general") + "2 2\n1 0 0 x\n", q_of_2, NSM_BAD_FILE, "line 5: M: 'x' is not a number");
  expect_error(banner("array real general") + "2 2\n1 0\n0 nan\n", q_of_2, NSM_NOT_FINITE, "line 6: M: 'nan' is not finite");
  expect_error(good, banner("coordinate real general") + "2 1 1\n2 1 1e999\n", NSM_NOT_FINITE,
               "line 5: q: '1e999' is not finite");
  expect_error(good + "5\n", q_of_2, NSM_BAD_FILE, "M: '5' follows the last entry");
  expect_error(good, good, NSM_BAD_FILE, "q is 2 x 2, one column expected");
}

}  // namespace nonsmooth::io_matrix_market_test
