#include <gtest/gtest.h>

#include "core/error.hpp"
#include "io/io.hpp"
#include "io_examples.hpp"

namespace nonsmooth::io_json_test {

struct Failure {
  nsm_status status = NSM_OK;
  std::string message;
};

template <class Call>
Failure failure_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.status(), error.message()};
  }
  return {};
}

void expect_refused(const std::string& json, nsm_status status, const std::string& fragment, nsm_class asked = NSM_CLASS_COUNT) {
  const Failure failure = failure_of([&] { parse_json(json, asked); });
  EXPECT_STREQ(nsm_status_name(failure.status), nsm_status_name(status)) << json << "\n" << failure.message;
  EXPECT_NE(failure.message.find(fragment), std::string::npos) << json << "\n" << failure.message;
}

// A one-by-one LCP with one field replaced or added.
std::string lcp(const std::string& M, const std::string& q = "[1]", const std::string& more = "") {
  return R"({"format": "nonsmooth-problem", "version": 1, "class": "lcp", "M": )" + M + ", \"q\": " + q + more + "}";
}
const std::string unit = R"({"storage": "dense", "rows": 1, "cols": 1, "values": [1]})";

TEST(IoJson, EveryClassAndStorageRoundTripsToTheBit) {
  for (const nsm_class c : examples::storable_classes())
    for (int s = 0; s < 3; ++s) {
      const Problem problem = examples::problem(c, static_cast<nsm_storage>(s));
      const std::string json = format_json(problem);
      const Problem copy = parse_json(json, NSM_CLASS_COUNT);
      EXPECT_EQ(examples::dump(copy), examples::dump(problem));
      EXPECT_EQ(format_json(copy), json);
      EXPECT_NO_THROW(parse_json(json, c));
    }
}

TEST(IoJson, AbsentOptionalFieldsStayAbsent) {
  Problem avi = examples::problem(NSM_AVI, NSM_CSC);
  std::get<Avi>(avi.data).set = {};
  avi.guess.clear();
  avi.title.clear();
  const std::string json = format_json(avi);
  EXPECT_EQ(json.find("\"H\""), std::string::npos);
  EXPECT_EQ(json.find("guess"), std::string::npos);
  EXPECT_EQ(examples::dump(parse_json(json, NSM_CLASS_COUNT)), examples::dump(avi));
}

TEST(IoJson, OneFieldPerLine) {
  Problem problem;
  problem.data = Lcp{Matrix(DenseMatrix{1, 1, {2.0}}, "M"), {-0.0}};
  EXPECT_EQ(format_json(problem),
            "{\n  \"format\": \"nonsmooth-problem\",\n  \"version\": 1,\n  \"class\": \"lcp\",\n  \"M\": {\n"
            "    \"storage\": \"dense\",\n    \"rows\": 1,\n    \"cols\": 1,\n    \"values\": [2]\n  },\n  \"q\": [-0.0]\n}\n");
}

TEST(IoJson, MlcpMayBeGivenInBlocks) {
  auto block = [](const std::string& rows, const std::string& cols, const std::string& values) {
    return R"({"storage": "dense", "rows": )" + rows + ", \"cols\": " + cols + ", \"values\": [" + values + "]}";
  };
  const std::string json = R"({"class": "mlcp", "version": 1, "format": "nonsmooth-problem", "A": )" + block("1", "1", "1") +
                           ", \"B\": " + block("1", "1", "2") + ", \"C\": " + block("1", "1", "3") +
                           ", \"D\": " + block("1", "1", "4") + R"(, "a": [5], "b": [6]})";
  const Problem problem = parse_json(json, NSM_MLCP);
  const Mlcp& mlcp = std::get<Mlcp>(problem.data);
  EXPECT_EQ(to_dense(mlcp.M).values, (Vector{1, 4, 3, 2}));
  EXPECT_EQ(mlcp.q, (Vector{5, 6}));
  EXPECT_EQ(mlcp.is_complementarity, (IndexVector{0, 1}));
}

