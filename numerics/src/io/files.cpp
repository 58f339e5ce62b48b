#include <fcntl.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/io.hpp"

namespace nonsmooth {
namespace {

struct FormatRow {
  const char* name;
  const char* ending;
};

#define NSM_ROW_(name, value, id, ending, text) {id, ending},
constexpr FormatRow formats[] = {NSM_FORMAT_LIST(NSM_ROW_)};
#undef NSM_ROW_

// `error` is errno as it was when the call failed.
[[noreturn]] void fail_on(const char* verb, const std::string& path, int error) {
  throw Error(NSM_FILE_ERROR, std::string("cannot ") + verb + " '" + path + "': " + std::strerror(error), error);
}

class File {
 public:
  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(); }

  bool open(const std::string& path, int flags, mode_t mode = 0) {
    descriptor_ = ::open(path.c_str(), flags | O_CLOEXEC, mode);
    return descriptor_ >= 0;
  }
  bool share(int descriptor) {
    descriptor_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    return descriptor_ >= 0;
  }
  int descriptor() const { return descriptor_; }
  // False if the system reports a write that failed late.
  bool close() { return descriptor_ < 0 || ::close(std::exchange(descriptor_, -1)) == 0; }

  bool write_all(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }

 private:
  int descriptor_ = -1;
};

// A new file beside the target, so that the rename stays within one file system. Removed unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& target) {
    constexpr int attempts = 1000;  // left-overs of killed processes that had this process's number
    for (int k = 0; k < attempts; ++k) {
      path_ = target + ".tmp" + std::to_string(::getpid()) + "-" + std::to_string(k);
      if (file_.open(path_, O_WRONLY | O_CREAT | O_EXCL, 0666)) return;
      if (errno != EEXIST) break;
    }
    fail_on("create", target, errno);
  }
  ~TemporaryFile() {
    if (!renamed_) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  File& file() { return file_; }
  bool rename_to(const std::string& target) { return renamed_ = ::rename(path_.c_str(), target.c_str()) == 0; }

 private:
  std::string path_;
  File file_;
  bool renamed_ = false;
};

// Devices and pipes cannot be replaced; they are written in place. So is a file that is open (/dev/stdout), where it stands:
// opened anew it would be written from its start, where others have written.
void write_in_place(const std::string& path, std::string_view bytes) {
  File file;
  const int open_file = open_file_in(path);
  if (!(open_file >= 0 ? file.share(open_file) : file.open(path, O_WRONLY))) fail_on("open", path, errno);
  if (!file.write_all(bytes) || !file.close()) fail_on("write", path, errno);
}

// The file a link points to: the link stays, its target is replaced, or made. No loop, which stat() has found.
std::string resolved(std::filesystem::path path) {
  for (std::error_code unknown; std::filesystem::is_symlink(path, unknown);)
    path = path.parent_path() / std::filesystem::read_symlink(path);  // the target alone where it is absolute
  return path.string();
}

// A file that is written but does not stand in its place yet.
class Replacement {
 public:
  explicit Replacement(const FileToWrite& file) : file_(file) {
    struct stat information {};
    const char* path = file.path.c_str();
    const bool exists = ::stat(path, &information) == 0;
    if (!exists && errno != ENOENT) fail_on("create", file.path, errno);
    if (exists && S_ISDIR(information.st_mode)) fail_on("write", file.path, EISDIR);
    if (exists && (!S_ISREG(information.st_mode) || open_file_in(file.path) >= 0)) return;
    if (exists && ::access(path, W_OK) != 0) fail_on("write", file.path, errno);
    target_ = resolved(file.path);
    temporary_ = std::make_unique<TemporaryFile>(target_);
    File& written = temporary_->file();
    if (exists && ::fchmod(written.descriptor(), information.st_mode & 07777) != 0) fail_on("write", file.path, errno);
    if (!written.write_all(file.bytes) || ::fsync(written.descriptor()) != 0 || !written.close())
      fail_on("write", file.path, errno);
  }
  void commit() {
    if (temporary_ == nullptr) return write_in_place(file_.path, file_.bytes);
    if (!temporary_->rename_to(target_)) fail_on("replace", file_.path, errno);
  }

