// Writes messages to given partitions, and returns the offset of each.
//
// Idempotent, acknowledged by all replicas. Blocks until every message is acknowledged or has failed; one thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/kafka/producer/producer_config.h"

namespace fensi::consumer {

struct PartitionedMessage {
  int32_t partition = 0;
  std::string_view key;
  std::string_view value;
  uint32_t replays = 0;  // see replays.h; 0: no header
};

/// The result of one message.
struct Placing {
  Status status;
  int64_t offset = -1;  // if status is ok
};

/// Writes messages. An interface for tests.
class MessageWriter {
 public:
  virtual ~MessageWriter() = default;
  /// One result per message, in order. An error: nothing was written.
  virtual Result<std::vector<Placing>> WriteAll(const std::string& topic,
                                                const std::vector<PartitionedMessage>& messages) = 0;
};

class PartitionedProducer final : public MessageWriter {
 public:
  static Result<std::unique_ptr<PartitionedProducer>> Create(const EventProducerOptions& options);
  ~PartitionedProducer() override;
  /// The topic must exist: the client's own metadata request may create it.
  Result<std::vector<Placing>> WriteAll(const std::string& topic,
                                        const std::vector<PartitionedMessage>& messages) override;

 private:
  explicit PartitionedProducer(const EventProducerOptions& options) : options_(options) {}
  Status Start();
  rd_kafka_resp_err_t Hand(const std::string& topic, const PartitionedMessage& message, Placing* placing);

  const EventProducerOptions options_;
  ClientHandle client_;
};

}  // namespace fensi::consumer
