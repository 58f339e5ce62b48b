// Who is at work, so that what is called from there can be told apart.
#pragma once

namespace nonsmooth::kernel {

// The flag is set as long as this lives.
class AtWork {
 public:
  explicit AtWork(bool& flag) : flag_(flag) { flag_ = true; }
  ~AtWork() { flag_ = false; }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

 private:
  bool& flag_;
};

}  // namespace nonsmooth::kernel
