// A JSON text as the native format uses it: one object whose members are scalars, arrays of numbers, or objects of those.
//
// Numbers go straight into vectors, so that a document takes a small multiple of its text; anything nested deeper is skipped, not
// stored.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "linalg/matrix.hpp"

namespace nonsmooth {

struct JsonMember;

struct JsonValue {
  enum class Kind { other, number, text, numbers, object };
  Kind kind = Kind::other;
  double number = 0;
  std::string text;
  Vector numbers;
  std::vector<JsonMember> members;

  const JsonValue* find(std::string_view name) const;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

// Names of block kinds, in the order of nsm_block_kind.
inline constexpr const char* block_kind_names[] = {"equality", "complementarity", "relay", "friction_2d", "friction_3d", "disk"};

// What to write for a matrix, for messages.
inline constexpr const char* matrix_form = R"({"storage": "dense", "rows": ..., "cols": ..., "values": [column by column]})";

// NSM_BAD_FILE with line and column if the text is no JSON; NSM_UNKNOWN_FORMAT if it is, but has no "format" that starts with
// "nonsmooth-". In arrays and as values the strings "inf" and "-inf" stand for the numbers; "nan" is NSM_NOT_FINITE; names of
// block kinds are numbers within the field block_kind.
JsonValue parse_json_document(std::string_view bytes);

}  // namespace nonsmooth
