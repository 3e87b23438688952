// A watermark in a change stream: what a capture has seen of the progress of the source's servers. It is no change of a
// row: every partition gets it, without key, table and row, and readers of changes skip it. Pure, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace fensi::consumer {

struct Mark {
  /// The times of a server's own replication markers in one replication call, milliseconds since the epoch by its
  /// clock.
  struct Call {
    std::string server;
    int64_t first = 0;
    int64_t last = 0;
    bool operator==(const Call&) const = default;
  };
  std::vector<Call> calls;
  /// Servers that may still have changes for the stream, and when the list was read; no time: it was not read.
  std::vector<std::string> members;
  int64_t members_time = 0;
  /// For a producer that writes a whole stream in order: every change up to this time is in the stream. 0: unknown.
  int64_t complete_to = 0;
  /// Whether the source's servers report bulk loads; kNotReported: one of them does not.
  enum class BulkLoads : uint8_t { kNotSaid, kReported, kNotReported };
  BulkLoads bulk_loads = BulkLoads::kNotSaid;
  bool operator==(const Mark&) const = default;
};

/// Bound of calls and of members; a cluster has fewer servers.
inline constexpr size_t kMostOfAMark = 10'000;
inline constexpr size_t kMostServerBytes = 300;  // "host,port,startcode"

/// kInvalidArgument names what is impossible or above its bound.
Status CheckMark(const Mark& mark);

/// The bytes of a message's value; it has no key. The watermark passes CheckMark.
std::string EncodeMark(const Mark& mark);

/// kInvalidArgument: not a watermark, another version, a message with a key, or a watermark that CheckMark refuses.
/// Malicious bytes may be parsed into a hundred times their size before they are refused; the topic's largest message
/// bounds them.
Result<Mark> DecodeMark(std::string_view key, std::string_view value);

// Splits a watermark into as many messages as necessary.
//
// Pure, any thread.

/// Splits a watermark so that no value has more than `most` bytes. The first has the members, which readers must have
/// before the calls. kRejected: the members alone are larger.
Result<std::vector<Mark>> CutMark(Mark mark, size_t most);

}  // namespace fensi::consumer
