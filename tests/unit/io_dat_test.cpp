// The text files of Siconos: every class and storage to the bit, the layouts only Siconos writes, detection, messages, real
// files.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "../support/collected.hpp"
#include "core/error.hpp"
#include "io/io.hpp"
#include "io_examples.hpp"

namespace nonsmooth::io_dat_test {

// What a .dat can hold of an example: no title, no solution, no bilateral constraints.
Problem example(nsm_class problem_class, nsm_storage storage) {
  Problem problem;
  problem.data = examples::data_of_class(problem_class, storage);
  std::visit(
      [](auto& data) {
        if constexpr (std::is_base_of_v<GlobalContactData, std::decay_t<decltype(data)>>) {
          data.G = Matrix();
          data.b.clear();
        }
      },
      problem.data);
  return problem;
}

Error error_of(const std::string& text, nsm_class problem_class = NSM_CLASS_COUNT) {
  try {
    read_problem_memory(text, "file", problem_class);
  } catch (const Error& error) {
    return error;
  }
  return Error(NSM_OK, "no error");
}

void expect_error(const std::string& text, nsm_class problem_class, nsm_status status, const std::string& fragment) {
  const Error error = error_of(text, problem_class);
  EXPECT_EQ(error.status(), status) << error.message();
  EXPECT_NE(error.message().find(fragment), std::string::npos) << error.message();
}

template <class T>
T read_as(const std::string& text, nsm_class problem_class = T::kind) {
  return std::get<T>(read_problem_memory(text, "file", problem_class).data);
}

class DatRoundTrip : public testing::TestWithParam<std::tuple<nsm_class, int>> {};

TEST_P(DatRoundTrip, KeepsEveryBit) {
  const nsm_class problem_class = std::get<0>(GetParam());
  const auto storage = static_cast<nsm_storage>(std::get<1>(GetParam()));
  const Problem original = example(problem_class, storage);
  const std::string text = format_dat(original);
  const Problem again = parse_dat(text, problem_class);
  // The blocks of this generic example are not those of its matrix, which is then written by columns.
  const bool by_columns = problem_class == NSM_GENERIC && storage == NSM_BLOCK_CSR;
  EXPECT_EQ(examples::dump(again), examples::dump(by_columns ? examples::with_csc(original) : original));
  EXPECT_EQ(format_dat(again), text);
}

TEST_P(DatRoundTrip, IsDetected) {
  const nsm_class problem_class = std::get<0>(GetParam());
  const Problem original = example(problem_class, static_cast<nsm_storage>(std::get<1>(GetParam())));
  const nsm_class expected = problem_class == NSM_QP ? NSM_AVI : problem_class;  // the same file, and the more general class
  EXPECT_EQ(parse_dat(format_dat(original), NSM_CLASS_COUNT).problem_class(), expected);
}

std::string parameter_name(const testing::TestParamInfo<std::tuple<nsm_class, int>>& parameter) {
  static constexpr const char* storages[] = {"dense", "csc", "block_csr"};
  return std::string(nsm_class_name(std::get<0>(parameter.param))) + "_" + storages[std::get<1>(parameter.param)];
}

INSTANTIATE_TEST_SUITE_P(AllClasses, DatRoundTrip,
                         testing::Combine(testing::ValuesIn(examples::storable_classes()), testing::Range(0, 3)), parameter_name);

// --- layouts of Siconos ---

TEST(Dat, DenseMatricesAreColumnMajor) {
  const Lcp lcp = read_as<Lcp>("2\n0\n2\n2\n2 2\n1 2\n3 4\n-1 -1\n");
  EXPECT_EQ(lcp.M.dense()->values, (Vector{1, 2, 3, 4}));  // M(1, 0) = 2
}

const std::string blocks_of_uneven_size =
    "3\n1\n3\n3\n3\n2\n2\n1 3\n1 3\n3\n3\n0 1 3\n0 0 1\n"
    "0\n5\n"
    "1\n1\n2\n"
    "2\n11\n12\n21\n22\n"
    "-1 -1 -1\n";

TEST(Dat, SparseBlocksAreColumnMajorToo) {
  const Lcp lcp = read_as<Lcp>(blocks_of_uneven_size);
  ASSERT_NE(lcp.M.block_csr(), nullptr);
  EXPECT_EQ(to_dense(lcp.M).values, (Vector{5, 1, 2, 0, 11, 12, 0, 21, 22}));
}

TEST(Dat, BlockRowsWithoutBlocksMayBeLeftOutAtTheEnd) {
  const Lcp lcp = read_as<Lcp>("2\n1\n2\n2\n1\n2\n2\n1 2\n1 2\n2\n1\n0 1\n1\n0\n7\n0 0\n");
  EXPECT_EQ(to_dense(lcp.M).values, (Vector{0, 0, 7, 0}));
}

std::string sparse_lcp(const std::string& origin_and_entries) { return "2\n2\n2\n2\n" + origin_and_entries + "-1 -2\n"; }
const std::string version = "CSparse Version 3.1.9, May 4, 2016.  Copyright (c) Timothy A. Davis, 2006-2016\n";

TEST(Dat, ReadsEverySparseLayout) {
  const Vector expected{3, 4, 0, 5};  // [3 0; 4 5]
  const std::string layouts[] = {
      "1\n" + version + "triplet: 2-by-2, nzmax: 9 nnz: 3\n    1 0 : 4\n    0 0 : 3\n    1 1 : 5\n",
      "2\n" + version +
          "2-by-2, nzmax: 3 nnz: 3, 1-norm: 7\n    col 0 : locations 0 to 1\n      0 : 3\n      1 : 4\n"
          "    col 1 : locations 2 to 2\n      1 : 5\n",
      "3\n" + version +
          "2-by-2, nzmax: 3 nnz: 3, 1-norm: 7\n    row 0 : locations 0 to 0\n      0 : 3\n"
          "    row 1 : locations 1 to 2\n      0 : 4\n      1 : 5\n",
      "3\n" + version +
          "csr: 2-by-2, nzmax: 3 nnz: 3\n row 0 : locations 0 to 0\n 0 : 3\n row 1 : locations 1 to 2\n 0 : 4\n 1 : 5\n"};
  for (const std::string& layout : layouts) {
    const Lcp lcp = read_as<Lcp>(sparse_lcp(layout));
    EXPECT_EQ(lcp.M.storage(), NSM_CSC);
    EXPECT_EQ(to_dense(lcp.M).values, expected) << layout;
  }
}

TEST(Dat, HalfTripletsAreMirrored) {
  const Lcp lcp = read_as<Lcp>(sparse_lcp("4\n" + version + "triplet: 2-by-2, nzmax: 2 nnz: 2\n 0 1 : 4\n 1 1 : 5\n"));
  EXPECT_EQ(to_dense(lcp.M).values, (Vector{0, 4, 4, 5}));
}

TEST(Dat, AnEmptySparseMatrixMayHaveNoColumns) {
  for (const char* origin : {"1\n", "2\n", "3\n"})
    EXPECT_EQ(read_as<Lcp>(sparse_lcp(origin + version + "2-by-2, nzmax: 1 nnz: 0\n")).M.values().size(), 0U);
}

TEST(Dat, FortranExponentsSignsAndRemarks) {
  const Lcp lcp = read_as<Lcp>("1\r\n0\r\n1\r\n1\r\n1 1\r\n+1.5D+01\r\n-2d0\r\n\r\n# 3 remarks\r\n", NSM_CLASS_COUNT);
  EXPECT_EQ(lcp.M.values()[0], 15.0);
  EXPECT_EQ(lcp.q[0], -2.0);
}

TEST(Dat, NumbersBeyondTheRangeOfDoubles) {
  EXPECT_EQ(read_as<Lcp>("1 0 1 1 1 1 1e-400 -0.00001e-330").M.values()[0], 0.0);
  expect_error("1 0 1 1 1 1 1 -1e400", NSM_LCP, NSM_NOT_FINITE, "q[0] is -inf");
  expect_error("1 0 1 1 1 1 1 1000e99999999999999999999", NSM_LCP, NSM_NOT_FINITE, "q[0] is inf");
  expect_error("1 0 1 1 1 1 1 1e9223372036854775807", NSM_LCP, NSM_NOT_FINITE, "q[0] is inf");
  EXPECT_EQ(read_as<Lcp>("1 0 1 1 1 1 1 1e-9223372036854775808").q[0], 0.0);
}

TEST(Dat, RelayBoundsMayBeInfinite) {
  const Relay relay = read_as<Relay>("1 0 1 1 1 1 2 3 -inf Infinity", NSM_CLASS_COUNT);
  EXPECT_EQ(relay.lo[0], -examples::infinity);
  EXPECT_EQ(relay.hi[0], examples::infinity);
}

TEST(Dat, MlcpOfBothForms) {
  const std::string whole = "0 1 2 3\n1 0 1\n0 3 3 3 3\n 1 2 3 4 5 6 7 8 9\n -1 -2 -3\n";  // equality row in the middle
  const std::string parts = "1\n1 2 3 4\n5 6\n7 8\n-1\n-2 -3\n";
  const Mlcp both = read_as<Mlcp>("1 1 1 2\n" + whole + parts, NSM_CLASS_COUNT);
  EXPECT_EQ(both.is_complementarity, (IndexVector{1, 0, 1}));
  EXPECT_EQ(both.M.dense()->values, (Vector{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  for (const char* header : {"0 1 1 2\n", "1 2 3\n"}) {  // the second without the flags, as in older files
    const Mlcp blocks = read_as<Mlcp>(header + parts, NSM_CLASS_COUNT);
    EXPECT_EQ(blocks.is_complementarity, (IndexVector{0, 1, 1}));
    EXPECT_EQ(blocks.M.dense()->values, (Vector{1, 7, 8, 5, 1, 3, 6, 2, 4}));  // [A C; D B], A to D row by row
    EXPECT_EQ(blocks.q, (Vector{-1, -2, -3}));
  }
  expect_error("1 1 1 2\n" + whole + "1\n1 2 3 4\n", NSM_MLCP, NSM_BAD_FILE, "C: 2 more numbers expected");
}

std::string generic_blocks(const std::string& tail) {
  return "1 3 3 2 2 2  1 3  1 3  3 2  0 1 2  0 1  0 1  1 1 0 0 1  -1 -1 -1\n" + tail;
}

TEST(Dat, GenericBlocksOfTheIncumbent) {
  const Generic generic = read_as<Generic>(generic_blocks("0\n2\n"), NSM_CLASS_COUNT);
  EXPECT_EQ(generic.block_kind, (IndexVector{NSM_BLOCK_COMPLEMENTARITY, NSM_BLOCK_EQUALITY}));
  EXPECT_EQ(generic.block_size, (IndexVector{1, 2}));
  EXPECT_TRUE(generic.mu.empty());
}

TEST(Dat, GenericBlocksWithOurCoefficients) {
  const Generic generic = read_as<Generic>(generic_blocks("9\n-1 1e+00\n3\n0.5\n"), NSM_CLASS_COUNT);
  EXPECT_EQ(generic.block_kind, (IndexVector{NSM_BLOCK_RELAY, NSM_BLOCK_FRICTION_2D}));
  EXPECT_EQ(generic.lo[0], -1.0);
  EXPECT_EQ(generic.hi[0], 1.0);
  EXPECT_EQ(generic.mu, (Vector{0, 0.5}));
}

// The numbers of block types are numbers.
TEST(Dat, GenericBlocksWhoseCoefficientsLookLikeBlockTypes) {
  const Generic relay = read_as<Generic>(generic_blocks("9\n0\n1\n9\n0 0\n4 9\n"), NSM_CLASS_COUNT);
  EXPECT_EQ(relay.lo, (Vector{0, 0, 0}));
  EXPECT_EQ(relay.hi, (Vector{1, 4, 9}));
  for (const char* mu : {"0", "2", "3", "4", "9"}) {
    const std::string tail = std::string("0\n3\n") + mu + "\n";
    EXPECT_EQ(read_as<Generic>(generic_blocks(tail), NSM_CLASS_COUNT).mu, (Vector{0, std::stod(mu)}));
  }
  const Generic sized = read_as<Generic>("0 2 2 2 2 1 0 0 1 -1 -1\n9 2 0 0 1 1\n", NSM_GENERIC);
  EXPECT_EQ(sized.lo, (Vector{0, 0}));
  EXPECT_EQ(sized.hi, (Vector{1, 1}));
}

TEST(Dat, GenericBlocksWhoseCoefficientsTheIncumbentLost) {
  expect_error(generic_blocks("0\n3\n"), NSM_GENERIC, NSM_BAD_FILE, "mu[1]: the file has no friction coefficient");
  expect_error(generic_blocks("9\n2\n"), NSM_GENERIC, NSM_BAD_FILE, "lo[0]: the file has no bounds");
  expect_error(generic_blocks("0\n9\n# remark\n"), NSM_GENERIC, NSM_BAD_FILE, "lo[1]: the file has no bounds");
  expect_error(generic_blocks("9\n0\n1\n3\n"), NSM_GENERIC, NSM_BAD_FILE, "mu[1]: the file ends");
}

// Plasticity with the law of von Mises: for each point a free row and a disk of the radius sigma_y.
TEST(Dat, VonMisesIsAGenericProblem) {
  const std::string text = "3\n1\n2\n0 3 3 3 3\n2 0 0 0 2 0 0 0 2\n-1 -2 0\n0.5\n";
  for (const nsm_class problem_class : {NSM_CLASS_COUNT, NSM_GENERIC}) {
    const Generic generic = read_as<Generic>(text, problem_class);
    EXPECT_EQ(generic.block_kind, (IndexVector{NSM_BLOCK_EQUALITY, NSM_BLOCK_DISK}));
    EXPECT_EQ(generic.block_size, (IndexVector{1, 2}));
    EXPECT_EQ(generic.mu, (Vector{0, 0.5}));
    EXPECT_EQ(generic.q, (Vector{-1, -2, 0}));
  }
  const auto replaced = [&](const char* model) { return std::string(text).replace(4, 1, model); };
  expect_error(text, NSM_PLASTICITY, NSM_BAD_FILE, "type of model: 2, disks of given radius, is a problem of class generic");
  expect_error(replaced("1") + "0.2\n", NSM_GENERIC, NSM_BAD_FILE, "1, a cone of yield, is a problem of class plasticity");
  expect_error(replaced("3"), NSM_GENERIC, NSM_BAD_FILE, "type of model: 3 is outside 1 .. 2");
  expect_error(text + "0.5\n", NSM_CLASS_COUNT, NSM_BAD_FILE, "'0.5' follows the last field");
  expect_error(text.substr(0, text.size() - 4), NSM_CLASS_COUNT, NSM_BAD_FILE, "sigma_y: 1 more number expected");
}

Problem points_that_yield(nsm_storage storage) {
  Problem problem;
  problem.data = examples::data_of_class(NSM_PLASTICITY, storage);
  const auto cones = std::get<Plasticity>(problem.data);
  Generic generic{cones.W, cones.q, {}, {}, {}, {}, {}};
  for (const double radius : cones.eta) {
    for (const nsm_block_kind kind : {NSM_BLOCK_EQUALITY, NSM_BLOCK_DISK}) generic.block_kind.push_back(kind);
    for (const std::int32_t size : {1, 2}) generic.block_size.push_back(size);
    for (const double mu : {0.0, radius}) generic.mu.push_back(mu);
  }
  problem.data = generic;
  return problem;
}

TEST(Dat, VonMisesIsWrittenAsItIsRead) {
  for (const nsm_storage storage : {NSM_DENSE, NSM_CSC, NSM_BLOCK_CSR}) {
    Problem problem = points_that_yield(storage);
    const std::string text = format_dat(problem);
    EXPECT_EQ(examples::dump(parse_dat(text, NSM_CLASS_COUNT)), examples::dump(problem));
    for (std::size_t cut = 0; cut < text.size(); cut += 1 + cut / 16) error_of(text.substr(0, cut));
  }
}

TEST(Dat, OtherDisksHaveNoPlace) {
  Problem problem = points_that_yield(NSM_DENSE);
  std::get<Generic>(problem.data).block_kind[0] = NSM_BLOCK_COMPLEMENTARITY;
  try {
    format_dat(problem);
    FAIL() << "a disk became something else";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), NSM_UNKNOWN_FORMAT);
    EXPECT_NE(error.message().find("disks other than one behind each equality"), std::string::npos) << error.message();
  }
}

TEST(Dat, OldMlcpFilesEndWithASolution) {
  const std::string problem = "0 1 1 2\n1\n1 2 3 4\n5 6\n7 8\n-1\n-2 -3\n";
  EXPECT_EQ(read_as<Mlcp>(problem + "0.1 0.2 0.3 0.4\n", NSM_CLASS_COUNT).q.size(), 3U);
  expect_error(problem + "0.1 0.2 0.3", NSM_CLASS_COUNT, NSM_BAD_FILE, "solution");
  expect_error(problem + "0.1 0.2 0.3 0.4 0.5", NSM_CLASS_COUNT, NSM_BAD_FILE, "'0.5' follows the last field");
}

TEST(Dat, GlobalFrictionWithoutContacts) {
  const GlobalFriction global = read_as<GlobalFriction>("2 0 0 1 1 1 1 4 0 1 0 1 0 -3\n", NSM_CLASS_COUNT);
  EXPECT_EQ(global.H.rows(), 1);
  EXPECT_EQ(global.H.cols(), 0);
  EXPECT_EQ(global.f, (Vector{-3}));
}

// --- which class ---

std::string one_contact(const std::string& tail) { return "3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 0 0 " + tail; }

TEST(DatDetection, TheFlagOfOldFrictionFiles) {
  EXPECT_EQ(read_problem_memory(one_contact("1.0e-01\n1\n"), "file", NSM_CLASS_COUNT).problem_class(), NSM_FRICTION);
  EXPECT_EQ(read_problem_memory(one_contact("1.0e-01\n0\n"), "file", NSM_CLASS_COUNT).problem_class(), NSM_FRICTION);
  EXPECT_EQ(read_problem_memory(one_contact("1.0e-01\n1.0e+00\n"), "file", NSM_CLASS_COUNT).problem_class(), NSM_ROLLING);
}

TEST(DatDetection, SeveralClassesFit) {
  expect_error(one_contact("0.1\n1\n"), NSM_CLASS_COUNT, NSM_AMBIGUOUS, "friction and rolling");
  EXPECT_EQ(read_as<Friction>(one_contact("0.1\n1\n")).mu, Vector{0.1});
  EXPECT_EQ(read_as<Rolling>(one_contact("0.1\n1\n")).mu_r, Vector{1});
  EXPECT_EQ(read_as<Rolling>(one_contact("1.0e-01\n1\n")).mu_r, Vector{1});
}

TEST(DatDetection, NoClassFits) {
  expect_error("hello world\n", NSM_CLASS_COUNT, NSM_UNKNOWN_FORMAT, "neither HDF5, JSON");
  expect_error(" \n", NSM_CLASS_COUNT, NSM_BAD_FILE, "empty");
  expect_error("", NSM_LCP, NSM_BAD_FILE, "empty");
  expect_error("2\n0\n2\n2\n2 2\n1 0\n0 1\n-1 x\n", NSM_CLASS_COUNT, NSM_BAD_FILE,
               "file: as lcp: line 8: q[1]: 'x' is not a number");
  expect_error("1 0 1 1 1 1 2 3 4", NSM_CLASS_COUNT, NSM_BAD_FILE, "hi");
}

TEST(DatDetection, TheNamedClassMustFit) {
  expect_error("1 0 1 1 1 1 2 3", NSM_RELAY, NSM_BAD_FILE, "as relay: line 1: lo: 1 more number expected");
  expect_error("1 0 1 1 1 1 2 3", NSM_AVI, NSM_BAD_FILE, "does not state the set");
  expect_error("1 0 1 1 1 1 2 3 remark", NSM_LCP, NSM_BAD_FILE, "'remark' follows the last field");  // not on a line of its own
}

// --- messages ---

TEST(DatMessages, NameLineFieldAndValue) {
  expect_error("2\n9\n", NSM_LCP, NSM_BAD_FILE, "line 2: M: storage type 9 is none of 0 dense, 1 block, 2 sparse");
  expect_error("2\n0\n2\n2\n2 3\n", NSM_LCP, NSM_BAD_FILE, "line 5: M: sizes 2 x 2 and then 2 x 3");
  expect_error("2\n0\n-2\n", NSM_LCP, NSM_BAD_FILE, "line 3: M: -2 is outside");
  expect_error("1 0 99999999999999999999 1", NSM_LCP, NSM_BAD_FILE, "99999999999999999999 is outside");
  expect_error("0\n", NSM_LCP, NSM_BAD_FILE, "n: 0 is outside 1");
  expect_error("4 0 1 1 1 1 1 1\n", NSM_FRICTION, NSM_BAD_FILE, "dimension: 4 is outside 2 .. 3");
  expect_error("4 0 1 1 1 1 1 1\n", NSM_ROLLING, NSM_BAD_FILE, "4 is neither 3 nor 5");
  expect_error(one_contact("-0.5"), NSM_FRICTION, NSM_INVALID_VALUE, "mu[0] = -0.5 is negative");
  expect_error("1 0 1 1 1 1 nan 3", NSM_LCP, NSM_NOT_FINITE, "M(0, 0) is nan");
}

TEST(DatMessages, SizesThatLieAreRefusedBeforeAnyAllocation) {
  expect_error("2000000000 0 2000000000 2000000000 2000000000 2000000000 1", NSM_LCP, NSM_BAD_FILE, "size 2000000000 announced");
  expect_error("4 0 4 4 4 4 1 2 3", NSM_LCP, NSM_BAD_FILE, "16 more numbers expected");
  expect_error(sparse_lcp("1\n" + version + "2-by-2, nzmax: 2000000000 nnz: 2000000000\n"), NSM_LCP, NSM_BAD_FILE,
               "2000000000 more numbers expected");
}

TEST(DatMessages, SparseStructure) {
  const std::string head = "1\n" + version + "triplet: 2-by-2, nzmax: 2 nnz: 2\n";
  expect_error(sparse_lcp(head + "0 0 : 1\n0 2 : 1\n"), NSM_LCP, NSM_INVALID_STRUCTURE, "column 2 is outside 0 .. 1");
  expect_error(sparse_lcp(head + "0 0 : 1\n-1 0 : 1\n"), NSM_LCP, NSM_INVALID_STRUCTURE, "row -1 is outside 0 .. 1");
  expect_error(sparse_lcp(head + "0 1 : 1\n0 1 : 1\n"), NSM_LCP, NSM_INVALID_STRUCTURE, "twice");
  expect_error(sparse_lcp(head + "0 1 1\n0 1 : 1\n"), NSM_LCP, NSM_BAD_FILE, "'1' stands where ':' is expected");
  expect_error(sparse_lcp("1\n" + version + "2 by 2\n"), NSM_LCP, NSM_BAD_FILE, "sparse header");
  expect_error(sparse_lcp("1\n" + version + "triplet: 2-by-3, nzmax: 2 nnz: 2\n"), NSM_LCP, NSM_BAD_FILE,
               "2 x 2 and then 2-by-3");
}

TEST(DatMessages, BlockStructure) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = blocks_of_uneven_size;
    return text.replace(text.find(from), from.size(), to);
  };
  expect_error(with("1 3\n1 3\n", "1 2\n1 3\n"), NSM_LCP, NSM_BAD_FILE, "the last end is 2, the matrix has 3");
  expect_error(with("1 3\n1 3\n", "3 3\n1 3\n"), NSM_LCP, NSM_BAD_FILE, "M (row ends)[1]: 3 is outside 4 .. 3");
  expect_error(with("0 1 3\n", "0 1 2\n"), NSM_LCP, NSM_BAD_FILE, "the last entry is 2, the matrix has 3 blocks");
  expect_error(with("0 0 1\n", "0 0 2\n"), NSM_LCP, NSM_BAD_FILE, "M (index2)[2]: 2 is outside 0 .. 1");
  expect_error("2 1 2 2  2 1 2  2  1 2  2 2  0 2  1 1  0 1 1  1 2 2  0 0", NSM_LCP, NSM_INVALID_STRUCTURE,
               "stands twice in block row 0");
  expect_error(with("\n2\n11", "\n5\n11"), NSM_LCP, NSM_BAD_FILE, "M (block number): 5 is outside 2 .. 2");
}

