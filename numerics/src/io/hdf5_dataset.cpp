#include "io/hdf5_dataset.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace nonsmooth::hdf5 {
namespace {

using namespace std::string_view_literals;

// Largest ratio that deflate reaches is 1032; data that claim more were not written by it.
constexpr std::size_t deflate_ratio = 1100;
// A chunk may exceed a small file: 64 thousand numbers are an ordinary chunk of a short, extensible dataset.
constexpr std::size_t chunk_slack = std::size_t{1} << 19;

// --- types ---

enum class TypeClass { integer = 0, real = 1, text = 3, variable_text = 9, other = 15 };

struct Type {
  TypeClass kind = TypeClass::other;
  std::size_t size = 0;
  bool big_endian = false, is_signed = false, ordinary = false;  // ordinary: all bits used, and reals are IEEE
};

bool is_ieee(Cursor& cursor, std::size_t size, std::uint32_t bits) {
  struct Form {
    std::size_t size;
    std::uint8_t exponent_at, exponent_size, fraction_size;
    std::uint32_t bias;
  };
  constexpr Form forms[] = {{2, 10, 5, 10, 15}, {4, 23, 8, 23, 127}, {8, 52, 11, 52, 1023}};
  const std::uint8_t exponent_at = cursor.u8(), exponent_size = cursor.u8(), fraction_at = cursor.u8(),
                     fraction_size = cursor.u8();
  const std::uint32_t bias = cursor.u32();
  const bool vax = (bits & 0x40) != 0;
  return !vax && std::any_of(std::begin(forms), std::end(forms), [&](const Form& form) {
    return form.size == size && form.exponent_at == exponent_at && form.exponent_size == exponent_size && fraction_at == 0 &&
           form.fraction_size == fraction_size && form.bias == bias;
  });
}

Type read_type(std::string_view message) {
  Cursor cursor(message);
  Type type;
  const std::uint8_t head = cursor.u8();
  const auto bits = static_cast<std::uint32_t>(cursor.number(3));
  type.size = cursor.u32();
  type.big_endian = bits & 1;
  switch (head & 0x0f) {
    case 0:
    case 1: {
      type.kind = (head & 0x0f) == 0 ? TypeClass::integer : TypeClass::real;
      type.is_signed = (bits & 8) != 0;
      const std::uint16_t offset = cursor.u16(), precision = cursor.u16();
      const bool whole =
          (type.size == 1 || type.size == 2 || type.size == 4 || type.size == 8) && offset == 0 && precision == 8 * type.size;
      type.ordinary = whole && (type.kind == TypeClass::integer || is_ieee(cursor, type.size, bits));
      break;
    }
    case 3: type.kind = TypeClass::text; break;
    case 9: type.kind = (bits & 0x0f) == 1 ? TypeClass::variable_text : TypeClass::other; break;
    default: break;
  }
  return type;
}

std::uint64_t element_bits(const char* data, const Type& type) {
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < type.size; ++k) {
    const std::size_t from = type.big_endian ? k : type.size - 1 - k;
    value = value << 8 | static_cast<unsigned char>(data[from]);
  }
  return value;
}

double half_value(std::uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31), fraction = static_cast<int>(bits & 1023);
  const double sign = bits >> 15 ? -1 : 1;
  if (exponent == 31) return fraction ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

double real_value(const char* data, const Type& type) {
  const std::uint64_t bits = element_bits(data, type);
  if (type.size == 8) return std::bit_cast<double>(bits);
  return type.size == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits)) : half_value(bits);
}

std::int32_t integer_value(const char* data, const Type& type, const std::string& path, std::size_t place) {
  const std::uint64_t bits = element_bits(data, type);
  const std::size_t unused = 64 - 8 * type.size;
  const auto value = type.is_signed ? static_cast<std::int64_t>(bits << unused) >> unused : static_cast<std::int64_t>(bits);
  const bool too_large = !type.is_signed && bits > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
  if (too_large || value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max())
    fail(NSM_BAD_FILE, "%s[%zu] = %s does not fit 32 bits", path.c_str(), place,
         (type.is_signed ? std::to_string(value) : std::to_string(bits)).c_str());
  return static_cast<std::int32_t>(value);
}

// --- sizes ---

