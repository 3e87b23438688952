// Makes one member read all partitions of a topic whose rows are spread over its partitions. A member with a part of
// them leaves the group, stands by and tries again later; a member that had them all waits until the other has left.
// Pure except for randomness; used by the poll thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "consumer/kafka/group/lease.h"

namespace fensi::consumer {

class SoleReader {
 public:
  static constexpr PollTime kFirstPause{5000};
  static constexpr PollTime kLongestPause{60'000};

  enum class Step { kNone, kJoin, kLeave };
  struct Turn {
    Step step = Step::kNone;
    std::optional<std::string> standing;  // why nothing is read, for people, if it changes; empty: it is over
  };

  /// Not `needed`: any part of the partitions may be read.
  SoleReader(bool needed, std::string topic, std::string group);

  /// The group has assigned `any` partitions; a member without partitions is not alone.
  void Assigned(bool any) { has_part_ = needed_ && !any; }
  void Revoked() { has_part_ = false; }
  /// Partitions were lost, not returned: the other members did not leave for us.
  void Lost() { had_all_ = false; }
  /// True if `assigned` of `all` partitions may be read.
  bool MayRead(int32_t assigned, int32_t all);
  /// True if nothing must be opened.
  bool waits() const { return joins_at_ || has_part_; }
  Turn Next(PollTime now);

 private:
  Turn StandBy(PollTime now);

  const bool needed_;
  const std::string topic_;
  const std::string group_;
  bool has_part_ = false;             // another member has the rest
  bool had_all_ = false;              // and did not lose them: others leave
  std::optional<PollTime> joins_at_;  // stands by until then
  PollTime pause_{0};
};

}  // namespace fensi::consumer
