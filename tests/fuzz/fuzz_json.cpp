#include "fuzz.hpp"

using namespace nonsmooth;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::view(data, size);
  std::string written;
  fuzz::tolerate_errors([&] { written = format_json(parse_json(bytes, NSM_CLASS_COUNT)); });
  if (!written.empty()) fuzz::require_same(format_json(parse_json(written, NSM_CLASS_COUNT)), written);
  fuzz::tolerate_errors([&] { parse_solution_json(bytes); });
  return 0;
}
