// A problem with friction written twice, over the contacts (W, q) and over the bodies (M, H, f, w): the reactions that solve one
// form solve the other.
#include <gtest/gtest.h>

#include <filesystem>
#include <nonsmooth/nonsmooth.hpp>
#include <string>
#include <utility>
#include <vector>

#include "../support/collected.hpp"

namespace forms_test {

constexpr double tolerance = 1e-8;
constexpr double iterations = 5000;              // the few piles that take more tell nothing about forms
constexpr double other_scale_and_digits = 1e-7;  // residuals of the two forms are relative to |q| and to |w|

// The reactions are the last unknowns of both forms. Empty: not solved.
std::vector<double> reactions(const nsm::Problem& problem, std::int64_t rows) {
  nsm::Solver solver(problem, {}, nsm::Options{{"tolerance", tolerance}, {"max_iterations", iterations}});
  if (!solver.solve().converged()) return {};
  const std::vector<double> z = solver.solution().z;
  return {z.end() - rows, z.end()};
}

// true if both forms were solved.
bool compare(const nsm::Problem& local, const nsm::Problem& global) {
  const std::vector<double> r = reactions(local, local.size()), from_bodies = reactions(global, local.size());
  if (r.empty() || from_bodies.empty()) return false;
  EXPECT_LE(nsm::certify(local, from_bodies, {}, tolerance).residual, other_scale_and_digits);
  return true;
}

TEST(Forms, ShippedProblemsInBothHaveOneSolution) {
  const std::string folder = NONSMOOTH_DATA_DIR;
  const std::pair<const char*, const char*> pairs[] = {
      {"friction_3d_sphere_pile_63.json", "global_friction_3d_sphere_pile_63.json"},
      {"friction_3d_box_stack.json", "global_friction_3d_box_stack.hdf5"}};
  for (const auto& [local, global] : pairs) {
    SCOPED_TRACE(local);
    EXPECT_TRUE(compare(nsm::Problem::read(folder + "/" + local, "friction"), nsm::Problem::read(folder + "/" + global)));
  }
}

TEST(Forms, CollectedProblemsInBothHaveOneSolution) {
  const char* collection = collected::folder();
  if (collection == nullptr) GTEST_SKIP() << "NONSMOOTH_COLLECTION is not set";
  int both = 0, solved = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(collection) / "fclib")) {
    const std::string path = entry.path().string();
    if (entry.path().extension() != ".hdf5" || entry.file_size() > 600'000) continue;
    SCOPED_TRACE(path);
    std::vector<nsm::Problem> forms;
    try {
      forms.push_back(nsm::Problem::read(path, "friction"));
      forms.push_back(nsm::Problem::read(path, "global_friction"));
    } catch (const nsm::Error&) {
      continue;  // in one form only
    }
    ++both;
    solved += compare(forms[0], forms[1]) ? 1 : 0;
  }
  EXPECT_GE(solved, 0.85 * both);
  EXPECT_GT(both, 0);
}

}  // namespace forms_test
