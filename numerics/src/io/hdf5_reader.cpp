#include "io/hdf5_reader.hpp"

#include "io/hdf5_checksum.hpp"
#include "io/hdf5_dataset.hpp"

namespace nonsmooth::hdf5 {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t longest_name = 255;  // of a link; ours have less than 30 characters
constexpr std::uint8_t shared_flag = 0x02;

std::size_t checked_width(std::uint8_t size) {
  if (size != 2 && size != 4 && size != 8) fail(NSM_BAD_FILE, "damaged HDF5 superblock: fields of %d bytes", size);
  return size;
}

// The newer object headers end with the checksum of all that stands before. Fuzzers cannot guess one, and look behind it.
void require_checksum(std::string_view bytes, std::uint32_t stored, const char* what) {
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  if (checksum(bytes) != stored) fail(NSM_BAD_FILE, "damaged HDF5 data: wrong checksum of %s", what);
#else
  static_cast<void>(bytes), static_cast<void>(stored), static_cast<void>(what);
#endif
}

// --- object headers ---

struct Chunk {
  Cursor cursor;
  bool new_style;
  bool creation_order;
};

// The part of a header at an address, without its own frame; appends further parts it points to.
void read_messages(const Source& source, Chunk chunk, std::vector<Message>& messages,
                   std::vector<std::pair<std::uint64_t, std::uint64_t>>& continuations) {
  const std::size_t head = chunk.new_style ? (chunk.creation_order ? 6 : 4) : 8;
  while (chunk.cursor.left() >= head) {
    Cursor& cursor = chunk.cursor;
    const std::uint16_t kind = chunk.new_style ? cursor.u8() : cursor.u16();
    const std::uint16_t size = cursor.u16();
    const std::uint8_t flags = cursor.u8();
    cursor.skip(chunk.new_style ? (chunk.creation_order ? 2 : 0) : 3);
    const Message message{static_cast<MessageKind>(kind), flags, cursor.take(size)};
    if (message.kind == MessageKind::continuation) {
      Cursor body(message.body);
      const std::uint64_t address = source.address(body);
      continuations.emplace_back(address, source.length(body));
    } else {
      messages.push_back(message);
    }
  }
}

// The frame of a header: version 1 counts messages in a plain prefix, version 2 starts with OHDR and ends with a checksum.
Chunk first_chunk(const Source& source, std::uint64_t address) {
  Cursor cursor = source.at(address);
  const bool new_style = source.at(address).left() >= 4 && source.at(address).take(4) == "OHDR";
  if (!new_style) {
    if (cursor.u8() != 1) fail(NSM_BAD_FILE, "damaged HDF5 data: no object at address %llu", (unsigned long long)address);
    cursor.skip(7);
    const std::uint32_t size = cursor.u32();
    cursor.skip(4);
    return {Cursor(cursor.take(size)), false, false};
  }
  cursor.skip(5);
  const std::uint8_t flags = cursor.u8();
  cursor.skip((flags & 0x20 ? 16u : 0u) + (flags & 0x10 ? 4u : 0u));
  const std::uint64_t size = cursor.number(std::size_t{1} << (flags & 3));
  const std::string_view messages = cursor.take(size);
  const std::size_t covered = source.at(address).left() - cursor.left();
  require_checksum(source.at(address).take(covered), cursor.u32(), "an object header");
  return {Cursor(messages), true, (flags & 0x04) != 0};
}

// --- groups ---

using Links = std::map<std::string, Link, std::less<>>;

void add_link(Links& links, std::string_view name, std::uint64_t address) {
  if (name.size() <= longest_name) links.emplace(std::string(name), Link{address});
}

// Classic groups: names in a local heap, members in the leaves (SNOD) of a B-tree.
class SymbolTable {
 public:
  SymbolTable(const Source& source, std::string_view message) : source_(source), budget_(source) {
    Cursor cursor(message);
    tree_ = source.address(cursor);
    Cursor heap = source.at(source.address(cursor));
    heap.expect("HEAP"sv);
    heap.skip(4);
    const std::uint64_t size = source.length(heap);
    heap.skip(source.length_size);
    names_ = source.at(source.address(heap)).take(size);
  }
  Links links() {
    read_node(tree_, 256);
    return std::move(links_);
  }

