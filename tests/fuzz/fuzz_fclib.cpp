#include <optional>

#include "fuzz.hpp"

using namespace nonsmooth;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::view(data, size);
  std::optional<Problem> problem;
  fuzz::tolerate_errors([&] { problem = parse_fclib(bytes, NSM_CLASS_COUNT); });
  if (problem) {
    const std::string written = format_fclib(*problem);
    fuzz::require_same(format_fclib(parse_fclib(written, problem->problem_class())), written);
    fuzz::tolerate_errors([&] { parse_solution_fclib(*problem, bytes); });
  }
  fuzz::tolerate_errors([&] { parse_fclib(bytes, NSM_GLOBAL_FRICTION); });
  return 0;
}
