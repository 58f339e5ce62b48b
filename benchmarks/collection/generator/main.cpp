// nonsmooth-generate FOLDER [--large | --scaling]: writes the problem collection (data/ in the sources), the large problems, or
// piles and walls of growing size. The same bytes on every machine.
#include <cstdio>
#include <cstring>
#include <exception>

#include "collection.hpp"

int main(int argc, char** argv) {
  using namespace nonsmooth::collection;
  const auto asks = [&](const char* word) { return argc == 3 && std::strcmp(argv[2], word) == 0; };
  const bool large = asks("--large"), scaling = asks("--scaling");
  const bool help = argc == 2 && (std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0);
  if (help || (argc != 2 && !large && !scaling) || argv[1][0] == '-' || argv[1][0] == '\0') {
    std::fprintf(help ? stdout : stderr,
                 "usage: nonsmooth-generate FOLDER [--large | --scaling]\n"
                 "Exit codes: 0 written, 3 wrong usage, 4 a file cannot be written.\n");
    return help ? 0 : 3;
  }
  try {
    Collection collection(argv[1]);
    if (large)
      add_large(collection);
    else if (scaling)
      add_scaling(collection);
    else
      for (const auto add :
           {add_literature, add_lcp_families, add_grids, add_circuits, add_variational, add_contact, add_simulations})
        add(collection);
    collection.write_index();
    std::printf("%zu problems written to %s\n", collection.size(), argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nonsmooth-generate: %s\n", error.what());
    return 4;
  }
  return 0;
}
