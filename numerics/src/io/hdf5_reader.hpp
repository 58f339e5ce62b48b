// Reads HDF5 files from memory, without the HDF5 library: that one (1.10) writes past its buffers on damaged files, and our
// readers may not. The part of the format that FCLIB files use is small: groups, datasets of one dimension beside any of length 1
// (contiguous, compact or chunked; deflate, shuffle, fletcher32), strings. What the newest writers may use beyond it is refused
// by name (h5repack rewrites such files).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5_cursor.hpp"
#include "linalg/matrix.hpp"

namespace nonsmooth::hdf5 {

// Kinds of header messages that we know.
enum class MessageKind : std::uint16_t {
  dataspace = 0x01,
  link_info = 0x02,
  datatype = 0x03,
  fill_value = 0x05,
  link = 0x06,
  external_files = 0x07,
  layout = 0x08,
  group_info = 0x0a,
  filters = 0x0b,
  attribute = 0x0c,
  continuation = 0x10,
  symbol_table = 0x11,
  attribute_info = 0x15
};

struct Message {
  MessageKind kind;
  std::uint8_t flags;
  std::string_view body;
};

// Messages of the object header at an address.
std::vector<Message> read_object_header(const Source& source, std::uint64_t address);
// Body of the first message of a kind; empty if there is none. NSM_UNSUPPORTED if it stands elsewhere in the file (shared
// messages).
std::optional<std::string_view> find_message(const std::vector<Message>& messages, MessageKind kind, const std::string& path);

struct Link {
  std::uint64_t address = no_address;  // no_address: a soft or external link
};

// A group. Members are reached through hard links only, so that nothing leads out of the file or round in circles.
class Group {
 public:
  bool has(const char* name) const;
  Group group(const char* name) const;
  // Datasets of one dimension (or one element). Integers of any size and sign whose values fit 32 bits; IEEE numbers of 2, 4, 8
  // bytes.
  std::int32_t integer(const char* name) const;
  IndexVector integers(const char* name) const;
  Vector reals(const char* name) const;
  // Fixed or variable length; empty if there is none.
  std::string optional_text(const char* name) const;
  // String attribute of the group itself.
  std::string text_attribute(const char* name) const;
  // "/fclib_local/W/x"
  std::string path_of(const char* name) const { return path_ + "/" + name; }

 private:
  friend class Image;
  Group(const Source& source, std::uint64_t address, std::string path);
  std::vector<Message> dataset(const char* name) const;

  Source source_;
  std::string path_;
  std::vector<Message> messages_;
  std::map<std::string, Link, std::less<>> links_;
};

// The bytes must outlive the image and its groups.
class Image {
 public:
  explicit Image(std::string_view bytes);
  Group root() const { return Group(source_, root_, ""); }

 private:
  Source source_;
  std::uint64_t root_ = no_address;
};

}  // namespace nonsmooth::hdf5
