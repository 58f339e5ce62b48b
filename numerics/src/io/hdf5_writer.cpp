#include "io/hdf5_writer.hpp"

#include <algorithm>
#include <bit>

#include "io/hdf5_checksum.hpp"
#include "io/hdf5_reader.hpp"

// Fields stand in the order of the HDF5 File Format Specification, version 2.0 (The HDF Group): superblock in II.B, object
// headers in IV.A.1.b, messages in IV.A.2.
namespace nonsmooth::hdf5 {
namespace {

constexpr std::size_t superblock_size = 48;

// Little-endian fields one after the other.
class Fields {
 public:
  Fields& number(std::uint64_t value, std::size_t size) {
    for (std::size_t k = 0; k < size; ++k) bytes_ += static_cast<char>(value >> 8 * k & 0xff);
    return *this;
  }
  Fields& u8(std::uint64_t value) { return number(value, 1); }
  Fields& u16(std::uint64_t value) { return number(value, 2); }
  Fields& u32(std::uint64_t value) { return number(value, 4); }
  Fields& u64(std::uint64_t value) { return number(value, 8); }
  Fields& bytes(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }
  Fields& checked() { return u32(checksum(bytes_)); }
  const std::string& str() const { return bytes_; }

 private:
  std::string bytes_;
};

std::string message(MessageKind kind, const Fields& body) {
  constexpr std::size_t largest = 0xffff;
  if (body.str().size() > largest) fail(NSM_INTERNAL, "HDF5: a header message of %zu bytes", body.str().size());
  return Fields().u8(static_cast<std::uint64_t>(kind)).u16(body.str().size()).u8(0).bytes(body.str()).str();
}

// An object header at the end of the file; its address.
std::uint64_t append_header(std::string& file, const std::string& messages) {
  constexpr int version = 2, size_of_four_bytes = 2;
  const std::uint64_t address = file.size();
  file += Fields().bytes("OHDR").u8(version).u8(size_of_four_bytes).u32(messages.size()).bytes(messages).checked().str();
  return address;
}

// Data at the end of the file, at a multiple of 8; their address.
std::uint64_t append_data(std::string& file, std::string_view data) {
  if (data.empty()) return no_address;
  file.resize((file.size() + 7) / 8 * 8);
  const std::uint64_t address = file.size();
  file += data;
  return address;
}

// Types: version and class, bits of the class, size; of numbers their first bit and their number of bits.
Fields integer_type() {
  constexpr int is_signed = 0x08;
  return Fields().u8(0x10).u8(is_signed).u16(0).u32(4).u16(0).u16(32);
}

// IEEE: the first bit of the fraction is implied, bit 63 is the sign; last the place and size of exponent and fraction, and the
// bias.
Fields real_type() {
  constexpr int implied_bit = 0x20;
  return Fields().u8(0x11).u8(implied_bit).u8(63).u8(0).u32(8).u16(0).u16(64).u8(52).u8(11).u8(0).u8(52).u32(1023);
}

Fields text_type(const std::string& value) {
  constexpr int utf8 = 0x10;
  const bool ascii = std::all_of(value.begin(), value.end(), [](unsigned char c) { return c < 128; });
  return Fields().u8(0x13).u8(ascii ? 0 : utf8).u16(0).u32(value.size() + 1);
}

std::string_view with_zero(const std::string& value) { return {value.c_str(), value.size() + 1}; }

// Extents: version, dimensions, flags, whether there are any.
Fields scalar() { return Fields().u8(2).u8(0).u8(0).u8(0); }
Fields line(std::size_t count) { return Fields().u8(2).u8(1).u8(0).u8(1).u64(count); }

// The bytes of numbers as they stand in the file; `room` holds them where memory has another order.
template <class Number>
std::string_view little_endian(const std::vector<Number>& values, Fields& room) {
  using Bits = std::conditional_t<sizeof(Number) == 8, std::uint64_t, std::uint32_t>;
  if constexpr (std::endian::native == std::endian::little)
    return {reinterpret_cast<const char*>(values.data()), sizeof(Number) * values.size()};
  for (const Number value : values) room.number(std::bit_cast<Bits>(value), sizeof value);
  return room.str();
}

}  // namespace

NewGroup& NewGroup::group(const char* name) {
  members_.push_back({name, std::unique_ptr<NewGroup>(new NewGroup(file_)), no_address});
  return *members_.back().group;
}

void NewGroup::integer(const char* name, std::int32_t value) { integers(name, {value}); }

void NewGroup::integers(const char* name, const IndexVector& values) {
  Fields room;
  dataset(name, integer_type().str(), line(values.size()).str(), little_endian(values, room));
}

void NewGroup::reals(const char* name, const Vector& values) {
  Fields room;
  dataset(name, real_type().str(), line(values.size()).str(), little_endian(values, room));
}

void NewGroup::text(const char* name, const std::string& value) {
  dataset(name, text_type(value).str(), scalar().str(), with_zero(value));
}

void NewGroup::text_attribute(const char* name, const std::string& value) {
  constexpr int version = 3, ascii_name = 0;
  const std::string type = text_type(value).str(), space = scalar().str(), named = name;
  Fields body = Fields().u8(version).u8(0).u16(named.size() + 1).u16(type.size()).u16(space.size()).u8(ascii_name);
  body.bytes(with_zero(named)).bytes(type).bytes(space).bytes(with_zero(value));
  attributes_ += message(MessageKind::attribute, body);
}

void NewGroup::dataset(const char* name, std::string_view type, std::string_view space, std::string_view data) {
  constexpr int fill_version = 3, default_fill = 0x0a;  // room is made late, zeros are written where nothing else is
  constexpr int layout_version = 3, contiguous = 1;
  const std::uint64_t place = append_data(file_, data);
  const std::string header = message(MessageKind::dataspace, Fields().bytes(space)) +
                             message(MessageKind::datatype, Fields().bytes(type)) +
                             message(MessageKind::fill_value, Fields().u8(fill_version).u8(default_fill)) +
                             message(MessageKind::layout, Fields().u8(layout_version).u8(contiguous).u64(place).u64(data.size()));
  members_.push_back({name, nullptr, append_header(file_, header)});
}

// Of the groups in this one first, since a link is an address. Links and attributes stand in the header; their infos say so, and
// h5repack copies no attributes without one.
std::uint64_t NewGroup::write_header() {
  constexpr int version = 1, hard_ascii = 0;
  const Fields in_header = Fields().u8(0).u8(0).u64(no_address).u64(no_address);  // no heap, no tree
  std::string messages = message(MessageKind::link_info, in_header) + message(MessageKind::group_info, Fields().u8(0).u8(0));
  if (!attributes_.empty()) messages += message(MessageKind::attribute_info, in_header) + attributes_;
  for (Member& member : members_) {
    if (member.group) member.address = member.group->write_header();
    messages += message(MessageKind::link,
                        Fields().u8(version).u8(hard_ascii).u8(member.name.size()).bytes(member.name).u64(member.address));
  }
  return append_header(file_, messages);
}

NewImage::NewImage() : file_(superblock_size, '\0'), root_(file_) {}

std::string NewImage::take() {
  constexpr int version = 2, size_of_addresses = 8, size_of_lengths = 8;
  const std::uint64_t root = root_.write_header(), no_extension = no_address;
  Fields superblock = Fields().bytes("\x89HDF\r\n\x1a\n").u8(version).u8(size_of_addresses).u8(size_of_lengths).u8(0);
  superblock.u64(0).u64(no_extension).u64(file_.size()).u64(root).checked();
  file_.replace(0, superblock_size, superblock.str());
  return std::move(file_);
}

}  // namespace nonsmooth::hdf5
