#include <cstdio>
#include <nlohmann/json.hpp>

#include "common.hpp"

namespace cli {
namespace {

struct CheckArguments {
  std::string file, solution, problem_class;
  double tolerance = 0;
  bool json = false, has_tolerance = false;

  double tolerance_or(double by_default) const { return has_tolerance ? tolerance : by_default; }
};

// For a file that holds a proof of infeasibility instead of a solution.
ExitCode check_infeasibility(const CheckArguments& arguments, const nsm_problem* problem, const std::vector<double>& y) {
  int32_t verified = 0;
  require_file(nsm_certify_infeasible(problem, y.data(), arguments.tolerance_or(NSM_PROOF_TOLERANCE), &verified),
               arguments.solution);
  if (arguments.json)
    print_json({{"file", arguments.file}, {"solution", arguments.solution}, {"infeasible", verified != 0}});
  else
    std::printf("%s\n",
                verified != 0 ? "infeasible: the proof is verified" : "not certified: the proof of infeasibility does not hold");
  return verified != 0 ? infeasible : not_converged;
}

ExitCode check(const CheckArguments& arguments) {
  if (!(arguments.tolerance >= 0 && arguments.tolerance <= 1)) {  // the bounds of `solve`
    char message[64];
    std::snprintf(message, sizeof message, "--tolerance: %g is outside 0 .. 1", arguments.tolerance);
    throw Failure{usage, message};
  }
  const ProblemHandle problem = read_problem(arguments.file, arguments.problem_class);
  const SolutionFile solution(arguments.solution);
  if (std::vector<double> y; solution.read_proof(problem.get(), y)) return check_infeasibility(arguments, problem.get(), y);
  const Point point = solution.read_point(problem.get());
  nsm_certificate certificate = NSM_CERTIFICATE_INIT;
  certificate.tolerance = arguments.tolerance_or(certificate.tolerance);
  require_file(nsm_certify(problem.get(), point.z.data(), point.has_w ? point.w.data() : nullptr, &certificate),
               arguments.solution);
  if (arguments.json) {
    nlohmann::ordered_json line = {{"file", arguments.file}, {"solution", arguments.solution}};
    line.update(certificate_json(certificate));
    print_json(line);
  } else {
    print_certificate(certificate);
    if (point.has_w) std::printf("w given differs from M z + q by %.3g\n", certificate.w_defect);
  }
  return is_certified(certificate) ? success : not_converged;
}

}  // namespace

void add_check(CLI::App& app, ExitCode& exit_code) {
  CLI::App* command =
      app.add_subcommand("check", "certify a solution, or a proof that there is none, anew from the problem's own data");
  auto arguments = std::make_shared<CheckArguments>();
  command->add_option("FILE", arguments->file, "problem file")->required();
  command->add_option("SOLUTION", arguments->solution, "solution file, or a problem file that holds its solution")->required();
  command->footer(R"(
Examples:
  nonsmooth check problem.json solution.json
  nonsmooth check problem.hdf5 problem.hdf5 --tolerance 1e-10

Exit codes: 0 certified, 1 not certified, 2 a proof that there is no solution is verified, 3 wrong usage, 4 bad file.)");
  add_class_option(*command, arguments->problem_class);
  CLI::Option* tolerance =
      command->add_option("--tolerance", arguments->tolerance,
                          "residual to be certified (1e-8); of a proof, by how much of its terms q'y must be below 0 (1e-9)");
  command->add_flag("--json", arguments->json, "one JSON object on one line instead of text");
  command->callback([arguments, tolerance, &exit_code] {
    arguments->has_tolerance = !tolerance->empty();
    exit_code = check(*arguments);
  });
}

}  // namespace cli