// Number of elements; one for a scalar. Of several dimensions all but one are 1, as of the columns that other programs write.
std::uint64_t read_count(const Source& source, std::string_view message, const std::string& path) {
  constexpr std::uint8_t null_space = 2;
  Cursor cursor(message);
  const std::uint8_t version = cursor.u8(), rank = cursor.u8();
  cursor.skip(1);
  if (version != 1 && version != 2) fail(NSM_BAD_FILE, "%s: damaged dataspace", path.c_str());
  if (version == 1) cursor.skip(5);
  if (version == 2 && cursor.u8() == null_space) fail(NSM_BAD_FILE, "%s has no size", path.c_str());
  std::uint64_t count = 1;
  for (int k = 0; k < rank; ++k) {
    const std::uint64_t length = source.length(cursor);
    if (count != 1 && length != 1) fail(NSM_BAD_FILE, "%s has %d dimensions, 1 expected", path.c_str(), rank);
    count *= length;
  }
  return count;
}

void require_plausible(std::uint64_t count, std::size_t element, std::size_t most, const Source& source,
                       const std::string& path) {
  if (count > most / element)
    fail(NSM_BAD_FILE, "%s: %llu elements announced in a file of %zu bytes", path.c_str(), (unsigned long long)count,
         source.bytes.size());
}

// --- data ---

// Bytes of one dataset: `element` bytes that stand for a value never written, then `count` elements.
struct Shape {
  std::size_t count, element;
  std::string_view fill;  // of `element` bytes, or empty for zeros
};

std::string filled(const Shape& shape) {
  std::string data(shape.count * shape.element, '\0');
  if (!shape.fill.empty())
    for (std::size_t k = 0; k < shape.count; ++k) data.replace(k * shape.element, shape.element, shape.fill);
  return data;
}

// A chunked dataset: a B-tree of chunks, each at its own place and with its own size.
class Chunks {
 public:
  Chunks(const Source& source, Cursor layout, const std::string& path) : source_(source), budget_(source), path_(path) {
    rank_ = layout.u8() - 1;  // the size of an element stands as the last one
    if (rank_ < 1) fail(NSM_BAD_FILE, "%s: chunks of no dimensions", path.c_str());
    const std::uint64_t tree = source.address(layout);
    for (int k = 0; k < rank_; ++k) {
      const std::uint32_t length = layout.u32();
      if (length == 0) fail(NSM_BAD_FILE, "%s: chunks of no elements", path.c_str());
      if (length_ != 1 && length != 1) fail(NSM_BAD_FILE, "%s: chunks of %d dimensions", path.c_str(), rank_);
      length_ *= length;
    }
    if (tree != no_address) read_node(tree, 256);
  }

  std::string read(const Shape& shape, const std::vector<Filter>& filters) const {
    std::size_t stored = 0;
    for (const Chunk& chunk : chunks_) stored = std::min(source_.bytes.size(), stored + chunk.data.size());
    const std::size_t most = std::max(source_.bytes.size(), filters.empty() ? stored : deflate_ratio * stored);
    require_plausible(shape.count, shape.element, most, source_, path_);
    if (length_ > std::max(most, chunk_slack) / shape.element)
      fail(NSM_BAD_FILE, "%s: chunks of %zu elements in a file of %zu bytes", path_.c_str(), length_, source_.bytes.size());
    if (chunks_.size() > shape.count / length_ + 1)
      fail(NSM_BAD_FILE, "%s: %zu chunks are too many", path_.c_str(), chunks_.size());
    std::string data = filled(shape);
    for (const Chunk& chunk : chunks_) {
      if (chunk.start >= shape.count || chunk.start % length_ != 0)
        fail(NSM_BAD_FILE, "%s: a chunk starts at element %llu of %zu", path_.c_str(), (unsigned long long)chunk.start,
             shape.count);
      const auto start = static_cast<std::size_t>(chunk.start);
      const std::string values = undo_filters(chunk.data, filters, chunk.mask, length_ * shape.element, shape.element, path_);
      const std::size_t used = std::min(length_, shape.count - start);  // the last chunk may reach beyond the end
      data.replace(start * shape.element, used * shape.element, values, 0, used * shape.element);
    }
    return data;
  }

 private:
  struct Chunk {
    std::uint64_t start;
    std::uint32_t mask;
    std::string_view data;
  };

  void read_node(std::uint64_t address, int parent_level) {
    Cursor cursor = source_.at(address);
    const std::size_t before = cursor.left();
    cursor.expect("TREE"sv);
    const std::uint8_t type = cursor.u8(), level = cursor.u8();
    if (type != 1 || level >= parent_level) fail(NSM_BAD_FILE, "%s: damaged index of chunks", path_.c_str());
    const std::uint16_t used = cursor.u16();
    cursor.skip(2 * source_.offset_size);
    for (std::uint16_t k = 0; k < used; ++k) {
      const std::uint32_t size = cursor.u32(), mask = cursor.u32();
      std::uint64_t start = 0;
      for (int dimension = 0; dimension < rank_; ++dimension) start += cursor.number(8);  // all but one are 0
      cursor.skip(8);
      const std::uint64_t child = source_.address(cursor);
      if (level == 0)
        chunks_.push_back({start, mask, source_.at(child).take(size)});
      else
        read_node(child, level);
    }
    budget_.spend(before - cursor.left());
  }

