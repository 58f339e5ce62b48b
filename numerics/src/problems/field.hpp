// Fields of a problem class, as seen by validation, by the file formats and by tests.
//
// Each class has   template <class Self, class Visit> static void visit_fields(Self& self, Visit&& visit)
// that calls visit(Field{...}, self.member) once per member, in the order of the text files of Siconos. Members are
// std::int32_t, IndexVector, Vector or Matrix.
#pragma once

namespace nonsmooth {

struct Field {
  const char* name;
  bool optional = false;         // may be absent: an empty vector or matrix
  bool may_be_infinite = false;  // bounds
};

}  // namespace nonsmooth