TEST(DatMessages, WhatTextFilesCannotHold) {
  Problem problem;
  problem.data = examples::data_of_class(NSM_GLOBAL_FRICTION, NSM_DENSE);
  try {
    format_dat(problem);
    FAIL() << "bilateral constraints were dropped";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), NSM_UNKNOWN_FORMAT);
  }
}

// Any prefix and any changed byte must end in a problem or in an Error. The sanitizers watch.
TEST(DatRobustness, PrefixesAndChangedBytes) {
  for (const nsm_class problem_class : examples::storable_classes())
    for (const nsm_storage storage : {NSM_DENSE, NSM_CSC, NSM_BLOCK_CSR}) {
      const std::string text = format_dat(example(problem_class, storage));
      for (std::size_t cut = 0; cut < text.size(); cut += 1 + cut / 16) error_of(text.substr(0, cut));
      for (std::size_t place = 0; place < text.size(); place += 1 + place / 16)
        for (const char byte : {'9', '-', ' ', 'e'}) {
          std::string changed = text;
          changed[place] = byte;
          error_of(changed);
        }
    }
}

// --- real files ---

nsm_class class_of_folder(const std::string& folder) {
  static const std::map<std::string, nsm_class> classes = {{"fc2d", NSM_FRICTION},
                                                           {"fc3d", NSM_FRICTION},
                                                           {"gfc2d", NSM_GLOBAL_FRICTION},
                                                           {"gfc3d", NSM_GLOBAL_FRICTION},
                                                           {"generic", NSM_GENERIC},
                                                           {"lcp", NSM_LCP},
                                                           {"mlcp", NSM_MLCP},
                                                           {"relay", NSM_RELAY},
                                                           {"rolling", NSM_ROLLING}};
  const auto found = classes.find(folder);
  return found == classes.end() ? NSM_CLASS_COUNT : found->second;
}

TEST(DatCollection, EveryFileIsOfTheClassOfItsFolder) {
  const char* folder = collected::folder();
  if (!folder || !std::filesystem::is_directory(folder)) GTEST_SKIP() << "NONSMOOTH_COLLECTION names no folder";
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".dat") continue;
    const nsm_class expected = class_of_folder(entry.path().parent_path().filename());
    if (expected == NSM_CLASS_COUNT) continue;
    ++count;
    try {
      const Problem problem = read_problem(entry.path(), NSM_CLASS_COUNT);
      EXPECT_EQ(problem.problem_class(), expected) << entry.path();
      if (entry.file_size() > collected::largest_written) continue;
      const Problem again = parse_dat(format_dat(problem), NSM_CLASS_COUNT);
      EXPECT_TRUE(examples::dump(again) == examples::dump(problem)) << entry.path();
      EXPECT_TRUE(examples::dump(read_problem(entry.path(), expected)) == examples::dump(problem)) << entry.path();
    } catch (const Error& error) {
      ADD_FAILURE() << error.message();
    }
  }
  EXPECT_GT(count, 0) << "no .dat files in " << folder;
}

}  // namespace nonsmooth::io_dat_test
