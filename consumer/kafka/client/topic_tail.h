// Reads a topic without a group, for people: commits nothing and disturbs no reader.
//
// Not thread-safe. Next blocks up to its timeout, the destructor up to two seconds.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "consumer/codec/event_decoder.h"
#include "consumer/kafka/client/client_config.h"
#include "consumer/kafka/client/handles.h"
#include "consumer/kafka/client/refusal.h"
#include "consumer/message_reassembler.h"

namespace fensi::consumer {

struct TailFrom {
  enum class Kind { kEarliest, kLatest, kOffset, kOffsets };
  Kind kind = Kind::kEarliest;
  int64_t offset = 0;                         // kOffset: in every partition
  std::vector<PartitionOffset> offsets = {};  // kOffsets: per partition
};

struct TopicTailOptions {
  KafkaCluster cluster;
  std::string topic;
  TailFrom from;
  bool until_end = false;  // the end of each partition at the start
  Format format = Format::kChangeEvent;
  bool decode = true;  // false: bytes only, `decoded` says that nothing was decoded
  std::chrono::milliseconds connect_timeout{10'000};
};

class TopicTail {
 public:
  struct Message {
    int32_t partition = 0;
    int64_t offset = 0;
    int64_t message_time = 0;
    std::string key;
    std::string value;
    Status decoded;  // not ok: event is empty
    ChangeEvent event;
  };
  struct Idle {};
  struct End {};
  using Outcome = std::variant<Message, Idle, End>;

  /// Blocks until the broker has reported the ends of the partitions.
  static Result<std::unique_ptr<TopicTail>> Create(const TopicTailOptions& options);
  ~TopicTail();

  Result<Outcome> Next(std::chrono::milliseconds timeout);

 private:
  explicit TopicTail(const TopicTailOptions& options) : options_(options), decoder_(options.format) {}
  Status Start();
  int64_t Begin(int32_t partition, int64_t log_start, int64_t log_end) const;
  Result<Outcome> Take(const rd_kafka_message_t& message);
  bool AtEnd() const;

  const TopicTailOptions options_;
  EventDecoder decoder_;
  std::map<int32_t, MessageReassembler> joiners_;  // per partition: shows mutations in parts as one
  Refusal refusal_;                                // outlives the client
  std::shared_ptr<rd_kafka_t> client_;
  std::vector<int64_t> left_to_;   // per partition: the end to reach
  std::vector<int64_t> position_;  // per partition: the next offset
};

}  // namespace fensi::consumer
