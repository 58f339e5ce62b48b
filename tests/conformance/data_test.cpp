// Every problem of data/INDEX.json reads, is what the index tells, and ends as it tells. Through the C API alone.
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <nonsmooth/nonsmooth.hpp>
#include <set>
#include <string>
#include <vector>

#include "../support/class_examples.hpp"

namespace data_test {

const std::string data_folder = std::string(NONSMOOTH_DATA_DIR) + "/";

const nlohmann::json& problems() {
  static const nlohmann::json index = nlohmann::json::parse(std::ifstream(data_folder + "INDEX.json"));
  return index.at("problems");
}

class Data : public testing::TestWithParam<std::size_t> {
 protected:
  const nlohmann::json& entry = problems().at(GetParam());
  const std::string file = entry.at("file");
  const double tolerance = entry.at("tolerance");
  const nsm::Problem problem = nsm::Problem::read(data_folder + file);
};

TEST_P(Data, IsWhatTheIndexTells) {
  EXPECT_EQ(nsm::name(problem.problem_class()), entry.at("class").get<std::string>());
  EXPECT_EQ(problem.size(), entry.at("size").get<std::int64_t>());
  const nsm_description description = problem.describe();
  const bool one_block_per_contact = entry.at("class").get<std::string>().find("fric") != std::string::npos ||
                                     entry.at("class").get<std::string>().find("rolling") != std::string::npos;
  if (one_block_per_contact) {
    EXPECT_EQ(description.blocks, entry.at("contacts").get<std::int64_t>());
  }
}

TEST_P(Data, EndsAsTheIndexTells) {
  const std::string expected = entry.at("outcome"), method = entry.value("method", "");
  const bool open = entry.value("open", false);  // not solved so far: what is tested is that nothing is claimed
  const nsm::Options options{{"tolerance", tolerance}, {"time_limit", open ? 1 : 0}};
  nsm::Solver solver(problem, method, options);
  const nsm::Result result = solver.solve();
  const double residual = nsm::certify(problem, solver.solution().z, {}, tolerance).residual;
  if (expected == "unsolvable") {
    EXPECT_FALSE(result.converged());
  } else if (!open) {
    EXPECT_EQ(nsm::name(result.outcome()), expected) << "residual " << residual;
  }
  if (result.converged()) {
    EXPECT_LE(residual, tolerance);
  }
  if (expected == "infeasible") {
    EXPECT_TRUE(nsm::certify_infeasible(problem, solver.infeasibility_certificate()));
  }
}

std::string test_name(const testing::TestParamInfo<std::size_t>& problem) {
  std::string name = problems().at(problem.param).at("file");
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

std::vector<std::size_t> numbers(bool slow) {
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < problems().size(); ++k)
    if (problems()[k].value("slow", false) == slow) chosen.push_back(k);
  return chosen;
}
INSTANTIATE_TEST_SUITE_P(Collection, Data, testing::ValuesIn(numbers(false)), test_name);
INSTANTIATE_TEST_SUITE_P(SlowCollection, Data, testing::ValuesIn(numbers(true)), test_name);

TEST(DataIndex, CoversClassesFormatsAndOutcomes) {
  std::set<std::string> classes, endings, outcomes;
  for (const auto& entry : problems()) {
    const std::string file = entry.at("file");
    classes.insert(entry.at("class").get<std::string>());
    endings.insert(file.substr(file.find('.')));
    outcomes.insert(entry.at("outcome").get<std::string>());
  }
  EXPECT_EQ(classes.size(), support::storable_classes().size());
  EXPECT_EQ(endings, (std::set<std::string>{".json", ".hdf5", ".dat", ".mtx"}));
  EXPECT_TRUE(outcomes.count("infeasible") == 1);
}

TEST(DataIndex, KnownSolutionsAreCertified) {
  for (const auto& entry : problems()) {
    if (!entry.at("solution").get<bool>()) continue;
    const std::string file = entry.at("file");
    SCOPED_TRACE(file);
    const nsm::Problem problem = nsm::Problem::read(data_folder + file);
    const nsm::Solution solution = problem.read_solution(data_folder + file);
    const nsm::Certificate certificate = nsm::certify(problem, solution.z, solution.w, 1e-12);
    EXPECT_TRUE(certificate.certified()) << certificate.residual;
    EXPECT_LE(certificate.w_defect, 1e-12);
  }
}

// A box that slides down a slope: its velocity is h g (sin - mu cos), whatever the reactions.
TEST(DataIndex, SlidingBoxHasItsVelocity) {
  const nsm::Problem problem = nsm::Problem::read(data_folder + "friction_3d_incline_slides.json");
  nsm::Solver solver(problem, nsm::Options{{"tolerance", 1e-12}});
  ASSERT_TRUE(solver.solve().converged());
  const nsm::Vector u = solver.solution().w;
  for (std::size_t contact = 0; contact < 4; ++contact) {
    EXPECT_NEAR(u[3 * contact], 0, 1e-11);
    EXPECT_NEAR(u[3 * contact + 1], 0.01 * 9.81 * (0.6 - 0.5 * 0.8), 1e-11);
    EXPECT_NEAR(u[3 * contact + 2], 0, 1e-11);
  }
}

// The slope is less steep than the cone of friction.
TEST(DataIndex, StickingBoxStays) {
  const nsm::Problem problem = nsm::Problem::read(data_folder + "friction_3d_incline_sticks.json");
  nsm::Solver solver(problem, nsm::Options{{"tolerance", 1e-12}});
  ASSERT_TRUE(solver.solve().converged());
  for (double u : solver.solution().w) EXPECT_NEAR(u, 0, 1e-11);
}

// Rolling resistance mu_r N slows a ball down by the moment mu_r m g at its rim: m v and I omega share the loss.
TEST(DataIndex, RollingBallSlowsDown) {
  const nsm::Problem problem = nsm::Problem::read(data_folder + "rolling_3d_ball.json");
  nsm::Solver solver(problem, nsm::Options{{"tolerance", 1e-12}});
  ASSERT_TRUE(solver.solve().converged());
  const nsm::Solution solution = solver.solution();
  const double weight = 0.01 * 9.81, mass = 1, inertia = 0.1, radius = 0.5;
  EXPECT_NEAR(solution.z[0], weight, 1e-11);
  // Without slip (m R^2 + I) d omega = -mu_r N, from 2 rad/s; the tangential impulse is m R d omega.
  const double change = -0.01 * weight / (mass * radius * radius + inertia);
  EXPECT_NEAR(solution.z[1], mass * radius * change, 1e-11);
  EXPECT_NEAR(std::hypot(solution.w[3], solution.w[4]), 2 + change, 1e-11);
}

}  // namespace data_test
