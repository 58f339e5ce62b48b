// SIGTERM held back from a thread.
#pragma once

#include <csignal>

namespace nonsmooth {

// For as long as it lives this thread does not take SIGTERM, nor do threads that it starts meanwhile, ever. Where no other thread
// takes it, the signal waits for the end.
class HeldTermination {
 public:
  HeldTermination() {
    sigset_t termination;
    sigemptyset(&termination);
    sigaddset(&termination, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &termination, &callers_);
  }
  ~HeldTermination() { pthread_sigmask(SIG_SETMASK, &callers_, nullptr); }
  HeldTermination(const HeldTermination&) = delete;
  HeldTermination& operator=(const HeldTermination&) = delete;

 private:
  sigset_t callers_;
};

}  // namespace nonsmooth
