// nonsmooth-generate FOLDER [--large | --scaling]: writes the problem collection (data/ in the sources), the large problems, or
// piles and walls of growing size. The same bytes on every machine.
#include <cstdio>
#include <cstring>

#include "../../../programs/program.hpp"
#include "collection.hpp"

int main(int argc, char** argv) {
  using namespace nonsmooth::collection;
  namespace programs = nonsmooth::programs;
  const auto asks = [&](const char* word) { return argc == 3 && std::strcmp(argv[2], word) == 0; };
  const bool large = asks("--large"), scaling = asks("--scaling");
  const bool help = argc == 2 && (std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0);
  if (help || (argc != 2 && !large && !scaling) || argv[1][0] == '-' || argv[1][0] == '\0') {
    std::fprintf(help ? stdout : stderr,
                 "usage: nonsmooth-generate FOLDER [--large | --scaling]\n"
                 "Exit codes: 0 written, 3 wrong usage, 4 a file cannot be written.\n");
    return help ? programs::success : programs::usage;
  }
  const auto run = [&]() -> int {
    Collection collection(argv[1]);
    if (large)
      add_large(collection);
    else if (scaling)
      add_scaling(collection);
    else
      for (const auto add : {add_literature, add_lcp_families, add_grids, add_circuits, add_variational, add_plasticity,
                             add_contact, add_simulations})
        add(collection);
    collection.write_index();
    std::printf("%zu problems written to %s\n", collection.size(), argv[1]);
    return programs::success;
  };
  return programs::run_program("nonsmooth-generate", run, programs::bad_file);
}