  const Source& source_;
  Budget budget_;
  const std::string& path_;
  int rank_ = 0;
  std::size_t length_ = 1;  // elements of a chunk
  std::vector<Chunk> chunks_;
};

std::string_view read_contiguous(const Source& source, Cursor layout, const Shape& shape, const std::string& path,
                                 std::string& room) {
  const std::uint64_t address = source.address(layout);
  require_plausible(shape.count, shape.element, source.bytes.size(), source, path);
  if (address == no_address) return room = filled(shape);  // never written
  return source.at(address).take(shape.count * shape.element);
}

std::string_view read_compact(const Source& source, Cursor layout, const Shape& shape, const std::string& path) {
  const std::uint16_t size = layout.u16();
  require_plausible(shape.count, shape.element, size, source, path);
  return layout.take(shape.count * shape.element);
}

// Value of elements never written; empty for zeros.
std::string_view read_fill(std::string_view message, std::size_t element) {
  Cursor cursor(message);
  const std::uint8_t version = cursor.u8();
  const std::uint8_t flags = cursor.u8();
  const bool defined = version >= 3 ? (flags & 0x20) != 0 : (cursor.skip(1), cursor.u8() != 0);
  if (!defined || cursor.u32() != element) return {};
  return cursor.take(element);
}

// A view of the file where the data stand there in one piece, else of `room`.
std::string_view read_data(const Source& source, const std::vector<Message>& dataset, std::uint64_t count, std::size_t element,
                           const std::string& path, std::string& room) {
  enum LayoutClass { compact = 0, contiguous = 1, chunked = 2, virtual_data = 3 };
  if (find_message(dataset, MessageKind::external_files, path))
    fail(NSM_BAD_FILE, "%s keeps its data in another file", path.c_str());
  const auto layout = find_message(dataset, MessageKind::layout, path);
  if (!layout) fail(NSM_BAD_FILE, "%s is not a dataset", path.c_str());
  Shape shape{static_cast<std::size_t>(count), element, {}};
  if (const auto fill = find_message(dataset, MessageKind::fill_value, path)) shape.fill = read_fill(*fill, element);
  Cursor cursor(*layout);
  const std::uint8_t version = cursor.u8(), kind = cursor.u8();
  if (version != 3 && version != 4) fail(NSM_UNSUPPORTED, "%s: data layout of version %d", path.c_str(), version);
  switch (kind) {
    case compact: return read_compact(source, cursor, shape, path);
    case contiguous: return read_contiguous(source, cursor, shape, path, room);
    case virtual_data: fail(NSM_BAD_FILE, "%s: virtual HDF5 datasets are not read", path.c_str());
    case chunked: break;
    default: fail(NSM_BAD_FILE, "%s: damaged data layout", path.c_str());
  }
  if (version == 4)
    fail(NSM_UNSUPPORTED, "%s: chunks in the layout of HDF5 1.10 and later: rewrite the file with h5repack", path.c_str());
  const auto filters = find_message(dataset, MessageKind::filters, path);
  const std::vector<Filter> pipeline = filters ? read_filters(*filters, path) : std::vector<Filter>();
  return room = Chunks(source, cursor, path).read(shape, pipeline);
}

struct Header {
  Type type;
  std::uint64_t count;
};

Header read_header(const Source& source, const std::vector<Message>& dataset, const std::string& path) {
  const auto type = find_message(dataset, MessageKind::datatype, path),
             space = find_message(dataset, MessageKind::dataspace, path);
  if (!type || !space) fail(NSM_BAD_FILE, "%s is not a dataset", path.c_str());
  return {read_type(*type), read_count(source, *space, path)};
}

// Whether the bytes of a dataset are those of numbers in memory.
template <class Number>
bool is_native(const Type& type) {
  return std::endian::native == std::endian::little && !type.big_endian && type.size == sizeof(Number) &&
         (std::is_floating_point_v<Number> || type.is_signed);
}

