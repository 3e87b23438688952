// What became of a member of a group, counted by its poll thread and read by anybody.
#pragma once

#include <atomic>
#include <cstdint>

namespace fensi::consumer {

struct GroupCounts {
  std::atomic<int64_t> assignments{0};
  std::atomic<int64_t> revocations{0};
  std::atomic<int64_t> losses{0};  // the group had given the partitions away before it was asked
  std::atomic<int64_t> fenced{0};
  std::atomic<int64_t> commit_failures{0};
  std::atomic<int64_t> last_commit{0};  // milliseconds since the epoch; 0: none yet
};

}  // namespace fensi::consumer