 private:
  void read_node(std::uint64_t address, int parent_level) {
    Cursor cursor = source_.at(address);
    const std::size_t before = cursor.left();
    cursor.expect("TREE"sv);
    const std::uint8_t type = cursor.u8(), level = cursor.u8();
    if (type != 0 || level >= parent_level) fail(NSM_BAD_FILE, "damaged HDF5 data: group tree");
    const std::uint16_t used = cursor.u16();
    cursor.skip(2 * source_.offset_size);
    for (std::uint16_t k = 0; k < used; ++k) {
      cursor.skip(source_.length_size);
      const std::uint64_t child = source_.address(cursor);
      if (level == 0)
        read_leaf(child);
      else
        read_node(child, level);
    }
    budget_.spend(before - cursor.left());
  }
  void read_leaf(std::uint64_t address) {
    Cursor cursor = source_.at(address);
    const std::size_t before = cursor.left();
    cursor.expect("SNOD"sv);
    cursor.skip(2);
    const std::uint16_t count = cursor.u16();
    for (std::uint16_t k = 0; k < count; ++k) {
      constexpr std::uint32_t soft_link = 2;
      const std::uint64_t name = cursor.number(source_.offset_size), header = source_.address(cursor);
      const std::uint32_t kind = cursor.u32();
      cursor.skip(20);
      if (name >= names_.size()) fail(NSM_BAD_FILE, "damaged HDF5 data: name of a group member");
      const std::string_view text = names_.substr(static_cast<std::size_t>(name), longest_name + 1);
      add_link(links_, text.substr(0, text.find('\0')), kind == soft_link ? no_address : header);
    }
    budget_.spend(before - cursor.left());
  }

  const Source& source_;
  Budget budget_;
  std::uint64_t tree_ = no_address;
  std::string_view names_;
  Links links_;
};

// Groups of newer files: a message per link.
void read_link_message(const Source& source, std::string_view message, Links& links) {
  Cursor cursor(message);
  cursor.skip(1);
  const std::uint8_t flags = cursor.u8();
  const std::uint8_t type = flags & 0x08 ? cursor.u8() : 0;
  cursor.skip((flags & 0x04 ? 8u : 0u) + (flags & 0x10 ? 1u : 0u));
  const std::uint64_t name_size = cursor.number(std::size_t{1} << (flags & 3));
  const std::string_view name = cursor.take(name_size);
  add_link(links, name, type == 0 ? source.address(cursor) : no_address);
}

void require_no_dense_links(const Source& source, std::string_view message, const std::string& path) {
  Cursor cursor(message);
  cursor.skip(1);
  cursor.skip(cursor.u8() & 0x01 ? 8u : 0u);
  if (source.address(cursor) != no_address)
    fail(NSM_UNSUPPORTED, "group %s/ is in the dense layout of HDF5 1.8 and later: rewrite the file with h5repack", path.c_str());
}

Links read_links(const Source& source, const std::vector<Message>& messages, const std::string& path) {
  Links links;
  for (const Message& message : messages) {
    if (message.kind == MessageKind::symbol_table) links = SymbolTable(source, message.body).links();
    if (message.kind == MessageKind::link_info) require_no_dense_links(source, message.body, path);
    if (message.kind == MessageKind::link) read_link_message(source, message.body, links);
  }
  return links;
}

bool is_group(const std::vector<Message>& messages) {
  for (const Message& message : messages)
    if (message.kind == MessageKind::symbol_table || message.kind == MessageKind::link_info) return true;
  return false;
}

}  // namespace

std::vector<Message> read_object_header(const Source& source, std::uint64_t address) {
  Budget budget(source);
  std::vector<Message> messages;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> continuations;
  Chunk chunk = first_chunk(source, address);
  for (std::size_t next = 0;; ++next) {
    budget.spend(chunk.cursor.left());
    read_messages(source, chunk, messages, continuations);
    if (next == continuations.size()) return messages;
    const auto [place, size] = continuations[next];
    const std::string_view bytes = source.at(place).take(size);
    Cursor part(bytes);
    if (chunk.new_style) {
      part.expect("OCHK"sv);
      part = Cursor(part.take(part.left() < 4 ? 0 : part.left() - 4));
      const std::size_t covered = 4 + part.left();
      require_checksum(bytes.substr(0, covered), Cursor(bytes.substr(covered)).u32(), "a part of an object header");
      budget.spend(8);
    } else {
      budget.spend(1);  // an empty part that points at itself would never end
    }
    chunk.cursor = part;
  }
}

