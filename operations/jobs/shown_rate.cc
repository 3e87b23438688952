#include "operations/jobs/shown_rate.h"

#include <algorithm>
#include <utility>

namespace fensi::operations {

double ShownRate::Next(int64_t rows) {
  const std::chrono::milliseconds now = clock_->MonotonicNow();
  const auto passed = std::max<int64_t>(1, (now - std::exchange(at_, now)).count());
  return 1000.0 * static_cast<double>(rows - std::exchange(rows_, rows)) / static_cast<double>(passed);
}

}  // namespace fensi::operations
