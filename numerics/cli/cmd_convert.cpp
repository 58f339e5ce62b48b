#include <strings.h>

#include <filesystem>

#include "common.hpp"

namespace cli {
namespace {

struct ConvertArguments {
  std::string from, to, problem_class, format;
};

#define NSM_NAME_(name, value, id, ending, text) id,
const std::vector<std::string> format_names = {NSM_FORMAT_LIST(NSM_NAME_)};
#undef NSM_NAME_

// A file is written anew, with the one problem that was read.
void require_no_other_form(const ConvertArguments& arguments, const ProblemFile& file, const nsm_problem* problem) {
  std::error_code unknown;
  if (!std::filesystem::equivalent(arguments.to, arguments.from, unknown)) return;
  for (const nsm_class form : file.other_forms(nsm_problem_class(problem)))
    throw Failure{bad_file, "'" + arguments.to + "' also holds a problem of class " + nsm_class_name(form) +
                                ", which would be lost (write to another file)"};
}

bool writes_matrix_market(const ConvertArguments& arguments) {
  if (!arguments.format.empty()) return arguments.format == "mtx";
  return strcasecmp(std::filesystem::path(arguments.to).extension().c_str(), ".mtx") == 0;
}

// M and q of Matrix Market are two files: what is written to one would part the other from its own.
void require_other_half(const ConvertArguments& arguments, const ProblemFile& file) {
  std::error_code unknown;
  if (std::filesystem::equivalent(arguments.to, file.file_of_q(), unknown))
    throw Failure{bad_file,
                  "'" + arguments.to + "' holds the q of '" + arguments.from + "', which would be lost (write to another file)"};
  const std::string q = path_of_q(arguments.to);
  if (writes_matrix_market(arguments) && std::filesystem::equivalent(q, arguments.from, unknown))
    throw Failure{bad_file,
                  "'" + q + "' is the problem file: the q of '" + arguments.to + "' would replace it (write to another file)"};
}

}  // namespace

void add_convert(CLI::App& app, ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("convert", "write a problem in another format");
  auto arguments = std::make_shared<ConvertArguments>();
  command->add_option("FROM", arguments->from, "problem file")->required();
  command->add_option("TO", arguments->to, "file to write; its ending tells the format (.json .hdf5 .h5 .dat .mtx)")->required();
  command->footer(R"(
Examples:
  nonsmooth convert problem.dat problem.json --class friction
  nonsmooth convert problem.json problem --format fclib)");
  add_class_option(*command, arguments->problem_class);
  command->add_option("--format", arguments->format, "format, whatever the ending")->check(CLI::IsMember(format_names));
  command->callback([arguments, &exit_code] {
    const ProblemFile file(arguments->from);
    const ProblemHandle problem = file.read(arguments->problem_class);
    require_no_other_form(*arguments, file, problem.get());
    require_other_half(*arguments, file);
    const char* format = arguments->format.empty() ? nullptr : arguments->format.c_str();
    require_file(nsm_problem_write(problem.get(), arguments->to.c_str(), format), arguments->to);
    exit_code = success;
  });
}

}  // namespace cli
