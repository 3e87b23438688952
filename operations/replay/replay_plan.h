// Plans a replay: the offsets of an index's consumer group now, and the offsets from which it will read again.
//
// Blocks on Kafka and on the store; one thread. Everything that is handed in outlives it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "consumer/kafka/client/topic_admin.h"
#include "mapping/index.h"
#include "operations/access/position.h"
#include "store/store.h"

namespace fensi::operations {

class ReplayPlan {
 public:
  ReplayPlan(const mapping::Index& index, consumer::TopicAdmin* admin) : index_(index), admin_(admin) {}

  Status Make(const Position& position);

  void Show(const Position& position) const;

  Status RequireIdle() const;

  /// First records in the state where the index may begin, then moves the group, then lets the index run in the Kafka
  /// cluster. After a crash in between, the index runs as before or refuses the cluster. Warns if the replay brings no
  /// entry back.
  Status Execute(store::Store* store) const;

 private:
  using Offsets = std::vector<consumer::PartitionOffset>;
  Status ReadTopic();

  Result<Offsets> Target(const Position& position) const;

  /// An offset outside the log would stop the index at its next start.
  Status CheckTarget() const;

  /// A group without an offset would begin at the log's beginning: then messages before the target are skipped, too.
  std::string Meaning(const std::optional<int64_t>& from, const consumer::PartitionOffset& to) const;

  const mapping::Index& index_;
  consumer::TopicAdmin* const admin_;
  Offsets earliest_;
  Offsets latest_;
  std::vector<std::optional<int64_t>> committed_;
  Offsets target_;
};

}  // namespace fensi::operations
