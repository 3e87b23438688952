#include "operations/repair/kafka_owners.h"

#include <algorithm>
#include <utility>

#include "indexer/partition_progress.h"

namespace fensi::operations {

Result<std::unique_ptr<KafkaOwners>> KafkaOwners::Create(const mapping::Index* index, std::string incarnation,
                                                         store::Store* store, const KafkaOptions& kafka) {
  std::unique_ptr<KafkaOwners> owners(new KafkaOwners(index, std::move(incarnation), store));
  consumer::EventProducerOptions options;
  options.cluster = kafka.cluster;
  options.connect_timeout = kafka.connect_timeout;
  Result<std::unique_ptr<consumer::RequestProducer>> producer =
      consumer::RequestProducer::Create(options, index->topic(), index->requests_topic());
  FENSI_RETURN_IF_ERROR(producer.status());
  owners->producer_ = std::move(*producer);
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<consumer::TopicAdmin> admin,
                         consumer::TopicAdmin::Create(kafka.cluster, kafka.connect_timeout));
  owners->admin_ = std::move(admin);
  FENSI_ASSIGN_OR_RETURN(std::vector<consumer::PartitionOffset> before,
                         owners->admin_->LatestOffsets(index->requests_topic()));
  owners->before_ = std::move(before);
  return owners;
}

Status KafkaOwners::RequireDaemon() const {
  FENSI_ASSIGN_OR_RETURN(const consumer::GroupDescription group, admin_->groups().DescribeGroup(index_->group()));
  if (group.active()) return Status();
  return NoDaemonRuns(index_->name(), index_->group());
}

Status KafkaOwners::Ask(consumer::Request request) { return producer_->Send(request); }

Status KafkaOwners::Flush() {
  FENSI_RETURN_IF_ERROR(producer_->Flush());
  FENSI_ASSIGN_OR_RETURN(ends_, admin_->LatestOffsets(index_->requests_topic()));
  return Status();
}

Result<bool> KafkaOwners::AllDone() {
  FENSI_ASSIGN_OR_RETURN(const indexer::PartitionProgress progress, indexer::ReadPartitionProgress(*index_, store_));
  FENSI_RETURN_IF_ERROR(indexer::CheckIncarnation(*index_, progress, incarnation_));
  FENSI_ASSIGN_OR_RETURN(const std::vector<consumer::PartitionOffset> now,
                         admin_->LatestOffsets(index_->requests_topic()));
  return std::all_of(ends_.begin(), ends_.end(), [&](const consumer::PartitionOffset& end) {
    if (end.offset == OffsetOf(before_, end.partition)) return true;  // nobody of it was asked
    const auto done = progress.done.find(end.partition);
    // A position beyond the log is of a topic that was deleted: nothing of this one is done.
    return done != progress.done.end() && done->second >= end.offset && done->second <= OffsetOf(now, end.partition);
  });
}

}  // namespace fensi::operations
