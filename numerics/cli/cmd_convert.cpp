#include "common.hpp"

namespace cli {
namespace {

struct Arguments {
  std::string from, to, problem_class, format;
};

#define NSM_NAME_(name, value, id, ending, text) id,
const std::vector<std::string> format_names = {NSM_FORMAT_LIST(NSM_NAME_)};
#undef NSM_NAME_

}  // namespace

void add_convert(CLI::App& app, ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("convert", "write a problem in another format");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("FROM", arguments->from, "problem file")->required();
  command->add_option("TO", arguments->to, "file to write; its ending tells the format (.json .hdf5 .h5 .dat .mtx)")->required();
  add_class_option(*command, arguments->problem_class);
  command->add_option("--format", arguments->format, "format, whatever the ending")->check(CLI::IsMember(format_names));
  command->callback([arguments, &exit_code] {
    const ProblemHandle problem = read_problem(arguments->from, arguments->problem_class);
    const char* format = arguments->format.empty() ? nullptr : arguments->format.c_str();
    require_file(nsm_problem_write(problem.get(), arguments->to.c_str(), format), arguments->to);
    exit_code = success;
  });
}

}  // namespace cli
