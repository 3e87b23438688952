// Computes how far a partition of a change stream is complete, from the watermarks in it (M20).
//
// HBase replicates a server's log batch by batch, and sends the next batch when every call of the batch before is
// acknowledged. So a call whose first marker is younger than an earlier marker proves that everything logged before
// that earlier marker is in the stream. A member that sends nothing holds the partition back as long as it is a member.
//
// Pure; memory is bounded whatever the watermarks contain; not thread-safe. It begins with the assignment, without
// knowledge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "consumer/codec/mark_codec.h"

namespace fensi::indexer {

/// The source of the information how far the stream is complete.
enum class MarkBasis { kNone, kMarkers, kProducer };

/// "none", "markers", "producer".
const char* BasisName(MarkBasis basis);

/// Whether HBase reports bulk loads, by the last of these watermarks that says so: "reported", "not reported", or
/// empty.
std::string BulkLoadsText(const std::vector<consumer::Mark>& marks);

class MarkRule {
 public:
  /// Servers that are remembered besides the members.
  static constexpr size_t kMostStrangers = 1'000;
  /// Milliseconds without a sign of a server, while others sent some, after which the server is silent.
  static constexpr int64_t kSilence = 30'000;

  /// `skew`: by how many milliseconds the clocks of two machines of the source may differ.
  explicit MarkRule(int64_t skew) : skew_(skew) {}

  /// Takes a watermark that passed CheckMark, in the order of the partition.
  void Meet(const consumer::Mark& mark);

  /// Every change that a server logged up to this time, by its own clock, is before the last watermark. Absent: nothing
  /// is known yet. The time may fall when servers join; earlier answers stay true.
  std::optional<int64_t> complete_to() const;
  MarkBasis basis() const;

  /// The member that holds the partition back most because its markers do not arrive; absent: none is silent. Measured
  /// by the clocks of the servers and captures, because a reader that is behind gets everything late.
  struct Silent {
    std::string server;
    int64_t millis = 0;
  };
  std::optional<Silent> silent() const;
  /// The message for a person.
  static std::string TextOf(const Silent& silent);

 private:
  struct Server {
    int64_t newest = 0;               // newest marker that was received
    std::optional<int64_t> complete;  // T(s)
  };

  void MeetMembers(const consumer::Mark& mark);
  void MeetCall(const consumer::Mark::Call& call);
  std::optional<int64_t> CompleteByMarkers() const;
  int64_t CompleteByClocks() const;

  const int64_t skew_;
  std::map<std::string, Server, std::less<>> servers_;
  std::map<std::string, int64_t, std::less<>> members_;  // and since when they are members; empty: unknown
  int64_t members_time_ = 0;
  int64_t by_producer_ = 0;
};

}  // namespace fensi::indexer