std::optional<std::string_view> find_message(const std::vector<Message>& messages, MessageKind kind, const std::string& path) {
  for (const Message& message : messages) {
    if (message.kind != kind) continue;
    if (message.flags & shared_flag)
      fail(NSM_UNSUPPORTED, "%s: shared HDF5 header messages are not read: rewrite the file with h5repack", path.c_str());
    return message.body;
  }
  return std::nullopt;
}

Image::Image(std::string_view bytes) : source_{bytes} {
  if (!bytes.starts_with("\x89HDF\r\n\x1a\n"sv)) fail(NSM_BAD_FILE, "not an HDF5 file");
  Cursor cursor = source_.at(8);
  const std::uint8_t version = cursor.u8();
  if (version > 3) fail(NSM_BAD_FILE, "HDF5 superblock of version %d; 0 to 3 are read", version);
  const bool classic = version < 2;
  if (classic) cursor.skip(4);
  source_.offset_size = checked_width(cursor.u8());
  source_.length_size = checked_width(cursor.u8());
  cursor.skip(!classic ? 1 : version == 1 ? 13 : 9);  // flags, and the fan-out of trees in classic files
  const std::uint64_t base = source_.address(cursor);
  cursor.skip(source_.offset_size);
  const std::uint64_t end = source_.address(cursor);
  if (classic) cursor.skip(2 * source_.offset_size);  // driver, name of the root group
  root_ = source_.address(cursor);
  // The checksum of a newer superblock is not asked: H5Fget_file_image clears a flag before it, and leaves it as it was.
  if (base != 0) fail(NSM_UNSUPPORTED, "HDF5 data that start at byte %llu", (unsigned long long)base);
  if (end > bytes.size()) fail(NSM_BAD_FILE, "truncated HDF5 file: %zu bytes of %llu", bytes.size(), (unsigned long long)end);
}

Group::Group(const Source& source, std::uint64_t address, std::string path)
    : source_(source), path_(std::move(path)), messages_(read_object_header(source, address)) {
  if (!is_group(messages_)) fail(NSM_BAD_FILE, "%s is not a group", path_.empty() ? "/" : path_.c_str());
  links_ = read_links(source_, messages_, path_);
}

bool Group::has(const char* name) const {
  const auto found = links_.find(name);
  if (found == links_.end()) return false;
  if (found->second.address == no_address)
    fail(NSM_BAD_FILE, "%s is a soft or external link; only data in the file itself are read", path_of(name).c_str());
  return true;
}

Group Group::group(const char* name) const {
  if (!has(name)) fail(NSM_BAD_FILE, "group %s is missing", path_of(name).c_str());
  return Group(source_, links_.find(name)->second.address, path_of(name));
}

std::vector<Message> Group::dataset(const char* name) const {
  if (!has(name)) fail(NSM_BAD_FILE, "dataset %s is missing", path_of(name).c_str());
  return read_object_header(source_, links_.find(name)->second.address);
}

IndexVector Group::integers(const char* name) const { return read_integers(source_, dataset(name), path_of(name)); }

std::int32_t Group::integer(const char* name) const {
  const IndexVector values = integers(name);
  if (values.size() != 1) fail(NSM_BAD_FILE, "%s has %zu entries, 1 expected", path_of(name).c_str(), values.size());
  return values[0];
}

Vector Group::reals(const char* name) const { return read_reals(source_, dataset(name), path_of(name)); }

std::string Group::optional_text(const char* name) const {
  return has(name) ? read_text(source_, dataset(name), path_of(name)) : std::string();
}

std::string Group::text_attribute(const char* name) const {
  const std::string what = "attribute " + std::string(name) + " of " + path_;
  for (const Message& message : messages_)
    if (message.kind == MessageKind::attribute)
      if (const std::optional<std::string> value = read_text_attribute(source_, message.body, name, what)) return *value;
  fail(NSM_BAD_FILE, "%s is missing", what.c_str());
}

}  // namespace nonsmooth::hdf5