TEST(IoJson, MlcpMayBeGivenInSparseBlocks) {
  const auto block = [](const char* value) {
    return std::string(R"({"storage": "csc", "rows": 1, "cols": 1, "start": [0, 1], "index": [0], "values": [)") + value + "]}";
  };
  const std::string json = R"({"class": "mlcp", "version": 1, "format": "nonsmooth-problem", "A": )" + block("1") +
                           ", \"B\": " + block("2") + ", \"C\": " + block("3") + ", \"D\": " + block("4") +
                           R"(, "a": [5], "b": [6]})";
  const Problem problem = parse_json(json, NSM_MLCP);
  const Matrix& M = std::get<Mlcp>(problem.data).M;
  EXPECT_NE(M.csc(), nullptr);
  EXPECT_EQ(to_dense(M).values, (Vector{1, 4, 3, 2}));
}

TEST(IoJson, ObjectsHaveFewFields) {
  std::string more;
  for (int k = 0; k < 64; ++k) more += ", \"x" + std::to_string(k) + "\": 1";
  expect_refused(lcp(unit, "[1]", more), NSM_BAD_FILE, "more than 64 fields in one object");
}

TEST(IoJson, BlockKindsByNameOrNumber) {
  const std::string json = format_json(examples::problem(NSM_GENERIC, NSM_DENSE));
  const std::string names = R"(["equality", "complementarity", "relay", "friction_2d", "friction_3d"])";
  ASSERT_NE(json.find(names), std::string::npos);
  std::string numbered = json;
  numbered.replace(numbered.find(names), names.size(), "[0, 1, \"relay\", 3, 4]");
  EXPECT_EQ(format_json(parse_json(numbered, NSM_CLASS_COUNT)), json);
  numbered.replace(numbered.find("relay"), 5, "Relay");
  expect_refused(numbered, NSM_BAD_FILE,
                 "block_kind[2] is \"Relay\", none of equality complementarity relay friction_2d friction_3d disk");
}

TEST(IoJson, DisksHaveTheirRadiusInMu) {
  Problem problem;
  problem.data = Generic{Matrix(DenseMatrix{3, 3, {2, 0, 0, 0, 2, 0, 0, 0, 2}}, "M"),
                         {1, 2, 3},
                         {NSM_BLOCK_EQUALITY, NSM_BLOCK_DISK},
                         {1, 2},
                         {0, 0.75},
                         {},
                         {}};
  const std::string json = format_json(problem);
  EXPECT_NE(json.find(R"(["equality", "disk"])"), std::string::npos) << json;
  const auto again = std::get<Generic>(parse_json(json, NSM_CLASS_COUNT).data);
  EXPECT_EQ(again.block_kind, (IndexVector{NSM_BLOCK_EQUALITY, NSM_BLOCK_DISK}));
  EXPECT_EQ(again.mu, (Vector{0, 0.75}));
}

TEST(IoJson, BadTextIsPlaced) {
  expect_refused("", NSM_BAD_FILE, "line 1");
  expect_refused("{\n  \"format\": nonsense\n}", NSM_BAD_FILE, "line 2, column");
  expect_refused(lcp(unit) + "x", NSM_BAD_FILE, "not valid JSON");
  expect_refused(lcp(unit, "[1, -1e999]"), NSM_BAD_FILE, "): q[1]: number overflow parsing '-1e999'");
  expect_refused(lcp(unit, "[NaN]"), NSM_BAD_FILE, "invalid literal");
  expect_refused(std::string(100000, '['), NSM_BAD_FILE, "deeper than 16");
  expect_refused(std::string(100000, '{'), NSM_BAD_FILE, "not valid JSON");
}

