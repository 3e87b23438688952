// Partition owners that get requests through Kafka, beside the change stream.
//
// Blocks on the store and on the brokers; one thread except for Sink. Everything that is handed in outlives it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/status.h"
#include "consumer/kafka/client/topic_admin.h"
#include "indexer/partition_progress.h"
#include "mapping/index.h"
#include "operations/access/kafka.h"
#include "operations/backfill/owners.h"
#include "store/store.h"

namespace fensi::operations {

struct StreamOwnersOptions {
  KafkaOptions kafka;                  // Kafka of the stream
  std::chrono::seconds begin_wait{0};  // for 'fensi run' to begin the index
};

class StreamOwners final : public Owners {
 public:
  /// kConfiguration or kNotFound: the rows have no owner, or the owner cannot be reached, with the remedy.
  static Result<std::unique_ptr<StreamOwners>> Find(const mapping::Index* index, store::Store* store,
                                                    StreamOwnersOptions options);

  const std::string& incarnation() const override { return incarnation_; }
  std::string Text() const override;
  void NoteJoined() override { joined_ = true; }
  std::string Losses() const override { return losses_; }
  void NoteLosses(const std::string& of_job) override { losses_ = of_job; }
  void Bound(sweep::RowSnapshotOptions* images) const override;
  Result<std::unique_ptr<sweep::RequestSink>> Sink(std::function<Status()> go_on) override;
  Result<Offsets> Ends() const override;
  Result<int64_t> Waiting(const Offsets& ends) const override;

 private:
  StreamOwners(const mapping::Index* index, store::Store* store, StreamOwnersOptions options)
      : index_(index), store_(store), options_(std::move(options)) {}
  Status Meet();
  Result<indexer::PartitionProgress> AwaitBegun() const;
  Status Lost(const std::string& where) const;

  const mapping::Index* const index_;
  store::Store* const store_;
  const StreamOwnersOptions options_;
  std::unique_ptr<consumer::TopicAdmin> admin_;
  std::string incarnation_;
  int32_t partitions_ = 0;
  std::optional<int64_t> most_bytes_;
  bool joined_ = false;
  std::string losses_;  // not of this job
  Offsets first_ends_;  // at the start of this process
};

}  // namespace fensi::operations
