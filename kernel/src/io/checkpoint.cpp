#include "nonsmooth/kernel/checkpoint.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "io/atomic_file.hpp"
#include "io/fnv1a.hpp"

namespace nonsmooth::kernel {
namespace {

// The file: this text, then three integers of 64 bits (version, length of the state, its checksum), then the state, which begins
// with the origin. All numbers as the machine has them: another byte order shows as an unknown version.
constexpr char magic[] = "nonsmooth-state\n";
constexpr std::size_t magic_size = sizeof magic - 1, header_size = magic_size + 3 * sizeof(std::uint64_t);
constexpr std::uint64_t version = 2;

std::string readFile(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) fail("%s: %s", path.c_str(), std::strerror(errno));
  std::string content;
  char buffer[65536];
  for (std::size_t count; (count = std::fread(buffer, 1, sizeof buffer, file)) > 0;) content.append(buffer, count);
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) fail("%s: %s", path.c_str(), std::strerror(errno));
  return content;
}

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
  const std::string content = readFile(path);
  if (content.size() < header_size || content.compare(0, magic_size, magic) != 0)
    fail("%s: no saved state of a simulation", path.c_str());
  std::uint64_t header[3];
  std::memcpy(header, content.data() + magic_size, sizeof header);
  if (header[0] != version)
    fail("%s: a state of version %llu, version %llu is read here", path.c_str(), static_cast<unsigned long long>(header[0]),
         static_cast<unsigned long long>(version));
  if (header[1] != content.size() - header_size)
    fail("%s: %zu bytes of the state are there, not %llu", path.c_str(), content.size() - header_size,
         static_cast<unsigned long long>(header[1]));
  if (header[2] != fnv1a(std::string_view(content).substr(header_size)))
    fail("%s: the file is damaged (its checksum does not fit)", path.c_str());
  StateReader state(content.substr(header_size), path);
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
