// How a member of a consumer group stands to it. A value.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace fensi::consumer {

enum class GroupPhase {
  kJoining,  // it was never let in
  kMember,   // the group has told it its partitions, which may be none
  kRevoked,  // the group took the partitions back and gives them out again
  kSilent,   // group coordinator or poll thread were silent for too long: the right to the partitions has ended
  kLost,     // the group has given the partitions to others
};

struct GroupState {
  GroupPhase phase = GroupPhase::kJoining;
  std::chrono::milliseconds age{0};          // how long it has been so; of kLost from the silence before it on
  std::vector<int32_t> partitions = {};      // that the group gave to this member, read already or not
  int64_t assignments = 0, revocations = 0;  // of all partitions together, by the group
  int64_t losses = 0;
  int64_t fenced = 0;  // silences for which partitions were lost, however long each took
};

}  // namespace fensi::consumer
