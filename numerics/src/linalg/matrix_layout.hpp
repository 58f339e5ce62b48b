// Whether two matrices store their values in the same places.
#pragma once

#include "linalg/matrix.hpp"

namespace nonsmooth {

// Whether the view holds its values exactly where M does.
bool has_layout_of(const nsm_matrix& view, const Matrix& M);
bool same_pattern(const Matrix& a, const Matrix& b);

}  // namespace nonsmooth
