#include "consumer/kafka/group/sole_reader.h"

#include <algorithm>
#include <random>
#include <utility>

namespace fensi::consumer {

SoleReader::SoleReader(bool needed, std::string topic, std::string group)
    : needed_(needed), topic_(std::move(topic)), group_(std::move(group)) {}

bool SoleReader::MayRead(int32_t assigned, int32_t all) {
  if (!needed_) return true;
  has_part_ = assigned != all;
  if (has_part_) return false;
  had_all_ = true;
  pause_ = PollTime(0);
  return true;
}

SoleReader::Turn SoleReader::Next(PollTime now) {
  if (has_part_ && !had_all_) return StandBy(now);
  Turn turn;
  if (joins_at_ && now >= *joins_at_) {
    joins_at_.reset();
    turn = {Step::kJoin, ""};
  }
  if (has_part_) {
    turn.standing = "topic " + topic_ + " is not partitioned by row and needs one reader. This daemon is " +
                    "waiting until the member that has just joined group " + group_ +
                    " leaves. Let only one 'fensi run' read the topic";
  }
  return turn;
}

/// Each try disturbs the reader for a moment; pauses differ, so that two that began together do not meet for ever.
SoleReader::Turn SoleReader::StandBy(PollTime now) {
  has_part_ = false;
  pause_ = std::clamp(2 * pause_, kFirstPause, kLongestPause);
  const PollTime pause = pause_ + PollTime(std::random_device()() % kFirstPause.count());
  joins_at_ = now + pause;
  return {Step::kLeave, "topic " + topic_ +
                            " is not partitioned by row and needs one reader, and another daemon of group " + group_ +
                            " reads it. This daemon is standing by, and tries again in " +
                            std::to_string(pause.count() / 1000) + " s. Nothing to do"};
}

}  // namespace fensi::consumer
