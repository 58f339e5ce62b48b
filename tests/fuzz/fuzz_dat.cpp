#include "fuzz.hpp"

using namespace nonsmooth;

// The first byte chooses the class asked for, as make_corpus writes it: most files fit one grammar only when it is named.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes = fuzz::view(data, size);
  fuzz::tolerate_errors([&] { parse_dat(bytes, NSM_CLASS_COUNT); });
  const auto asked = static_cast<nsm_class>((data[0] + 256 - '0') % 256 % NSM_CLASS_COUNT);
  fuzz::tolerate_errors([&] { parse_dat(bytes.substr(1), asked); });
  return 0;
}
