// A mark in a change stream: what a capture has seen of the progress of the source's servers. It is no change of a row:
// every partition gets it, without key, table and row, and readers of changes skip it. Pure, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace fensi::consumer {

struct Mark {
  /// The times of a server's own markers in one replication call, milliseconds since the epoch by its clock.
  struct Call {
    std::string server;
    int64_t first = 0;
    int64_t last = 0;
    bool operator==(const Call&) const = default;
  };
  std::vector<Call> calls;
  /// Servers that may still have changes for the stream, and when that was read; no time: they were not read.
  std::vector<std::string> members;
  int64_t members_time = 0;
  /// For a producer that writes a whole stream in order: every change up to this time is in the stream. 0: not said.
  int64_t complete_to = 0;
  bool operator==(const Mark&) const = default;
};

/// Of calls and of members; a cluster has fewer servers.
inline constexpr size_t kMostOfAMark = 10'000;
inline constexpr size_t kMostServerBytes = 300;  // "host,port,startcode"

/// kInvalidArgument says what is impossible or above its bound.
Status CheckMark(const Mark& mark);

/// The bytes of a message's value; it has no key. The mark passes CheckMark.
std::string EncodeMark(const Mark& mark);

/// kInvalidArgument: not a mark, another version, with a key, or a mark that CheckMark refuses. Bytes made for it are
/// parsed into a hundred times their size before they are refused; a topic bounds them by its largest message.
Result<Mark> DecodeMark(std::string_view key, std::string_view value);

}  // namespace fensi::consumer
