#include "run_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace nonsmooth::bench {
namespace {

using nlohmann::json;

constexpr std::int64_t append_lock = std::int64_t{1} << 40, first_claim = append_lock + 1, claims = std::int64_t{1} << 40;

std::int64_t place_of(const std::string& what) {
  return first_claim + static_cast<std::int64_t>(hash_of(what) % static_cast<std::uint64_t>(claims));
}

// The solves among the lines; the others are counted.
std::vector<Solve> solves_of(const std::string& text, int& others) {
  std::vector<Solve> solves;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    try {
      solves.push_back(solve_from(json::parse(line)));
    } catch (const json::exception&) {
      ++others;
    } catch (const std::invalid_argument&) {
      ++others;
    }
  }
  return solves;
}

// Whether a file that begins so may be appended to. A first line may be a half one, of a process that was killed.
bool begins_as_a_run(const std::string& text) {
  const std::string first = text.substr(0, text.find('\n')), head = R"({"answer":)";  // the first of our names
  if (first.starts_with(head)) return true;
  if (first.size() == text.size()) return head.starts_with(first);
  int others = 0;
  return !solves_of(first, others).empty();
}

// Who has a pipe open for reading too is its own reader: lines that nobody else reads would be written without an error. Opened
// for writing alone, it waits for its reader.
int way_of_access(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode) ? O_WRONLY : O_RDWR;
}

// While it lives a reader that has gone is an error of write(), as a full disk is, and no signal.
class NoBrokenPipe {
 public:
  NoBrokenPipe() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~NoBrokenPipe() { std::signal(SIGPIPE, before_); }
  NoBrokenPipe(const NoBrokenPipe&) = delete;
  NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;

 private:
  void (*before_)(int);
};

}  // namespace

RunFile::RunFile(const std::string& path) : path_(path) {
  if (path.empty()) return;
  file_ = open(path.c_str(), way_of_access(path) | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) throw std::runtime_error(path + ": " + std::strerror(errno));
  std::string text(std::size_t{1} << 16, '\0');  // more than a line
  text.resize(static_cast<std::size_t>(std::max(ssize_t{0}, pread(file_, text.data(), text.size(), 0))));
  if (begins_as_a_run(text)) return;
  close(file_);
  throw std::runtime_error(path + ": no file of nonsmooth bench");
}

RunFile::~RunFile() {
  if (file_ >= 0) close(file_);
}

std::vector<Solve> RunFile::news() {
  std::string text;
  char buffer[1 << 16];
  while (file_ >= 0) {
    const ssize_t count = pread(file_, buffer, sizeof buffer, read_ + static_cast<std::int64_t>(text.size()));
    if (count <= 0) break;
    text.append(buffer, static_cast<std::size_t>(count));
  }
  text.resize(text.rfind('\n') + 1);  // npos + 1 is 0
  read_ += static_cast<std::int64_t>(text.size());
  int halves = 0;
  return solves_of(text, halves);
}

bool RunFile::lock(std::int64_t place, bool wait, short kind) {
  if (file_ < 0) return true;
  struct flock request {};
  request.l_type = kind;
  request.l_whence = SEEK_SET;
  request.l_start = place;
  request.l_len = 1;
  while (fcntl(file_, wait ? F_SETLKW : F_SETLK, &request) != 0) {
    if (errno == EINTR) continue;
    if (!wait && (errno == EAGAIN || errno == EACCES)) return false;
    throw std::runtime_error(path_ + ": cannot be locked: " + std::strerror(errno));
  }
  return true;
}

bool RunFile::claim(const std::string& what) { return lock(place_of(what), false, F_WRLCK); }

void RunFile::release(const std::string& what) { lock(place_of(what), false, F_UNLCK); }

void RunFile::append(const std::vector<Solve>& lines) {
  std::string text;
  for (const Solve& line : lines) text += to_json(line).dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
  if (file_ < 0) {
    std::fputs(text.c_str(), stdout);
    if (std::fflush(stdout) != 0) throw std::runtime_error("standard output cannot be written");
    return;
  }
  const NoBrokenPipe here;
  lock(append_lock, true, F_WRLCK);
  char last = '\n';
  const off_t size = lseek(file_, 0, SEEK_END);
  if (size > 0 && pread(file_, &last, 1, size - 1) == 1 && last != '\n') text = '\n' + text;  // someone was killed in a line
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t count = write(file_, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw std::runtime_error(path_ + ": " + std::strerror(errno));
    written += static_cast<std::size_t>(count);
  }
  lock(append_lock, false, F_UNLCK);
}

std::vector<Solve> read_run(const std::string& path, int* halves) {
  int others = 0;
  std::vector<Solve> solves = solves_of(bytes_of(path), others);
  if (solves.empty()) throw std::runtime_error(path + ": no lines of nonsmooth bench in it");
  if (halves != nullptr) *halves = others;
  return solves;
}

}  // namespace nonsmooth::bench
