// Writes the seeds of the fuzz targets: tiny problems of every class in every format. Usage: make_corpus CORPUS_FOLDER
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "../unit/io_examples.hpp"
#include "../unit/io_test_file.hpp"
#include "fuzz.hpp"

using namespace nonsmooth;

namespace {

void write(const std::filesystem::path& folder, const std::string& name, const std::string& bytes) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / name, std::ios::binary) << bytes;
}

// What the reader of HDF5 knows beyond our own writer: compressed chunks, strings of variable length, the newest format.
void write_foreign_hdf5(const std::filesystem::path& folder) {
  for (const bool newest : {false, true})
    for (const bool compressed : {false, true}) {
      examples::TestFile file(newest);
      file.compressed = compressed;
      file.local_frame();
      examples::add_csr(file);
      file.group("/fclib_local/info");
      file.variable_string("/fclib_local/info/title", "title");
      write(folder, std::string("foreign") + (newest ? "_newest" : "") + (compressed ? "_compressed" : ""), file.bytes());
    }
}

// A local problem and a global one, that have nothing to do with each other.
void write_two_forms(const std::filesystem::path& folder) {
  examples::TestFile file;
  file.local_frame();
  examples::add_csr(file);
  file.group("/fclib_global");
  file.integers("/fclib_global/spacedim", {3});
  file.matrix("/fclib_global/M", 3, 3, {0, 1, 2}, {0, 1, 2}, {1, 2, 3});
  file.matrix("/fclib_global/H", 3, 3, {0, 1, 2}, {0, 1, 2}, {1, 1, 1});
  file.group("/fclib_global/vectors");
  file.reals("/fclib_global/vectors/f", {0, 0, -1});
  file.reals("/fclib_global/vectors/w", {0, 0, 0});
  file.reals("/fclib_global/vectors/mu", {0.5});
  write(folder, "two_forms", file.bytes());
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: make_corpus CORPUS_FOLDER\n");
    return 3;
  }
  const std::filesystem::path corpus = arguments[1];
  constexpr const char* storages[] = {"dense", "csc", "block"};
  for (const nsm_class c : examples::storable_classes())
    for (int s = 0; s < 3; ++s) {
      const Problem problem = examples::problem(c, static_cast<nsm_storage>(s));
      const std::string name = std::string(nsm_class_name(problem.problem_class())) + "_" + storages[s];
      write(corpus / "json", name, format_json(problem));
      if (s == NSM_CSC) write(corpus / "fclib", name, format_fclib(problem));
      fuzz::tolerate_errors([&] { write(corpus / "dat", name, static_cast<char>('0' + c) + format_dat(problem)); });
      fuzz::tolerate_errors([&] {
        const MatrixMarketFiles files = format_matrix_market(problem);
        write(corpus / "matrix_market", name, files.m + '\f' + files.q);
      });
    }
  write_foreign_hdf5(corpus / "fclib");
  write_two_forms(corpus / "fclib");
  const Problem lcp = examples::problem(NSM_LCP, NSM_DENSE);
  write(corpus / "json", "solution", format_solution_json(lcp, lcp.solution_z, lcp.solution_w, "lemke", nullptr));
  return 0;
}
