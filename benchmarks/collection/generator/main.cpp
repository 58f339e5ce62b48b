// nonsmooth-generate FOLDER: writes the problem collection (data/ in the sources). The same bytes on every machine.
#include <cstdio>
#include <exception>

#include "collection.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: nonsmooth-generate FOLDER\n");
    return 2;
  }
  try {
    nonsmooth::collection::Entries entries;
    nonsmooth::collection::add_complementarity(entries);
    nonsmooth::collection::add_variational(entries);
    nonsmooth::collection::add_contact(entries);
    nonsmooth::collection::write_collection(entries, argv[1]);
    std::printf("%zu problems written to %s\n", entries.size(), argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nonsmooth-generate: %s\n", error.what());
    return 1;
  }
  return 0;
}
