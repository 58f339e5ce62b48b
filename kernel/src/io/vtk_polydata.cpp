#include "io/vtk_polydata.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace nonsmooth::kernel {
namespace {

std::string base64(const std::string& bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - k);
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < 3; ++j) word = word << 8 | (j < left ? static_cast<unsigned char>(bytes[k + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j) text += j <= left ? digits[word >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

// Length in bytes and values, as one piece of base64.
template <class Value>
std::string encoded(const std::vector<Value>& values) {
  const std::uint64_t size = values.size() * sizeof(Value);
  std::string bytes(sizeof size + size, '\0');
  std::memcpy(bytes.data(), &size, sizeof size);
  if (size > 0) std::memcpy(bytes.data() + sizeof size, values.data(), size);
  return base64(bytes);
}

template <class Value>
void appendArray(std::string& out, const char* type, const std::string& name, int components, const std::vector<Value>& values) {
  out += std::string("<DataArray type=\"") + type + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
         std::to_string(components) + "\" format=\"binary\">" + encoded(values) + "</DataArray>\n";
}

// Cells of `length` points each.
void appendCells(std::string& out, const char* name, const std::vector<std::int64_t>& connectivity, std::int64_t length) {
  std::vector<std::int64_t> offsets(connectivity.size() / static_cast<std::size_t>(length));
  for (std::size_t k = 0; k < offsets.size(); ++k) offsets[k] = length * static_cast<std::int64_t>(k + 1);
  out += std::string("<") + name + ">\n";
  appendArray(out, "Int64", "connectivity", 1, connectivity);
  appendArray(out, "Int64", "offsets", 1, offsets);
  out += std::string("</") + name + ">\n";
}

}  // namespace

std::int64_t VtkPolyData::addPoint(const Vector3& point) {
  append(coordinates_, point);
  return points() - 1;
}

void VtkPolyData::addTriangle(std::int64_t a, std::int64_t b, std::int64_t c) { triangles_.insert(triangles_.end(), {a, b, c}); }

VtkPolyData::Array& VtkPolyData::array(At at, const std::string& name, int components, bool real) {
  for (Array& known : arrays_)
    if (known.at == at && known.name == name) return known;
  arrays_.push_back({at, name, components, real, {}, {}});
  return arrays_.back();
}

std::vector<float>& VtkPolyData::reals(At at, const std::string& name, int components) {
  return array(at, name, components, true).reals;
}

std::vector<std::int32_t>& VtkPolyData::integers(At at, const std::string& name) { return array(at, name, 1, false).integers; }

void VtkPolyData::appendArrays(std::string& out, At at) const {
  for (const Array& known : arrays_) {
    if (known.at != at) continue;
    if (known.real)
      appendArray(out, "Float32", known.name, known.components, known.reals);
    else
      appendArray(out, "Int32", known.name, known.components, known.integers);
  }
}

std::string VtkPolyData::text() const {
  const char* order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
  std::vector<std::int64_t> vertices;
  if (triangles_.empty()) {
    vertices.resize(static_cast<std::size_t>(points()));
    std::iota(vertices.begin(), vertices.end(), 0);
  }
  std::string out = std::string("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"") + order +
                    "\" header_type=\"UInt64\">\n<PolyData>\n<Piece NumberOfPoints=\"" + std::to_string(points()) +
                    "\" NumberOfVerts=\"" + std::to_string(vertices.size()) +
                    "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
                    "NumberOfPolys=\"" +
                    std::to_string(triangles_.size() / 3) + "\">\n<PointData>\n";
  appendArrays(out, At::Points);
  out += "</PointData>\n<CellData>\n";
  appendArrays(out, At::Cells);
  out += "</CellData>\n<Points>\n";
  appendArray(out, "Float32", "Points", 3, coordinates_);
  out += "</Points>\n";
  appendCells(out, "Verts", vertices, 1);
  appendCells(out, "Polys", triangles_, 3);
  return out + "</Piece>\n</PolyData>\n</VTKFile>\n";
}

}  // namespace nonsmooth::kernel
