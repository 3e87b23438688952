#include "cli/history/partition_moves.h"

#include <utility>

namespace fensi::cli {

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
  const auto unknown_after = std::chrono::duration_cast<std::chrono::milliseconds>(kUnknownAfter).count();
  if (!partition.end_told || wall_millis - *partition.end_told > unknown_after) return "unknown";
  if (partition.applied >= partition.log_end) return "ok";
  const auto move = moves_.find(partition.partition);
  const bool moved = move == moves_.end() || move->second.applied != partition.applied;
  return moved || since_boot - move->second.at < kStalledAfter ? "behind" : "stalled";
}

}  // namespace fensi::cli
