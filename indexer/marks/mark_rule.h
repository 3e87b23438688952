// How far a change stream's partition is complete, by the marks that stand in it (M20).
//
// HBase replicates a server's log batch by batch: the next one is sent when every call of the one before is
// acknowledged. So a call whose first marker is younger than one that was met before proves that all that was logged
// before that one stands in the stream. Servers that do not speak hold the partition back, as long as they are members.
//
// Pure, bounded whatever the marks say; not thread-safe. It begins with the assignment, and knows nothing then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "consumer/codec/mark_codec.h"

namespace fensi::indexer {

/// Who says how far the stream is complete.
enum class MarkBasis { kNone, kMarkers, kProducer };

/// "none", "markers", "producer".
const char* BasisName(MarkBasis basis);

class MarkRule {
 public:
  /// Servers that are remembered beside the members.
  static constexpr size_t kMostStrangers = 1'000;
  /// A server is silent when others were heard of for so many milliseconds, and it was not.
  static constexpr int64_t kSilence = 30'000;

  /// `skew`: by how many milliseconds the clocks of two machines of the source may differ.
  explicit MarkRule(int64_t skew) : skew_(skew) {}

  /// Marks that passed CheckMark, in the order in which they stand in the partition.
  void Meet(const consumer::Mark& mark);

  /// Every change that a server logged up to that time, by its own clock, stands before the mark that was met last.
  /// Absent: nothing is known yet. It may fall when servers join; what was told stays true.
  std::optional<int64_t> complete_to() const;
  MarkBasis basis() const;

  /// The member that holds the partition back most because its markers do not come; absent: none is silent. By the
  /// clocks of its servers and of captures, as whoever reads a stream late is late himself.
  struct Silent {
    std::string server;
    int64_t millis = 0;
  };
  std::optional<Silent> silent() const;

 private:
  struct Server {
    int64_t newest = 0;               // marker that was met
    std::optional<int64_t> complete;  // T(s)
  };

  void MeetMembers(const consumer::Mark& mark);
  void MeetCall(const consumer::Mark::Call& call);
  std::optional<int64_t> CompleteByMarkers() const;
  int64_t WhatTwoClocksSay() const;

  const int64_t skew_;
  std::map<std::string, Server, std::less<>> servers_;
  std::map<std::string, int64_t, std::less<>> members_;  // and since when they are; empty: they were not told
  int64_t members_time_ = 0;
  int64_t by_producer_ = 0;
};

}  // namespace fensi::indexer
