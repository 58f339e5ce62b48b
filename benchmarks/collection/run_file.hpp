// RUN.jsonl: one line of JSON per solve, and the queue that processes share.
//
// Whoever measures holds a lock on one byte, far behind the end of the file, whose place is the hash of what he measures. The
// system releases it when he dies, however he dies: no claim outlives its process, none has to be cleaned up. Lines are appended
// under a lock of their own. Locks are those of POSIX (fcntl), which network file systems know too.
#pragma once

#include <string>
#include <vector>

#include "solve.hpp"

namespace nonsmooth::bench {

class RunFile {
 public:
  explicit RunFile(const std::string& path);  // empty: lines go to standard output, there is no queue
  ~RunFile();
  RunFile(const RunFile&) = delete;
  RunFile& operator=(const RunFile&) = delete;

  // Lines that are there since the last call. Half a line, of a process that was killed, is passed over.
  std::vector<Solve> news();
  bool claim(const std::string& what);  // false: another process has it
  void release(const std::string& what);
  void append(const std::vector<Solve>& lines);  // all or, if killed, none or a part

 private:
  bool lock(std::int64_t place, bool wait, short kind);

  std::string path_;
  int file_ = -1;
  std::int64_t read_ = 0;  // bytes
};

// All lines of a file; throws if it holds none. halves: lines that are none.
std::vector<Solve> read_run(const std::string& path, int* halves = nullptr);

}  // namespace nonsmooth::bench