TEST(IoJson, OtherJsonIsUnknown) {
  expect_refused("[1, 2]", NSM_UNKNOWN_FORMAT, "format");
  expect_refused("3", NSM_UNKNOWN_FORMAT, "format");
  expect_refused(R"({"type": "FeatureCollection", "features": [[[1, {"a": null}]]]})", NSM_UNKNOWN_FORMAT, "format");
  expect_refused(R"({"format": "nonsmooth-solution", "version": 1, "z": []})", NSM_BAD_FILE, "nonsmooth-solution");
}

TEST(IoJson, FieldsAreChecked) {
  expect_refused(R"({"features": [[1]], "format": "nonsmooth-problem"})", NSM_BAD_FILE, "features[0] is an array");
  expect_refused(R"({"format": "nonsmooth-problem", "version": 1, "class": "lcp", "q": [1]})", NSM_BAD_FILE,
                 "field M is missing");
  expect_refused(R"({"format": "nonsmooth-problem", "version": 2, "class": "lcp"})", NSM_BAD_FILE, "version is 2");
  expect_refused(R"({"format": "nonsmooth-problem", "version": 1, "class": "LCP"})", NSM_BAD_FILE, "class \"LCP\"");
  expect_refused(R"({"format": "nonsmooth-problem", "version": 1, "class": "lcp\u0000x"})", NSM_BAD_FILE, "class holds a NUL");
  expect_refused(lcp(unit, "[true]"), NSM_BAD_FILE, "q[0] is true; a number expected");
  expect_refused(lcp(unit, "[1]", ", \"extra\": 1"), NSM_BAD_FILE, "unknown field extra");
  expect_refused(lcp(unit, "[1]", ", \"q\": [2]"), NSM_BAD_FILE, "q is given twice");
  expect_refused(lcp(unit, "[\"nan\"]"), NSM_NOT_FINITE, "q[0] is nan");
  expect_refused(lcp(unit, "[\"inf\"]"), NSM_NOT_FINITE, "q[0] is inf");
  expect_refused(lcp(unit, "[\"x\"]"), NSM_BAD_FILE, "q[0] is \"x\"");
  expect_refused(lcp(unit, "[null]"), NSM_BAD_FILE, "q[0] is null");
  expect_refused(lcp(unit, "7"), NSM_BAD_FILE, "q is not an array");
  expect_refused(lcp(unit, "[1, 2]"), NSM_INVALID_DIMENSION, "q has 2 entries, 1 expected");
  expect_refused(lcp(unit, "[1]", R"(, "title": 3)"), NSM_BAD_FILE, "title is not a string");
  expect_refused(lcp(unit, "[1]", R"(, "guess": [1, 2])"), NSM_BAD_FILE, "guess has 2 entries, the problem has 1");
  expect_refused(lcp(unit, "[1]", R"(, "solution": {"z": [1], "w": []  , "u": [1]})"), NSM_BAD_FILE, "solution.u");
  expect_refused(lcp(unit), NSM_BAD_FILE, "of class lcp, relay", NSM_RELAY);
}

TEST(IoJson, MatricesAreChecked) {
  expect_refused(lcp("[1]"), NSM_BAD_FILE, "M is not a matrix: {\"storage\": \"dense\"");
  expect_refused(lcp("[[1]]"), NSM_BAD_FILE, "M[0] is an array; a number expected (a matrix is {\"storage\": \"dense\"");
  expect_refused(lcp(R"({"storage": "csr", "rows": 1, "cols": 1})"), NSM_BAD_FILE, "storage \"csr\"");
  expect_refused(lcp(R"({"storage": "dense", "rows": 1.5, "cols": 1, "values": [1]})"), NSM_BAD_FILE, "M.rows is 1.5");
  expect_refused(lcp(R"({"storage": "dense", "rows": 3e9, "cols": 1, "values": [1]})"), NSM_BAD_FILE, "M.rows is 3000000000");
  expect_refused(lcp(R"({"storage": "dense", "rows": 2147483647, "cols": 2147483647, "values": [1]})"), NSM_INVALID_DIMENSION,
                 "M");
  expect_refused(lcp(R"({"storage": "dense", "rows": 1, "cols": 1, "values": [1], "start": []})"), NSM_BAD_FILE, "M.start");
  expect_refused(lcp(R"({"storage": "csc", "rows": 1, "cols": 1, "start": [0, 1], "index": [1], "values": [1]})"),
                 NSM_INVALID_STRUCTURE, "index[0] = 1");
  expect_refused(lcp(R"({"storage": "csc", "rows": 1, "cols": 2147483647, "start": [0, 1], "index": [0], "values": [1]})"),
                 NSM_INVALID_DIMENSION, "start");
}

