// Model files: a model, or an Error that names the text.
#include <cstdint>
#include <cstdlib>
#include <nonsmooth/kernel/model_file.hpp>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Libraries are the user's own business.
  if (text.find("plugin") != std::string_view::npos) return 0;
  try {
    nonsmooth::kernel::readModelText(text, "input");
  } catch (const nonsmooth::kernel::Error& error) {
    if (std::string_view(error.what()).rfind("input", 0) != 0) std::abort();
  }
  return 0;
}
