// For a topic whose rows are spread over its partitions: one member must read them all. A member that gets a part of
// them leaves the group, stands by and tries again later; the one that had them all waits until the other has left.
// Pure but for chance; the poll thread's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "consumer/kafka/group/poll_time.h"

namespace fensi::consumer {

class SoleReader {
 public:
  static constexpr PollTime kFirstPause{5000};
  static constexpr PollTime kLongestPause{60'000};

  enum class Step { kNone, kJoin, kLeave };
  struct Turn {
    Step step = Step::kNone;
    std::optional<std::string> standing;  // why nothing is read, for people, where it changes; empty: it is over
  };

  /// Not `needed`: any part of the partitions may be read.
  SoleReader(bool needed, std::string topic, std::string group);

  /// The group has assigned `any` partitions; who got none is not alone.
  void Assigned(bool any) { has_part_ = needed_ && !any; }
  void Revoked() { has_part_ = false; }
  /// Not given back: the others of the group did not leave for us.
  void Lost() { had_all_ = false; }
  /// Whether what is `assigned` of `all` partitions may be read.
  bool MayRead(int32_t assigned, int32_t all);
  /// Nothing is to be opened.
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