TEST(IoJson, EveryPrefixOfAFileIsRefused) {
  const std::string json = format_json(examples::problem(NSM_GENERIC, NSM_BLOCK_CSR));
  for (std::size_t size = 0; size + 2 < json.size(); ++size)
    EXPECT_NE(failure_of([&] { parse_json(std::string_view(json).substr(0, size), NSM_CLASS_COUNT); }).status, NSM_OK) << size;
}

TEST(IoJson, SolutionsRoundTrip) {
  const Problem problem = examples::problem(NSM_LCP, NSM_DENSE);
  const Vector z = examples::hard_vector(6), w = examples::hard_vector(6, 4);
  nsm_result result = NSM_RESULT_INIT;
  result.outcome = NSM_STALLED;
  result.certificate.residual = 1.5e-9;
  const std::string json = format_solution_json(problem, z, w, "lemke", &result);
  EXPECT_NE(json.find("\"outcome\": \"stalled\""), std::string::npos);
  const Solution solution = parse_solution_json(json);
  for (std::size_t k = 0; k < z.size(); ++k) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(solution.z[k]), std::bit_cast<std::uint64_t>(z[k]));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(solution.w[k]), std::bit_cast<std::uint64_t>(w[k]));
  }
  EXPECT_TRUE(parse_solution_json(format_solution_json(problem, z, {}, nullptr, nullptr)).w.empty());
}

TEST(IoJson, AProblemFileServesAsSolutionOrGuess) {
  Problem problem = examples::problem(NSM_LCP, NSM_DENSE);
  EXPECT_EQ(parse_solution_json(format_json(problem)).z, problem.solution_z);
  problem.solution_z.clear();
  EXPECT_EQ(parse_solution_json(format_json(problem)).z, problem.guess);
  problem.guess.clear();
  EXPECT_EQ(failure_of([&] { parse_solution_json(format_json(problem)); }).status, NSM_NOT_AVAILABLE);
}

TEST(IoJson, NanIsNotWritten) {
  const Problem problem = examples::problem(NSM_LCP, NSM_DENSE);
  const Vector z = {0, std::nan("")};
  EXPECT_EQ(failure_of([&] { format_solution_json(problem, z, {}, nullptr, nullptr); }).status, NSM_NOT_FINITE);
}

TEST(IoJson, SolutionsAreFinite) {
  const auto solution = [](const char* z, const char* w) {
    return std::string(R"({"format": "nonsmooth-solution", "version": 1, "z": )") + z + ", \"w\": " + w + "}";
  };
  EXPECT_EQ(parse_solution_json(solution("[1]", "[2]")).w, Vector{2});
  const Failure of_z = failure_of([&] { parse_solution_json(solution("[1, \"inf\"]", "[2]")); }),
                of_w = failure_of([&] { parse_solution_json(solution("[1]", "[\"-inf\"]")); });
  EXPECT_EQ(of_z.status, NSM_NOT_FINITE);
  EXPECT_NE(of_z.message.find("z[1] is inf"), std::string::npos) << of_z.message;
  EXPECT_EQ(of_w.status, NSM_NOT_FINITE);
  EXPECT_NE(of_w.message.find("w[0] is -inf"), std::string::npos) << of_w.message;
}

}  // namespace nonsmooth::io_json_test
