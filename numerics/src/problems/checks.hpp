// Checks shared by the problem classes. Each names the field, the place and the value.
#pragma once

#include "linalg/matrix.hpp"
#include "sets/polyhedron.hpp"

namespace nonsmooth {

void require_square(const Matrix& M, const char* name);
void require_rows(const Matrix& M, std::int64_t rows, const char* name);
void require_cols(const Matrix& M, std::int64_t cols, const char* name);
void require_length(const Vector& v, std::int64_t length, const char* name);
void require_length(const IndexVector& v, std::int64_t length, const char* name);
void require_finite_entries(const Matrix& A, const char* name);
void require_not_negative(const Vector& v, const char* name);
// Bounds of the same length; empty ones are infinite.
void require_ordered(const Vector& lo, const Vector& hi);
// H, k and bounds that fit so many unknowns.
void require_polyhedron(const Polyhedron& set, std::int64_t unknowns);
// dimension is one of the two allowed and divides rows; returns the number of contacts.
std::int64_t require_contacts(std::int32_t dimension, std::int32_t allowed_1, std::int32_t allowed_2, std::int64_t rows);

}  // namespace nonsmooth
