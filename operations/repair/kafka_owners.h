// Sends repair requests to owners that run as daemons, through the index's topic of requests; reads their progress from
// the state table.
//
// Blocks on Kafka and on the store; one thread. Everything that is handed in outlives it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "consumer/kafka/client/topic_admin.h"
#include "consumer/kafka/producer/request_producer.h"
#include "mapping/index.h"
#include "operations/access/kafka.h"
#include "operations/repair/owners.h"
#include "store/store.h"

namespace fensi::operations {

class KafkaOwners final : public RowOwners {
 public:
  /// For one incarnation of the index. kNotFound: the stream or the topic of requests is missing.
  static Result<std::unique_ptr<KafkaOwners>> Create(const mapping::Index* index, std::string incarnation,
                                                     store::Store* store, const KafkaOptions& kafka);

  /// kConfiguration: no daemon runs the index, so requests would not be applied.
  Status RequireDaemon() const;

  Status Ask(consumer::Request request) override;
  size_t most_bytes() const override { return producer_->most_bytes(); }
  Status Flush() override;
  Result<bool> AllDone() override;

 private:
  KafkaOwners(const mapping::Index* index, std::string incarnation, store::Store* store)
      : index_(index), incarnation_(std::move(incarnation)), store_(store) {}

  const mapping::Index* const index_;
  const std::string incarnation_;
  store::Store* const store_;
  std::unique_ptr<consumer::TopicAdmin> admin_;
  std::unique_ptr<consumer::RequestProducer> producer_;
  std::vector<consumer::PartitionOffset> before_, ends_;
};

}  // namespace fensi::operations
