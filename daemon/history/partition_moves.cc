#include "daemon/history/partition_moves.h"

#include <utility>

namespace fensi::daemon {
namespace {

constexpr std::chrono::seconds kStalledAfter{60};
constexpr std::chrono::milliseconds kUnknownAfter{10'000};

}  // namespace

void PartitionMoves::Note(const std::vector<consumer::PartitionState>& partitions,
                          std::chrono::milliseconds since_boot) {
  std::map<int32_t, Move> moves;
  for (const consumer::PartitionState& partition : partitions) {
    const auto before = moves_.find(partition.partition);
    const bool rests =
        before != moves_.end() && before->second.applied == partition.applied && partition.applied < partition.log_end;
    moves[partition.partition] = {partition.applied, rests ? before->second.at : since_boot};
  }
  moves_ = std::move(moves);
}

const char* PartitionMoves::WordOf(const consumer::PartitionState& partition, bool paused, int64_t wall_millis,
                                   std::chrono::milliseconds since_boot) const {
  if (paused) return "paused";
  if (!partition.end_told || wall_millis - *partition.end_told > kUnknownAfter.count()) return "unknown";
  if (partition.applied >= partition.log_end) return "ok";
  const auto move = moves_.find(partition.partition);
  const bool moved = move == moves_.end() || move->second.applied != partition.applied;
  return moved || since_boot - move->second.at < kStalledAfter ? "behind" : "stalled";
}

}  // namespace fensi::daemon
