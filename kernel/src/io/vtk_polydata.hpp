// VTK XML files of points, vertices and triangles (.vtp).
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "nonsmooth/kernel/algebra.hpp"

namespace nonsmooth::kernel {

// Real numbers are written with 7 digits (Float32), in base64: what ParaView reads fast and any XML parser takes.
class VtkPolyData {
 public:
  enum class At { Points, Cells };

  std::int64_t addPoint(const Vector3& point);
  void addTriangle(std::int64_t a, std::int64_t b, std::int64_t c);
  // The array of that name, made on first use, valid as long as this object; one row of `components` numbers per point or cell.
  std::vector<float>& reals(At at, const std::string& name, int components);
  std::vector<std::int32_t>& integers(At at, const std::string& name);
  std::int64_t points() const { return static_cast<std::int64_t>(coordinates_.size()) / 3; }
  // The file; without triangles every point is a vertex of its own.
  std::string text() const;

 private:
  struct Array {
    At at;
    std::string name;
    int components = 1;
    bool real = true;
    std::vector<float> reals;
    std::vector<std::int32_t> integers;
  };
  Array& array(At at, const std::string& name, int components, bool real);
  void appendArrays(std::string& out, At at) const;
  std::vector<float> coordinates_;
  std::vector<std::int64_t> triangles_;
  std::deque<Array> arrays_;
};

inline void append(std::vector<float>& values, const Vector3& vector) {
  for (const double value : vector) values.push_back(static_cast<float>(value));
}

}  // namespace nonsmooth::kernel
