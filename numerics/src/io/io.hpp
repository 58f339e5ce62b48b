// Files: read, write, find out what they are. Entry points of the io layer.
//
// Every reader treats its input as hostile: it never allocates more than a small multiple of the bytes it was given, checks every
// size before use, and throws Error whose message names the field and the value ("q[3] is nan", "M: 4 rows announced, file ends
// after 2").
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "nonsmooth/io.h"
#include "problems/problem.hpp"

namespace nonsmooth {

// problem_class: NSM_CLASS_COUNT finds it by content. The result is validated. Errors name the file.
Problem read_problem(const std::string& path, nsm_class problem_class);
Problem read_problem_memory(std::string_view bytes, const std::string& name, nsm_class problem_class);
void write_problem(const Problem& problem, const std::string& path, nsm_format format);
// Fails with NSM_UNSUPPORTED for the classes with callbacks. All readers and writers of problems ask first.
void require_storable(nsm_class problem_class);
// By file ending; NSM_UNKNOWN_FORMAT if it has none of ours.
nsm_format format_from_path(const std::string& path);
nsm_format solution_format_from_path(const std::string& path);  // the two that solutions are written in
nsm_format format_from_name(const std::string& name);

struct Solution {
  Vector z, w;           // w may be empty
  Vector infeasibility;  // instead of both: y of a proof that there is no solution
};
Solution read_solution(const Problem& problem, const std::string& path);
void write_solution(const Problem& problem, const std::string& path, std::span<const double> z, std::span<const double> w,
                    const char* method, const nsm_result* result);
void write_infeasibility(const Problem& problem, const std::string& path, std::span<const double> y, const char* method);

// --- one pair per format; each file of this layer implements one ---

// Native JSON (json.cpp).
Problem parse_json(std::string_view bytes, nsm_class problem_class);
std::string format_json(const Problem& problem);
Solution parse_solution_json(std::string_view bytes);
std::string format_solution_json(const Problem& problem, std::span<const double> z, std::span<const double> w, const char* method,
                                 const nsm_result* result);
std::string format_infeasibility_json(const Problem& problem, std::span<const double> y, const char* method);

// Siconos text (dat.cpp, dat_writer.cpp). The class is found by the one grammar that consumes the bytes.
Problem parse_dat(std::string_view bytes, nsm_class problem_class);
std::string format_dat(const Problem& problem);

// Matrix Market (matrix_market.cpp): M and q as two files NAME.mtx, NAME_q.mtx. q_bytes may be empty: then q is missing and it is
// an error.
Problem parse_matrix_market(std::string_view m_bytes, std::string_view q_bytes, nsm_class problem_class);
struct MatrixMarketFiles {
  std::string m, q;
};
MatrixMarketFiles format_matrix_market(const Problem& problem);

// FCLIB HDF5 (fclib.cpp), from an image in memory; friction classes in the FCLIB layout, all others in a group /nonsmooth.
Problem parse_fclib(std::string_view bytes, nsm_class problem_class);
Solution parse_solution_fclib(const Problem& problem, std::string_view bytes);
std::string format_fclib(const Problem& problem);

// Bytes of a file (a size limit is not needed: memory use is bounded by the file's own size, and devices that are no
// terminals are refused). FILE_ERROR names path and reason.
std::string read_file(const std::string& path);
// Number of the open file that /dev/stdout, /dev/fd/3 and the like stand for; -1: none, or a device or pipe.
int open_file_in(std::string_view path);
// Writes to temporary files in the same folders, syncs, renames once all are written. On failure nothing is left behind and old
// files stay as they were.
struct FileToWrite {
  std::string path;
  std::string_view bytes;
};
void write_files_atomically(std::span<const FileToWrite> files);
void write_file_atomically(const std::string& path, std::string_view bytes);

}  // namespace nonsmooth
