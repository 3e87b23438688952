#include <algorithm>
#include <utility>
#include <vector>

#include "operations/loads/load_follower.h"

namespace fensi::operations {

Result<std::unique_ptr<AppliedStream>> KafkaAppliedStream::Create(const mapping::Index* index,
                                                                  const KafkaOptions& kafka) {
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<consumer::TopicAdmin> admin,
                         consumer::TopicAdmin::Create(kafka.cluster, kafka.connect_timeout));
  return std::unique_ptr<AppliedStream>(new KafkaAppliedStream(index, std::move(admin)));
}

Result<Owners::Offsets> KafkaAppliedStream::Ends() {
  FENSI_ASSIGN_OR_RETURN(const std::vector<consumer::PartitionOffset> ends, admin_->LatestOffsets(index_->topic()));
  Owners::Offsets found;
  for (const consumer::PartitionOffset& end : ends) found[end.partition] = end.offset;
  return found;
}

Result<int64_t> KafkaAppliedStream::Waiting(const Owners::Offsets& ends) {
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::optional<int64_t>> committed,
                         admin_->groups().CommittedOffsets(index_->group(), index_->topic()));
  FENSI_ASSIGN_OR_RETURN(const std::vector<consumer::PartitionOffset> starts, admin_->EarliestOffsets(index_->topic()));
  Owners::Offsets applied;  // what Kafka has deleted waits for nobody
  for (const consumer::PartitionOffset& start : starts) applied[start.partition] = start.offset;
  for (size_t i = 0; i < committed.size(); ++i) {
    int64_t& offset = applied[static_cast<int32_t>(i)];
    offset = std::max(offset, committed[i].value_or(0));
  }
  int64_t waiting = 0;
  for (const auto& [partition, end] : ends) waiting += std::max<int64_t>(0, end - applied[partition]);
  return waiting;
}

}  // namespace fensi::operations