// A numeric dataset, converted by value(data, type, place) where its numbers are not as in memory.
template <class Number, class Value>
std::vector<Number> read_numbers(const Source& source, const std::vector<Message>& dataset, const std::string& path,
                                 Value&& value) {
  constexpr bool reals = std::is_floating_point_v<Number>;
  const Header header = read_header(source, dataset, path);
  if (header.type.kind != (reals ? TypeClass::real : TypeClass::integer))
    fail(NSM_BAD_FILE, "%s does not hold %s", path.c_str(), reals ? "floating-point numbers" : "integers");
  if (!header.type.ordinary) fail(NSM_BAD_FILE, "%s: numbers of %zu bytes in an uncommon layout", path.c_str(), header.type.size);
  std::string room;
  const std::string_view data = read_data(source, dataset, header.count, header.type.size, path, room);
  std::vector<Number> values(static_cast<std::size_t>(header.count));
  if (is_native<Number>(header.type)) {
    if (!data.empty()) std::memcpy(values.data(), data.data(), data.size());
    return values;
  }
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = value(data.data() + k * header.type.size, header.type, k);
  return values;
}

// --- strings ---

// The object of a global heap that an element of variable length points to.
std::string_view heap_object(const Source& source, std::string_view element, const std::string& path) {
  Cursor reference(element);
  const std::uint32_t size = reference.u32();
  const std::uint64_t address = source.address(reference);
  const std::uint32_t index = reference.u32();
  if (size == 0) return {};
  Cursor heap = source.at(address);
  heap.expect("GCOL"sv);
  heap.skip(4);
  const std::uint64_t frame = 8 + source.length_size, total = source.length(heap);
  Cursor objects(source.at(address).take(total));
  objects.skip(frame);
  while (objects.left() >= frame) {
    const std::uint16_t found = objects.u16();
    objects.skip(6);
    const std::uint64_t length = source.length(objects);
    if (found == 0) break;  // the rest is free
    const std::string_view data = objects.take(length);
    if (found == index) return data.substr(0, size);
    objects.skip(std::min<std::uint64_t>(objects.left(), (8 - length % 8) % 8));
  }
  fail(NSM_BAD_FILE, "%s: string without data", path.c_str());
}

std::string text_value(const Source& source, const Type& type, std::string_view data, const std::string& path) {
  const std::string_view text = type.kind == TypeClass::text ? data : heap_object(source, data, path);
  return std::string(text.substr(0, text.find('\0')));
}

void require_one_text(const Header& header, const Source& source, const std::string& path) {
  const bool text = header.type.kind == TypeClass::text;
  if ((!text && header.type.kind != TypeClass::variable_text) || header.count != 1 || header.type.size == 0)
    fail(NSM_BAD_FILE, "%s does not hold a string", path.c_str());
  if (!text && header.type.size != 8 + source.offset_size) fail(NSM_BAD_FILE, "%s: damaged type of a string", path.c_str());
}

}  // namespace

IndexVector read_integers(const Source& source, const std::vector<Message>& dataset, const std::string& path) {
  return read_numbers<std::int32_t>(source, dataset, path, [&](const char* data, const Type& type, std::size_t place) {
    return integer_value(data, type, path, place);
  });
}

Vector read_reals(const Source& source, const std::vector<Message>& dataset, const std::string& path) {
  return read_numbers<double>(source, dataset, path,
                              [](const char* data, const Type& type, std::size_t) { return real_value(data, type); });
}

std::string read_text(const Source& source, const std::vector<Message>& dataset, const std::string& path) {
  const Header header = read_header(source, dataset, path);
  require_one_text(header, source, path);
  std::string room;
  return text_value(source, header.type, read_data(source, dataset, 1, header.type.size, path, room), path);
}

std::optional<std::string> read_text_attribute(const Source& source, std::string_view message, std::string_view name,
                                               const std::string& what) {
  Cursor cursor(message);
  const std::uint8_t version = cursor.u8();
  if (version < 1 || version > 3) fail(NSM_BAD_FILE, "%s: damaged attribute", what.c_str());
  cursor.skip(1);
  const std::uint16_t name_size = cursor.u16(), type_size = cursor.u16(), space_size = cursor.u16();
  if (version == 3) cursor.skip(1);
  const auto take = [&](std::uint16_t size) {
    const std::string_view part = cursor.take(size);
    if (version == 1) cursor.skip((8u - size % 8u) % 8u);
    return part;
  };
  const std::string_view own_name = take(name_size);
  if (own_name.substr(0, own_name.find('\0')) != name) return std::nullopt;
  const Type type = read_type(take(type_size));
  const Header header{type, read_count(source, take(space_size), what)};
  require_one_text(header, source, what);
  return text_value(source, type, cursor.take(type.size), what);
}

}  // namespace nonsmooth::hdf5
