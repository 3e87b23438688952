// How much more memory than before this process has needed, for tests of bounds.
#pragma once

#include <sys/resource.h>

namespace fensi {

/// Counts from its making. Of the highest that the process has ever had: what was free again before does not count.
class MemoryGrowth {
 public:
  /// 0 under a sanitizer, which takes memory of its own.
  long Kilobytes() const {
#ifdef FENSI_SANITIZED
    return 0;
#else
    return Peak() - before_;
#endif
  }

 private:
  static long Peak() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  }
  const long before_ = Peak();
};

}  // namespace fensi
