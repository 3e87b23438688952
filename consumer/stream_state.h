// What is measured of a change stream at one moment: how far each partition is, and what became of the group.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fensi::consumer {

/// Where in a stream something is wrong.
struct StreamPlace {
  std::string topic;
  int32_t partition = 0;
  std::optional<int64_t> offset = {};  // absent: of the whole partition
};

/// Of a partition that this process has and has begun. Times are Kafka's, of the message, in milliseconds since the
/// epoch.
struct PartitionState {
  int32_t partition = 0;
  int64_t applied = 0;  // the next offset wanted: everything below is done
  std::optional<int64_t> committed;
  int64_t log_end = 0;                  // as last told
  std::optional<int64_t> end_told;      // when it was, in milliseconds since the epoch
  std::optional<int64_t> oldest_time;   // of the oldest message that was fetched and is not done
  std::optional<int64_t> applied_time;  // of the newest that is done
  std::optional<int64_t> fresh_until;   // everything that was in the log by then is applied; never falls
  bool full = false;                    // not read on: its queue is full
};

struct StreamState {
  std::vector<PartitionState> partitions;
  int32_t assigned = 0;
  int32_t topic_partitions = 0;         // 0: not known yet
  std::optional<int64_t> retention_ms;  // how long the topic keeps messages; absent: for ever, or not known
  size_t held_bytes = 0;
  size_t held_limit = 0;
  std::optional<StreamPlace> lost = {};                  // what it ended for: the log has it no more
  bool at_rest = false;                                  // it is paused, and no batch is in hand
  int64_t assignments = 0, revocations = 0, losses = 0;  // of all partitions together, by the group
  int64_t fenced = 0;                                    // the right to all partitions ended by silence
  int64_t commit_failures = 0;
  std::optional<int64_t> last_commit;           // milliseconds since the epoch
  std::optional<int64_t> log_end_checked;       // the same: when all ends were told last
  std::optional<bool> reachable;                // a broker is connected; absent: there is none to be reached
  std::chrono::milliseconds broker_silence{0};  // since one was
  std::chrono::milliseconds poll_silence{0};    // of the poll thread
  std::chrono::milliseconds poll_limit{0};      // how long it may be silent; 0: there is no such thread
};

}  // namespace fensi::consumer
