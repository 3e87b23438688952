// Writes messages to partitions that the caller names, and tells where each of them came to stand.
//
// Idempotent, acknowledged by all replicas. Blocks until every message is acknowledged or has failed; one thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/kafka/producer/producer_config.h"

namespace fensi::consumer {

struct PlacedMessage {
  int32_t partition = 0;
  std::string_view key;
  std::string_view value;
  uint32_t replays = 0;  // see replays.h; 0: no header
};

/// What became of one message.
struct Placing {
  Status status;
  int64_t offset = -1;  // when status is ok
};

/// For tests: somebody who takes messages.
class MessageWriter {
 public:
  virtual ~MessageWriter() = default;
  /// By message, in their order. An error: nothing was written.
  virtual Result<std::vector<Placing>> WriteAll(const std::string& topic,
                                                const std::vector<PlacedMessage>& messages) = 0;
};

class PlacedProducer final : public MessageWriter {
 public:
  static Result<std::unique_ptr<PlacedProducer>> Create(const EventProducerOptions& options);
  ~PlacedProducer() override;
  /// The topic must exist: the client's own question for it may create it.
  Result<std::vector<Placing>> WriteAll(const std::string& topic, const std::vector<PlacedMessage>& messages) override;

 private:
  explicit PlacedProducer(const EventProducerOptions& options) : options_(options) {}
  Status Start();
  rd_kafka_resp_err_t Hand(const std::string& topic, const PlacedMessage& message, Placing* placing);

  const EventProducerOptions options_;
  ClientHandle client_;
};

}  // namespace fensi::consumer
