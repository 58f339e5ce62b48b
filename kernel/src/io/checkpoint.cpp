#include "nonsmooth/kernel/checkpoint.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "io/atomic_file.hpp"
#include "io/fnv1a.hpp"

namespace nonsmooth::kernel {
namespace {

// The file: this text, then three integers of 64 bits (version, length of the state, its checksum), then the state, which begins
// with the origin. All numbers as the machine has them: another byte order shows as an unknown version.
constexpr char magic[] = "nonsmooth-state\n";
constexpr std::size_t magic_size = sizeof magic - 1, header_size = magic_size + 3 * sizeof(std::uint64_t);
constexpr std::uint64_t version = 2;

// A file that is read in order.
class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rb")) {
    if (!file_) fail("%s: %s", path.c_str(), std::strerror(errno));
  }
  // The next bytes: `most`, or fewer where the file ends.
  std::string next(std::uint64_t most) {
    std::string content;
    char buffer[65536];
    for (std::size_t count = 1; count > 0 && content.size() < most;) {
      count = std::fread(buffer, 1, std::min<std::uint64_t>(sizeof buffer, most - content.size()), file_.get());
      content.append(buffer, count);
    }
    if (std::ferror(file_.get()) != 0) fail("%s: %s", path_.c_str(), std::strerror(errno));
    return content;
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::string& path_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace

void saveState(const std::string& path, Simulation& simulation, const std::string& origin) {
  StateWriter state;
  state.text(origin);
  simulation.save(state);
  const std::string& bytes = state.bytes();
  const std::uint64_t header[3] = {version, bytes.size(), fnv1a(bytes)};
  std::string content(magic, magic_size);
  content.append(reinterpret_cast<const char*>(header), sizeof header);
  writeAtomically(path, content + bytes, true);
}

std::string restoreState(const std::string& path, Simulation& simulation) {
  Reader file(path);
  const std::string start = file.next(header_size);
  if (start.size() < header_size || start.compare(0, magic_size, magic) != 0)
    fail("%s: no saved state of a simulation", path.c_str());
  std::uint64_t header[3];
  std::memcpy(header, start.data() + magic_size, sizeof header);
  if (header[0] != version)
    fail("%s: a state of version %llu, version %llu is read here", path.c_str(), static_cast<unsigned long long>(header[0]),
         static_cast<unsigned long long>(version));
  std::string bytes = file.next(header[1]);
  if (bytes.size() < header[1])
    fail("%s: %zu bytes of the state are there, not %llu", path.c_str(), bytes.size(),
         static_cast<unsigned long long>(header[1]));
  if (!file.next(1).empty())
    fail("%s: more than the %llu bytes of the state are there", path.c_str(), static_cast<unsigned long long>(header[1]));
  if (header[2] != fnv1a(bytes)) fail("%s: the file is damaged (its checksum does not fit)", path.c_str());
  StateReader state(std::move(bytes), path);
  std::string origin = state.text();
  simulation.restore(state);
  return origin;
}

Checkpoints::Checkpoints(Simulation& simulation, std::string path, long every, std::string origin)
    : simulation_(&simulation), path_(std::move(path)), origin_(std::move(origin)), every_(every) {
  if (every < 1) fail("a state saved every %ld steps", every);
}

bool Checkpoints::step() {
  if (++count_ % every_ != 0) return false;
  saveState(path_, *simulation_, origin_);
  return true;
}

}  // namespace nonsmooth::kernel
