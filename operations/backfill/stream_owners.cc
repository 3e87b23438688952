#include "operations/backfill/stream_owners.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "consumer/codec/request.h"
#include "consumer/kafka/producer/request_producer.h"
#include "indexer/partition_progress.h"
#include "operations/access/kafka.h"
#include "operations/backfill/begin_wait.h"

namespace fensi::operations {
namespace {

class KafkaSink final : public sweep::RequestSink {
 public:
  explicit KafkaSink(std::unique_ptr<consumer::RequestProducer> producer) : producer_(std::move(producer)) {}
  Status Send(const consumer::Request& request) override { return producer_->Send(request); }
  Status Flush() override { return producer_->Flush(); }

 private:
  const std::unique_ptr<consumer::RequestProducer> producer_;
};

StreamOwners::Offsets ByPartition(const std::vector<consumer::PartitionOffset>& offsets) {
  StreamOwners::Offsets found;
  for (const consumer::PartitionOffset& offset : offsets) found[offset.partition] = offset.offset;
  return found;
}

int64_t OffsetIn(const StreamOwners::Offsets& offsets, int32_t partition) {
  const auto at = offsets.find(partition);
  return at == offsets.end() ? 0 : at->second;
}

}  // namespace

Result<std::unique_ptr<StreamOwners>> StreamOwners::Find(const mapping::Index* index, store::Store* store,
                                                         StreamOwnersOptions options) {
  std::unique_ptr<StreamOwners> owners(new StreamOwners(index, store, std::move(options)));
  FENSI_RETURN_IF_ERROR(owners->Meet());
  return owners;
}

Status StreamOwners::Meet() {
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<consumer::TopicAdmin> admin,
                         consumer::TopicAdmin::Create(options_.kafka.cluster, options_.kafka.connect_timeout));
  admin_ = std::move(admin);
  FENSI_ASSIGN_OR_RETURN(partitions_, admin_->Partitions(index_->topic()));
  const Result<consumer::TopicDescription> requests = admin_->Describe(index_->requests_topic());
  if (requests.status().code() == StatusCode::kNotFound) {
    return NoRequestsTopic(index_->requests_topic(), options_.kafka.cluster.brokers);
  }
  FENSI_RETURN_IF_ERROR(requests.status());
  most_bytes_ = requests->max_message_bytes;
  if (most_bytes_) FENSI_RETURN_IF_ERROR(consumer::CheckRequestBytes(index_->requests_topic(), *most_bytes_));
  FENSI_ASSIGN_OR_RETURN(const indexer::PartitionProgress progress, AwaitBegun());
  incarnation_ = progress.incarnation;
  losses_ = progress.losses;
  FENSI_ASSIGN_OR_RETURN(first_ends_, Ends());
  return {};
}

/// A 'fensi run' that has just been started needs a moment.
Result<indexer::PartitionProgress> StreamOwners::AwaitBegun() const {
  BeginWait wait(options_.begin_wait);
  while (true) {
    Result<indexer::PartitionProgress> progress = indexer::ReadPartitionProgress(*index_, store_);
    FENSI_RETURN_IF_ERROR(progress.status());
    const Status begun = indexer::RequireAllPartitionsInitialized(*index_, *progress, partitions_);
    if (begun.ok()) return progress;
    if (!wait.GoesOn("for 'fensi run' of index " + index_->name() + " to begin all partitions")) return begun;
  }
}

std::string StreamOwners::Text() const {
  return Counted(partitions_, "partition") + " of topic " + index_->requests_topic();
}

void StreamOwners::Bound(sweep::RowSnapshotOptions* images) const {
  if (!most_bytes_) return;
  const size_t most = static_cast<size_t>(*most_bytes_) - consumer::kRequestRoom;
  images->most_cell = std::min(images->most_cell, most);
  images->most_bytes = std::min(images->most_bytes, most);
}

Result<std::unique_ptr<sweep::RequestSink>> StreamOwners::Sink(std::function<Status()> go_on) {
  consumer::EventProducerOptions options;
  options.cluster = options_.kafka.cluster;
  options.max_queued_bytes = 8 << 20;
  options.connect_timeout = options_.kafka.connect_timeout;
  Result<std::unique_ptr<consumer::RequestProducer>> producer =
      consumer::RequestProducer::Create(options, index_->topic(), index_->requests_topic(), std::move(go_on));
  FENSI_RETURN_IF_ERROR(producer.status());
  return std::unique_ptr<sweep::RequestSink>(std::make_unique<KafkaSink>(std::move(*producer)));
}

Result<StreamOwners::Offsets> StreamOwners::Ends() const {
  FENSI_ASSIGN_OR_RETURN(const std::vector<consumer::PartitionOffset> ends,
                         admin_->LatestOffsets(index_->requests_topic()));
  return ByPartition(ends);
}

Result<int64_t> StreamOwners::Waiting(const Offsets& ends) const {
  FENSI_ASSIGN_OR_RETURN(const indexer::PartitionProgress progress, indexer::ReadPartitionProgress(*index_, store_));
  FENSI_RETURN_IF_ERROR(indexer::CheckIncarnation(*index_, progress, incarnation_));
  FENSI_ASSIGN_OR_RETURN(const std::vector<consumer::PartitionOffset> earliest,
                         admin_->EarliestOffsets(index_->requests_topic()));
  FENSI_ASSIGN_OR_RETURN(const Offsets now, Ends());
  if (progress.losses != losses_) return Lost(" (partition: from, to " + progress.losses + ")");
  const Offsets starts = ByPartition(earliest);
  int64_t waiting = 0;
  for (const auto& [partition, end] : ends) {
    const int64_t start = OffsetIn(starts, partition);
    int64_t done = OffsetIn(progress.done, partition);
    if (done > OffsetIn(now, partition)) done = start;  // of a topic that is gone: this one was not begun
    if (done < start && (joined_ || start > OffsetIn(first_ends_, partition))) {
      return Lost(", partition " + std::to_string(partition));
    }
    waiting += std::max<int64_t>(0, end - std::max(done, start));
  }
  return waiting;
}

Status StreamOwners::Lost(const std::string& where) const {
  return Status(
      StatusCode::kConfiguration,
      "topic " + index_->requests_topic() + where +
          ": Kafka deleted requests before a daemon applied them. Start 'fensi run' of index " + index_->name() +
          ". Then run this command with --cancel in place of --execute, and after that with --execute --restart");
}

}  // namespace fensi::operations
