#include <cstdio>

#include "common.hpp"

namespace cli {
namespace {

struct Arguments {
  std::string file, solution, problem_class;
  double tolerance = 1e-8;
  bool json = false;
};

ExitCode check(const Arguments& arguments) {
  if (!(arguments.tolerance >= 0)) throw Failure{usage, "--tolerance: a number that is not negative expected"};
  const ProblemHandle problem = read_problem(arguments.file, arguments.problem_class);
  const Point point = read_point(problem.get(), arguments.solution);
  nsm_certificate certificate = NSM_CERTIFICATE_INIT;
  certificate.tolerance = arguments.tolerance;
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
  CLI::App* command = app.add_subcommand("check", "certify a solution anew, from the problem's own data");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("FILE", arguments->file, "problem file")->required();
  command->add_option("SOLUTION", arguments->solution, "solution file, or a problem file that holds its solution")->required();
  add_class_option(*command, arguments->problem_class);
  command->add_option("--tolerance", arguments->tolerance, "residual to be certified (1e-8)");
  command->add_flag("--json", arguments->json, "one JSON object on one line instead of text");
  command->callback([arguments, &exit_code] { exit_code = check(*arguments); });
}

}  // namespace cli
