#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "common.hpp"

namespace cli {
namespace {

struct InfoArguments {
  std::string file, problem_class;
  bool json = false;
};

const char* storage_text(int32_t storage) {
  switch (storage) {
    case NSM_DENSE: return "dense";
    case NSM_CSC: return "csc";
    default: return "block_csr";
  }
}

// Of the symmetric part; eigenvalues below rounding count as zero.
const char* definiteness_text(const nsm_description& facts) {
  const double zero = 1e-12 * std::fmax(std::fabs(facts.eigenvalue_min), std::fabs(facts.eigenvalue_max));
  if (facts.eigenvalue_min_estimated != 0) {
    if (facts.eigenvalue_min >= -zero) return "not known, no negative eigenvalue seen";
    if (facts.eigenvalue_max <= zero) return "not known, no positive eigenvalue seen";
  }
  if (facts.eigenvalue_min > zero) return "positive definite";
  if (facts.eigenvalue_min >= -zero) return "positive semidefinite";
  if (facts.eigenvalue_max < -zero) return "negative definite";
  return facts.eigenvalue_max <= zero ? "negative semidefinite" : "indefinite";
}

void print_text(const InfoArguments& arguments, const nsm_problem* problem, const nsm_description& facts,
                const std::vector<nsm_class>& other_forms) {
  const auto number = [](int64_t value) { return static_cast<long long>(value); };
  const auto kind = static_cast<nsm_class>(facts.problem_class);
  std::printf("%s: %s\n", arguments.file.c_str(), nsm_class_name(kind));
  if (const std::string title = programs::one_line(nsm_problem_title(problem)); !title.empty())
    std::printf("  title         %s\n", title.c_str());
  std::printf("  class         %s\n", nsm_class_text(kind));
  std::printf("  unknowns      %lld, %lld of them in equalities\n", number(facts.size), number(facts.equalities));
  std::printf("  sets          %lld", number(facts.blocks));
  std::printf(facts.dimension > 0 ? ", contacts of dimension %d\n" : "\n", facts.dimension);
  std::printf("  matrix        %lld x %lld, %s, %lld entries\n", number(facts.rows), number(facts.cols),
              storage_text(facts.storage), number(facts.nonzeros));
  std::printf("  symmetry      defect %.3g\n", facts.symmetry_defect);
  std::printf("  definiteness  %s (symmetric part, eigenvalues %.3g .. %.3g)\n", definiteness_text(facts), facts.eigenvalue_min,
              facts.eigenvalue_max);
  std::printf("  %s           %.6g\n", kind == NSM_GLOBAL_FRICTION || kind == NSM_GLOBAL_ROLLING ? "|f|" : "|q|", facts.q_norm);
  if (facts.dimension > 0) std::printf("  mu            %g .. %g\n", facts.mu_min, facts.mu_max);
  for (const nsm_class form : other_forms)
    std::printf("  also holds    %s (--class %s)\n", nsm_class_name(form), nsm_class_name(form));
}

nlohmann::ordered_json facts_json(const InfoArguments& arguments, const nsm_problem* problem, const nsm_description& facts,
                                  const std::vector<nsm_class>& other_forms) {
  std::vector<std::string> others;
  for (const nsm_class form : other_forms) others.emplace_back(nsm_class_name(form));
  return {{"file", arguments.file},
          {"class", nsm_class_name(static_cast<nsm_class>(facts.problem_class))},
          {"also_holds", others},
          {"title", nsm_problem_title(problem)},
          {"size", facts.size},
          {"equalities", facts.equalities},
          {"blocks", facts.blocks},
          {"dimension", facts.dimension},
          {"storage", storage_text(facts.storage)},
          {"rows", facts.rows},
          {"cols", facts.cols},
          {"nonzeros", facts.nonzeros},
          {"symmetry_defect", facts.symmetry_defect},
          {"definiteness", definiteness_text(facts)},
          {"eigenvalue_min", facts.eigenvalue_min},
          {"eigenvalue_max", facts.eigenvalue_max},
          {"eigenvalue_min_estimated", facts.eigenvalue_min_estimated != 0},
          {"q_norm", facts.q_norm},
          {"mu_min", facts.mu_min},
          {"mu_max", facts.mu_max},
          {"default_method", nsm_default_method(problem)}};
}

void info(const InfoArguments& arguments) {
  const ProblemFile file(arguments.file);
  const ProblemHandle problem = file.read(arguments.problem_class);
  nsm_description facts{};
  facts.struct_size = sizeof facts;
  require_file(nsm_problem_describe(problem.get(), &facts), arguments.file);
  const std::vector<nsm_class> other_forms = file.other_forms(nsm_problem_class(problem.get()));
  if (arguments.json)
    print_json(facts_json(arguments, problem.get(), facts, other_forms));
  else
    print_text(arguments, problem.get(), facts, other_forms);
}

}  // namespace

void add_info(CLI::App& app, ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("info", "say what a problem file holds");
  auto arguments = std::make_shared<InfoArguments>();
  command->add_option("FILE", arguments->file, "problem file")->required();
  add_class_option(*command, arguments->problem_class);
  command->footer(R"(
Examples:
  nonsmooth info problem.hdf5
  nonsmooth info problem.dat --class friction
  nonsmooth info two_forms.hdf5 --class global_friction --json)");
  command->add_flag("--json", arguments->json, "one JSON object on one line instead of text");
  command->callback([arguments, &exit_code] {
    info(*arguments);
    exit_code = success;
  });
}

}  // namespace cli
