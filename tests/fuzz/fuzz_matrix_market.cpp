#include "fuzz.hpp"

using namespace nonsmooth;

// The input is M and q, parted by the first form feed.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::view(data, size);
  const std::size_t parting = bytes.find('\f');
  const std::string_view q = parting == std::string_view::npos ? std::string_view() : bytes.substr(parting + 1);
  fuzz::tolerate_errors([&] { parse_matrix_market(bytes.substr(0, parting), q, NSM_CLASS_COUNT); });
  return 0;
}