 private:
  const FileToWrite& file_;
  std::string target_;
  std::unique_ptr<TemporaryFile> temporary_;  // none of what is written in place
};

bool ends_with_ignoring_case(const std::string& path, const char* ending) {
  const std::size_t length = std::strlen(ending);
  return path.size() >= length && ::strcasecmp(path.c_str() + path.size() - length, ending) == 0;
}

// NSM_FORMAT_COUNT if the ending is none of ours.
nsm_format known_format(const std::string& path) {
  for (int k = 0; k < NSM_FORMAT_COUNT; ++k)
    if (ends_with_ignoring_case(path, formats[k].ending)) return static_cast<nsm_format>(k);
  return ends_with_ignoring_case(path, ".h5") ? NSM_FORMAT_FCLIB : NSM_FORMAT_COUNT;
}

}  // namespace

int open_file_in(std::string_view path) {
  constexpr std::string_view streams[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
  int number = -1;
  if (const auto* stream = std::find(std::begin(streams), std::end(streams), path); stream != std::end(streams))
    number = static_cast<int>(stream - streams);
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"})
    if (path.starts_with(folder)) std::from_chars(path.data() + folder.size(), path.data() + path.size(), number);
  struct stat information {};
  return number >= 0 && ::fstat(number, &information) == 0 && S_ISREG(information.st_mode) ? number : -1;
}

std::string read_file(const std::string& path) {
  File file;
  if (!file.open(path, O_RDONLY)) fail_on("open", path, errno);
  std::string bytes;
  struct stat information {};
  const mode_t mode = ::fstat(file.descriptor(), &information) == 0 ? information.st_mode : 0;
  if (S_ISREG(mode)) bytes.reserve(static_cast<std::size_t>(information.st_size) + 1);
  // Such as /dev/zero, which never ends. Where standard input is a terminal, people end it.
  if (S_ISCHR(mode) && ::isatty(file.descriptor()) == 0)
    throw Error(NSM_FILE_ERROR, "cannot read '" + path + "': it is a device, neither a file nor a pipe");
  std::size_t used = 0;
  for (;;) {
    // One byte more than the file has: the read that finds the end needs no growth.
    bytes.resize(std::max(bytes.capacity(), used + 65536));
    const ssize_t got = ::read(file.descriptor(), bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_on("read", path, errno);
    used += static_cast<std::size_t>(got);
    if (got == 0) break;
  }
  bytes.resize(used);
  return bytes;
}

void write_files_atomically(std::span<const FileToWrite> files) {
  std::vector<Replacement> replacements;
  for (const FileToWrite& file : files) replacements.emplace_back(file);
  for (Replacement& replacement : replacements) replacement.commit();
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  const FileToWrite file{path, bytes};
  write_files_atomically({&file, 1});
}

nsm_format format_from_name(const std::string& name) {
  std::string known;
  for (int k = 0; k < NSM_FORMAT_COUNT; ++k) {
    if (name == formats[k].name) return static_cast<nsm_format>(k);
    known += std::string(known.empty() ? "" : ", ") + formats[k].name;
  }
  throw Error(NSM_UNKNOWN_FORMAT, "'" + name + "' is none of the formats " + known);
}

nsm_format format_from_path(const std::string& path) {
  const nsm_format format = known_format(path);
  if (format == NSM_FORMAT_COUNT)
    throw Error(NSM_UNKNOWN_FORMAT, "'" + path + "': no format has this file ending; .json, .hdf5, .h5, .dat and .mtx are known");
  return format;
}

nsm_format solution_format_from_path(const std::string& path) {
  const nsm_format format = known_format(path);
  if (format != NSM_FORMAT_JSON && format != NSM_FORMAT_FCLIB)
    throw Error(NSM_UNKNOWN_FORMAT, "'" + path + "': solutions are written as .json, .hdf5 or .h5");
  return format;
}

}  // namespace nonsmooth
