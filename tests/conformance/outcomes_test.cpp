// Every method on every small basic problem of data/INDEX.json that is of one of its classes: it ends as the index tells, unless
// the table below lets it fail. A failure is honest: no claim, and a refusal names the method.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <nonsmooth/nonsmooth.hpp>
#include <set>
#include <string>

namespace outcomes_test {

using Names = std::set<std::string>;

constexpr std::int64_t largest_size = 200;
constexpr double iterations = 20000;

const Names polyhedra = {"avi_polyhedron_6.json", "qp_polyhedron_6.json"};
const Names not_symmetric_box = {"lcp_murty_16.json",       "lcp_chandrasekaran_16.json", "lcp_harker_pang_20.json",
                                 "lcp_bimatrix_10.json",    "lcp_tridiagonal_200.mtx",    "mlcp_diode_bridge.json",
                                 "mlcp_constructed_12.dat", "relay_sliding_mode_6.json",  "avi_box_20.json",
                                 "avi_polyhedron_6.json",   "qp_polyhedron_6.json"};

const Names not_a_grid = {"lcp_murty_16.json",       "lcp_fathi_16.json",         "lcp_chandrasekaran_16.json",
                          "lcp_harker_pang_20.json", "lcp_psd_infeasible_2.json", "lcp_bimatrix_10.json",
                          "lcp_psd_solvable_2.json", "lcp_tridiagonal_200.mtx",   "mlcp_diode_bridge.json",
                          "mlcp_constructed_12.dat", "relay_sliding_mode_6.json", "avi_box_20.json",
                          "avi_polyhedron_6.json",   "qp_polyhedron_6.json"};

const Names friction_in_space = {"friction_3d_constructed_12.json",
                                 "friction_3d_box_stack.json",
                                 "friction_3d_sphere_pile_63.json",
                                 "friction_3d_incline_sticks.json",
                                 "friction_3d_incline_slides.json",
                                 "global_friction_3d_sphere_pile_63.json",
                                 "global_friction_3d_coupled_boxes.json",
                                 "global_friction_3d_falling_box.json",
                                 "global_friction_3d_box_stack.hdf5",
                                 "friction_3d_beads_10.json",
                                 "friction_3d_plate_25.json",
                                 "global_friction_3d_pyramid_32.json",
                                 "global_friction_3d_rocks.json",
                                 "global_friction_3d_elastic_cube_9.json",
                                 "generic_mechanism_18.json"};
const Names generic_contacts = {"generic_mechanism_18.json", "generic_slider_crank.json"};
Names with(Names names, const Names& more) {
  names.insert(more.begin(), more.end());
  return names;
}

// What a method need not solve; all else it must.
struct Exceptions {
  Names may_refuse, may_fail;
};
const std::map<std::string, Exceptions>& exceptions() {
  static const std::map<std::string, Exceptions> table = {
      {"auto", {}},
      {"lemke", {friction_in_space, {}}},
      {"sparse_lemke", {generic_contacts, {"lcp_bimatrix_10.json"}}},
      {"cao_ferris", {generic_contacts, {"lcp_psd_infeasible_2.json", "lcp_bimatrix_10.json"}}},
      {"direct", {generic_contacts, {}}},
      {"interior_point", {generic_contacts, {"lcp_bimatrix_10.json"}}},
      {"relaxed_reflect_reflect", {generic_contacts, {"lcp_psd_infeasible_2.json", "mlcp_diode_bridge.json"}}},
      {"admm", {{}, {"lcp_psd_infeasible_2.json", "lcp_bimatrix_10.json"}}},
      {"active_set", {with(polyhedra, generic_contacts), {"lcp_psd_infeasible_2.json", "lcp_bimatrix_10.json"}}},
      {"projected_multigrid", {with(not_a_grid, generic_contacts), {}}},
      {"josephy_newton", {}},
      {"enumeration", {with(polyhedra, friction_in_space), {"friction_2d_wall.dat", "global_friction_2d_wall.json"}}},
      {"block_gauss_seidel", {polyhedra, {"lcp_psd_infeasible_2.json", "lcp_bimatrix_10.json", "mlcp_diode_bridge.json"}}},
      {"semismooth_newton", {{}, {"lcp_psd_infeasible_2.json"}}},
      {"friction_interior_point", {{"soclcp_constructed_20.json"}, {"global_friction_2d_pendulum_5.json"}}},
      {"proximal_newton", {}},
      {"friction_central_path", {{}, {"global_friction_2d_pendulum_5.json", "global_friction_2d_slider_crank.json"}}},
      {"block_principal_pivoting", {{}, {"lcp_psd_infeasible_2.json"}}},
      {"principal_pivoting", {generic_contacts, {"lcp_bimatrix_10.json"}}},
      {"jacobi",
       {polyhedra,
        {"lcp_chandrasekaran_16.json", "lcp_psd_infeasible_2.json", "lcp_bimatrix_10.json", "mlcp_diode_bridge.json",
         "friction_3d_box_stack.json", "friction_3d_sphere_pile_63.json", "global_friction_3d_box_stack.hdf5",
         "global_friction_3d_sphere_pile_63.json"}}},
      {"projected_conjugate_gradient", {with(not_symmetric_box, friction_in_space), {"lcp_psd_infeasible_2.json"}}},
      {"douglas_rachford", {}},
      {"tresca", {}},
      {"panagiotopoulos", {}},
      {"de_saxce_fixed_point", {}},
      {"projected_gradient", {polyhedra, {"lcp_psd_infeasible_2.json", "lcp_bimatrix_10.json", "mlcp_diode_bridge.json"}}},
      {"accelerated_projected_gradient",
       {polyhedra, {"lcp_psd_infeasible_2.json", "lcp_bimatrix_10.json", "lcp_tridiagonal_200.mtx", "mlcp_diode_bridge.json"}}},
      {"latin", {with(polyhedra, generic_contacts), {"lcp_psd_infeasible_2.json", "lcp_bimatrix_10.json"}}},
      {"extragradient", {polyhedra, {"lcp_psd_infeasible_2.json", "lcp_bimatrix_10.json"}}},
      {"fixed_point_projection", {polyhedra, {"lcp_psd_infeasible_2.json", "lcp_bimatrix_10.json", "mlcp_diode_bridge.json"}}},
  };
  return table;
}

class Outcomes : public testing::TestWithParam<int> {};

// On one problem of the index.
void expect_outcome(const nsm_method_info& method, const nlohmann::json& entry) {
  const std::string file = entry.at("file"), expected = entry.at("outcome");
  SCOPED_TRACE(file);
  const nsm::Problem problem = nsm::Problem::read(std::string(NONSMOOTH_DATA_DIR) + "/" + file);
  if (problem.size() > largest_size || ((method.classes >> problem.problem_class()) & 1u) == 0) return;
  const auto row = exceptions().find(method.name);
  ASSERT_NE(row, exceptions().end()) << "no row in the table of this test";
  const double tolerance = entry.at("tolerance");
  try {
    const double seconds = row->second.may_fail.contains(file) ? 2 : 0;  // what need not be solved need not take long
    nsm::Solver solver(problem, method.name,
                       nsm::Options{{"tolerance", tolerance}, {"max_iterations", iterations}, {"time_limit", seconds}});
    const nsm::Result result = solver.solve();
    const double residual = nsm::certify(problem, solver.solution().z, {}, tolerance).residual;
    EXPECT_TRUE(nsm::name(result.outcome()) == expected || row->second.may_fail.contains(file))
        << nsm::name(result.outcome()) << ", residual " << residual;
    EXPECT_TRUE(!result.converged() || (residual <= tolerance && expected == "converged"));
  } catch (const nsm::Error& error) {
    EXPECT_EQ(error.status(), NSM_UNSUPPORTED) << error.what();
    EXPECT_NE(std::string(error.what()).find(method.name), std::string::npos) << error.what();
    EXPECT_TRUE(row->second.may_refuse.contains(file)) << error.what();
  }
}

TEST_P(Outcomes, AreThoseOfTheTable) {
  const nsm_method_info method = nsm::methods().at(static_cast<std::size_t>(GetParam()));
  const nlohmann::json index = nlohmann::json::parse(std::ifstream(std::string(NONSMOOTH_DATA_DIR) + "/INDEX.json"));
  for (const auto& entry : index.at("problems"))
    if (entry.value("basic", false)) expect_outcome(method, entry);
}

std::string method_name(const testing::TestParamInfo<int>& index) {
  return nsm::methods().at(static_cast<std::size_t>(index.param)).name;
}
INSTANTIATE_TEST_SUITE_P(Methods, Outcomes, testing::Range(0, static_cast<int>(nsm_method_count())), method_name);

}  // namespace outcomes_test
