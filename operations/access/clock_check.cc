#include "operations/access/clock_check.h"

#include "indexer/remedies.h"
#include "operations/access/position.h"

namespace fensi::operations {

Status CheckClock(const std::string& index, int64_t complete, std::chrono::milliseconds skew, const Clock& clock) {
  const int64_t now = clock.WallMillis();
  if (complete <= now + skew.count()) return {};
  return Status(StatusCode::kConfiguration,
                "the clock of this machine (" + TimeText(now) +
                    ") is behind the servers' clocks: the watermark of index " + index + " is already " +
                    TimeText(complete) + ". With this clock, fensi cannot see whether changes reach the index. " +
                    indexer::kCompareClocks + ". Then run the command again");
}

}  // namespace fensi::operations
