// The MATRIX part of the text files: storage type, sizes, then dense, block or sparse entries.
#pragma once

#include "io/lexer.hpp"
#include "linalg/matrix.hpp"

namespace nonsmooth {

// The numbers by which the text files name storages and sparse layouts.
enum class DatStorage { dense = 0, blocks = 1, sparse = 2 };
enum class DatSparse { triplet = 1, columns = 2, rows = 3, half_triplet = 4 };
constexpr std::int32_t drucker_prager = 1, von_mises = 2;  // types of model of plasticity

Matrix read_dat_matrix(Lexer& in, const char* name);
void write_dat_matrix(std::string& out, const Matrix& matrix);

}  // namespace nonsmooth
