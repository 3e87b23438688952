// What every fuzz target promises about one input: at most 64 KiB are looked at, and that in a bounded time. Memory is
// bounded by libFuzzer's own limits (tests/fuzz/run).
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace fensi {

constexpr size_t kMostFuzzBytes = 64 * 1024;

/// Aborts when its life took too much processor time. (Not time of the wall: a machine may stand still.)
class TimeBound {
 public:
  explicit TimeBound(double seconds = 20) : seconds_(seconds), begin_(Now()) {}
  ~TimeBound() {
    const double took = Now() - begin_;
    if (took <= seconds_) return;
    std::fprintf(stderr, "one input took %.1f s of processor time, more than %.1f s\n", took, seconds_);
    std::abort();
  }
  TimeBound(const TimeBound&) = delete;
  TimeBound& operator=(const TimeBound&) = delete;

 private:
  static double Now() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
  }

  const double seconds_;
  const double begin_;
};

/// A broken promise ends the run, and libFuzzer keeps the input.
inline void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

}  // namespace fensi
