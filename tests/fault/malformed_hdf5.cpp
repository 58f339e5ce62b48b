// Writes malformed HDF5 files into the folder given, and a row per file to expected.tsv there:
// file, problem class or "-", status name, fragment of the message. Usage: malformed_hdf5 FOLDER
#include <hdf5.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace {

using Integers = std::vector<long long>;
using Reals = std::vector<double>;

// A correct one-contact problem whose parts a case may replace before they are written.
struct Sample {
  Integers spacedim = {3}, m = {3}, n = {3}, nz = {-1}, nzmax = {5}, p = {0, 2, 4, 5}, i = {0, 2, 0, 1, 2};
  Reals x = {1, 4, 2, 3, 5}, q = {-1, 0.5, 0}, mu = {0.25};
  std::vector<std::string> without;  // paths to leave out
};

struct Case {
  const char* file;
  const char* problem_class;
  const char* status;
  const char* fragment;
  std::function<void(Sample&)> change;
  std::function<void(hid_t)> add;  // after the sample has been written
};

void write_array(hid_t file, const char* path, hid_t stored, hid_t memory, const std::vector<hsize_t>& extent,
                 const void* values) {
  const hid_t space = H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
  const hid_t data = H5Dcreate2(file, path, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (values != nullptr) H5Dwrite(data, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(data);
  H5Sclose(space);
}

void write_integers(hid_t file, const char* path, const Integers& values, hid_t stored = H5T_STD_I64LE) {
  write_array(file, path, stored, H5T_NATIVE_LLONG, {values.size()}, values.data());
}

void write_reals(hid_t file, const char* path, const Reals& values) {
  write_array(file, path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {values.size()}, values.data());
}

void make_group(hid_t file, const char* path) { H5Gclose(H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)); }

void remove_link(hid_t file, const char* path) { H5Ldelete(file, path, H5P_DEFAULT); }

void write_sample(hid_t file, const Sample& sample) {
  make_group(file, "/fclib_local");
  make_group(file, "/fclib_local/W");
  make_group(file, "/fclib_local/vectors");
  write_integers(file, "/fclib_local/spacedim", sample.spacedim);
  write_integers(file, "/fclib_local/W/m", sample.m);
  write_integers(file, "/fclib_local/W/n", sample.n);
  write_integers(file, "/fclib_local/W/nz", sample.nz);
  write_integers(file, "/fclib_local/W/nzmax", sample.nzmax);
  write_integers(file, "/fclib_local/W/p", sample.p);
  write_integers(file, "/fclib_local/W/i", sample.i);
  write_reals(file, "/fclib_local/W/x", sample.x);
  write_reals(file, "/fclib_local/vectors/q", sample.q);
  write_reals(file, "/fclib_local/vectors/mu", sample.mu);
  for (const std::string& path : sample.without) remove_link(file, path.c_str());
}

constexpr const char* x_path = "/fclib_local/W/x";
constexpr const char* q_path = "/fclib_local/vectors/q";

// q with a layout of its own instead of the plain one.
void replace_q(hid_t file, const std::function<void(hid_t)>& set_layout, hsize_t size, hsize_t most) {
  remove_link(file, q_path);
  const hid_t space = H5Screate_simple(1, &size, &most), creation = H5Pcreate(H5P_DATASET_CREATE);
  set_layout(creation);
  const hid_t data = H5Dcreate2(file, q_path, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  H5Dclose(data);
  H5Pclose(creation);
  H5Sclose(space);
}

void chunked_q(hid_t file, hsize_t size, hsize_t chunk) {
  replace_q(
      file,
      [&](hid_t creation) {
        H5Pset_chunk(creation, 1, &chunk);
        H5Pset_deflate(creation, 6);
      },
      size, H5S_UNLIMITED);
}

void external_q(hid_t file) {
  replace_q(
      file, [](hid_t creation) { H5Pset_external(creation, "/etc/passwd", 0, 24); }, 3, 3);
}

void unknown_filter_q(hid_t file) {
  replace_q(
      file,
      [](hid_t creation) {
        const hsize_t chunk = 3;
        H5Pset_chunk(creation, 1, &chunk);
        H5Pset_scaleoffset(creation, H5Z_SO_FLOAT_DSCALE, 3);
      },
      3, 3);
}

void virtual_q(hid_t file) {
  replace_q(
      file,
      [](hid_t creation) {
        const hsize_t size = 3;
        const hid_t space = H5Screate_simple(1, &size, nullptr);
        H5Pset_virtual(creation, space, "/etc/passwd", "/x", space);
        H5Sclose(space);
      },
      3, 3);
}

void string_array_title(hid_t file) {
  make_group(file, "/fclib_local/info");
  write_integers(file, "/fclib_local/info/title", {1});
}

void class_attribute(hid_t file, const char* value) {
  make_group(file, "/nonsmooth");
  const hid_t group = H5Gopen2(file, "/nonsmooth", H5P_DEFAULT), type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, 8);
  const hid_t attribute = H5Acreate2(group, "class", type, space, H5P_DEFAULT, H5P_DEFAULT);
  const std::string padded = (std::string(value) + std::string(8, '\0')).substr(0, 8);
  H5Awrite(attribute, type, padded.data());
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  H5Gclose(group);
}

void only_native(hid_t file) {
  remove_link(file, "/fclib_local");
  make_group(file, "/nonsmooth");
}

constexpr long long largest = 2147483647;

const std::vector<Case>& structure_cases() {
  static const std::vector<Case> cases = {
      {"no_root", "-", "unknown_format", "no group fclib_local", {}, [](hid_t f) { remove_link(f, "/fclib_local"); }},
      {"no_matrix", "-", "bad_file", "group /fclib_local/W is missing", {}, [](hid_t f) { remove_link(f, "/fclib_local/W"); }},
      {"no_vectors",
       "-",
       "bad_file",
       "/fclib_local/vectors is missing",
       {},
       [](hid_t f) { remove_link(f, "/fclib_local/vectors"); }},
      {"no_spacedim", "-", "bad_file", "spacedim is missing", [](Sample& s) { s.without = {"/fclib_local/spacedim"}; }, {}},
      {"no_q", "-", "bad_file", "vectors/q is missing", [](Sample& s) { s.without = {q_path}; }, {}},
      {"no_mu", "-", "bad_file", "vectors/mu is missing", [](Sample& s) { s.without = {"/fclib_local/vectors/mu"}; }, {}},
      {"no_x", "-", "bad_file", "W/x is missing", [](Sample& s) { s.without = {x_path}; }, {}},
      {"no_p", "-", "bad_file", "W/p is missing", [](Sample& s) { s.without = {"/fclib_local/W/p"}; }, {}},
      {"no_nz", "-", "bad_file", "W/nz is missing", [](Sample& s) { s.without = {"/fclib_local/W/nz"}; }, {}},
      {"matrix_is_dataset",
       "-",
       "bad_file",
       "/fclib_local/W is not a group",
       {},
       [](hid_t f) {
         remove_link(f, "/fclib_local/W");
         write_reals(f, "/fclib_local/W", {1});
       }},
      {"q_is_group", "-", "bad_file", "vectors/q is not a dataset", [](Sample& s) { s.without = {q_path}; },
       [](hid_t f) { make_group(f, q_path); }},
      {"q_of_integers", "-", "bad_file", "q does not hold floating-point", [](Sample& s) { s.without = {q_path}; },
       [](hid_t f) {
         write_integers(f, q_path, {1, 2, 3});
       }},
      {"p_of_reals", "-", "bad_file", "p does not hold integers", [](Sample& s) { s.without = {"/fclib_local/W/p"}; },
       [](hid_t f) {
         write_reals(f, "/fclib_local/W/p", {0, 2, 4, 5});
       }},
      {"q_of_two_dimensions", "-", "bad_file", "q has 2 dimensions", [](Sample& s) { s.without = {q_path}; },
       [](hid_t f) {
         write_array(f, q_path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {3, 3}, nullptr);
       }},
      {"title_is_integer", "-", "bad_file", "info/title does not hold a string", {}, string_array_title},
      {"two_spacedims",
       "-",
       "bad_file",
       "spacedim has 2 entries",
       [](Sample& s) {
         s.spacedim = {3, 3};
       },
       {}},
      {"empty_m", "-", "bad_file", "W/m has 0 entries", [](Sample& s) { s.m = {}; }, {}},
      {"external_link", "-", "bad_file", "soft or external link", [](Sample& s) { s.without = {q_path}; },
       [](hid_t f) { H5Lcreate_external("other.hdf5", "/q", f, q_path, H5P_DEFAULT, H5P_DEFAULT); }},
      {"soft_link", "-", "bad_file", "soft or external link", [](Sample& s) { s.without = {q_path}; },
       [](hid_t f) { H5Lcreate_soft("/fclib_local/W/x", f, q_path, H5P_DEFAULT, H5P_DEFAULT); }},
      {"soft_link_to_itself",
       "-",
       "bad_file",
       "soft or external link",
       {},
       [](hid_t f) {
         remove_link(f, "/fclib_local");
         H5Lcreate_soft("/fclib_local", f, "/fclib_local", H5P_DEFAULT, H5P_DEFAULT);
       }},
      {"external_storage", "-", "bad_file", "another file", {}, external_q},
      {"virtual_dataset", "-", "bad_file", "virtual", {}, virtual_q},
      {"unknown_filter", "-", "bad_file", "filter", {}, unknown_filter_q},
      {"chunked_2_to_40",
       "-",
       "bad_file",
       "1099511627776 elements announced",
       {},
       [](hid_t f) { chunked_q(f, hsize_t{1} << 40, 1024); }},
      {"chunk_of_2_to_28", "-", "bad_file", "chunks of 268435456", {}, [](hid_t f) { chunked_q(f, 3, hsize_t{1} << 28); }},
      {"contiguous_2_to_40",
       "-",
       "bad_file",
       "1099511627776 elements announced",
       {},
       [](hid_t f) {
         replace_q(
             f, [](hid_t) {}, hsize_t{1} << 40, hsize_t{1} << 40);
       }},
      {"wrong_class", "lcp", "bad_file", "class friction, lcp was asked for", {}, {}},
      {"wrong_friction_class", "global_friction", "bad_file", "class friction, global_friction", {}, {}},
      {"native_without_class", "-", "bad_file", "attribute class of /nonsmooth is missing", {}, only_native},
      {"native_unknown_class",
       "-",
       "bad_file",
       "class \"nlp\"",
       {},
       [](hid_t f) {
         remove_link(f, "/fclib_local");
         class_attribute(f, "nlp");
       }},
      {"native_without_fields",
       "-",
       "bad_file",
       "group /nonsmooth/M is missing",
       {},
       [](hid_t f) {
         remove_link(f, "/fclib_local");
         class_attribute(f, "lcp");
       }},
      {"bilateral_part", "-", "bad_file", "V, R and vectors/s", {}, [](hid_t f) { make_group(f, "/fclib_local/V"); }},
  };
  return cases;
}

const std::vector<Case>& value_cases() {
  static const std::vector<Case> cases = {
      {"m_negative", "-", "bad_file", "m = -3", [](Sample& s) { s.m = {-3}; }, {}},
      {"n_negative", "-", "bad_file", "n = -1", [](Sample& s) { s.n = {-1}; }, {}},
      {"nzmax_negative", "-", "bad_file", "nzmax = -5", [](Sample& s) { s.nzmax = {-5}; }, {}},
      {"nz_minus_3", "-", "bad_file", "nz = -3", [](Sample& s) { s.nz = {-3}; }, {}},
      {"nz_above_nzmax", "-", "bad_file", "nz = 6", [](Sample& s) { s.nz = {6}; }, {}},
      {"m_largest", "-", "invalid_dimension", "2147483647 x 3", [](Sample& s) { s.m = {largest}; }, {}},
      {"n_largest", "-", "invalid_dimension", "3 x 2147483647", [](Sample& s) { s.n = {largest}; }, {}},
      {"m_64_bits", "-", "bad_file", "does not fit 32 bits", [](Sample& s) { s.m = {4294967299}; }, {}},
      {"m_n_largest", "-", "invalid_dimension", "the vectors need", [](Sample& s) { s.m = s.n = {largest}; }, {}},
      {"nz_largest", "-", "bad_file", "i has 5 entries, 2147483647", [](Sample& s) { s.nz = s.nzmax = {largest}; }, {}},
      {"nzmax_too_small", "-", "bad_file", "p ends at 5, nzmax is 4", [](Sample& s) { s.nzmax = {4}; }, {}},
      {"m_too_small", "-", "invalid_dimension", "2 x 3", [](Sample& s) { s.m = {2}; }, {}},
      {"p_too_short",
       "-",
       "bad_file",
       "p has 3 entries, 4 expected",
       [](Sample& s) {
         s.p = {0, 2, 5};
       },
       {}},
      {"p_too_long",
       "-",
       "bad_file",
       "p has 5 entries, 4 expected",
       [](Sample& s) {
         s.p = {0, 2, 4, 5, 5};
       },
       {}},
      {"i_too_short", "-", "bad_file", "i has 4 entries, 5", [](Sample& s) { s.i.pop_back(); }, {}},
      {"x_too_short", "-", "bad_file", "x has 4 entries, 5", [](Sample& s) { s.x.pop_back(); }, {}},
      {"p_ends_too_far", "-", "bad_file", "p ends at 6", [](Sample& s) { s.p.back() = 6; }, {}},
      {"p_ends_negative", "-", "bad_file", "p ends at -1", [](Sample& s) { s.p.back() = -1; }, {}},
      {"p_starts_at_1", "-", "invalid_structure", "start[0] is 1", [](Sample& s) { s.p[0] = 1; }, {}},
      {"p_decreases", "-", "invalid_structure", "start[2] = 1", [](Sample& s) { s.p[2] = 1; }, {}},
      {"i_out_of_range", "-", "invalid_structure", "index[1] = 3", [](Sample& s) { s.i[1] = 3; }, {}},
      {"i_negative", "-", "invalid_structure", "index[0] = -1", [](Sample& s) { s.i[0] = -1; }, {}},
      {"entry_twice", "-", "invalid_structure", "stands twice", [](Sample& s) { s.i[1] = 0; }, {}},
      {"csr_out_of_range",
       "-",
       "invalid_structure",
       "index[1] = 7",
       [](Sample& s) {
         s.nz = {-2};
         s.i[1] = 7;
       },
       {}},
      {"triplet_row_out_of_range",
       "-",
       "invalid_structure",
       "row index 3",
       [](Sample& s) {
         s.nz = {4};
         s.i[3] = 3;
         s.p = {0, 1, 2, 2};
       },
       {}},
      {"triplet_column_out_of_range", "-", "invalid_structure", "column index 4", [](Sample& s) { s.nz = {4}; }, {}},
      {"triplet_twice",
       "-",
       "invalid_structure",
       "stands twice",
       [](Sample& s) {
         s.nz = {4};
         s.i = {0, 1, 0, 2};
         s.p = {1, 1, 1, 2};
       },
       {}},
      {"x_nan", "-", "not_finite", "W(2, 0) is nan", [](Sample& s) { s.x[1] = std::nan(""); }, {}},
      {"q_infinite", "-", "not_finite", "q[1] is inf", [](Sample& s) { s.q[1] = HUGE_VAL; }, {}},
      {"mu_nan", "-", "not_finite", "mu[0] is nan", [](Sample& s) { s.mu[0] = std::nan(""); }, {}},
      {"mu_negative", "-", "invalid_value", "mu[0] = -0.1", [](Sample& s) { s.mu[0] = -0.1; }, {}},
      {"mu_too_long",
       "-",
       "invalid_dimension",
       "mu has 2 entries, 1 expected",
       [](Sample& s) {
         s.mu = {0.1, 0.2};
       },
       {}},
      {"q_too_short", "-", "invalid_dimension", "3 x 3, the vectors need 2 x 2", [](Sample& s) { s.q.pop_back(); }, {}},
      {"spacedim_4", "-", "invalid_value", "dimension is 4", [](Sample& s) { s.spacedim = {4}; }, {}},
      {"spacedim_0", "-", "invalid_value", "dimension is 0", [](Sample& s) { s.spacedim = {0}; }, {}},
      {"spacedim_2", "-", "invalid_dimension", "no multiple of the dimension 2", [](Sample& s) { s.spacedim = {2}; }, {}},
      {"guess_wrong_size",
       "-",
       "bad_file",
       "/guesses/1/r has 2 entries",
       {},
       [](hid_t f) {
         make_group(f, "/guesses");
         make_group(f, "/guesses/1");
         write_reals(f, "/guesses/1/r", {1, 2});
       }},
      {"solution_nan",
       "-",
       "not_finite",
       "/solution/r[2] is nan",
       {},
       [](hid_t f) {
         make_group(f, "/solution");
         write_reals(f, "/solution/r", {1, 2, std::nan("")});
       }},
      {"solution_without_r", "-", "bad_file", "/solution/r is missing", {}, [](hid_t f) { make_group(f, "/solution"); }},
  };
  return cases;
}

std::string write_case(const std::string& path, const Case& row) {
  Sample sample;
  if (row.change) row.change(sample);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  write_sample(file, sample);
  if (row.add) row.add(file);
  H5Fclose(file);
  return path;
}

void add_row(std::ofstream& table, const std::string& file, const Case& row) {
  table << file << '\t' << row.problem_class << '\t' << row.status << '\t' << row.fragment << '\n';
}

// The sample cut off in several places, and with bytes of its head overwritten.
void write_damaged(const std::string& folder, std::ofstream& table) {
  const std::string whole_path = write_case(folder + "/whole.hdf5", {});
  std::ifstream stream(whole_path, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  const Case row = {"", "-", "bad_file", "", {}, {}};
  const auto write = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(folder + "/" + name, std::ios::binary) << bytes;
    add_row(table, name, row);
  };
  for (std::size_t part = 1; part < 8; ++part)
    write("truncated_" + std::to_string(part) + ".hdf5", whole.substr(0, whole.size() * part / 8));
  write("truncated_by_1.hdf5", whole.substr(0, whole.size() - 1));
  write("signature_only.hdf5", whole.substr(0, 8));
  for (const std::size_t position : {8u, 13u, 40u}) {
    std::string damaged = whole;
    damaged.replace(position, 4, "\xff\xff\xff\x7f");
    write("superblock_" + std::to_string(position) + ".hdf5", damaged);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: malformed_hdf5 FOLDER\n");
    return 3;
  }
  const std::string folder = arguments[1];
  std::ofstream table(folder + "/expected.tsv", std::ios::app);
  for (const auto* cases : {&structure_cases(), &value_cases()})
    for (const Case& row : *cases) {
      const std::string file = std::string(row.file) + ".hdf5";
      write_case(folder + "/" + file, row);
      add_row(table, file, row);
    }
  write_damaged(folder, table);
  return table.good() ? 0 : 1;
}
