// Reads a topic without a group, for people: nothing is committed, nobody is disturbed.
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
#include "consumer/kafka/client_config.h"
#include "consumer/kafka/partition_offset.h"
#include "consumer/kafka/refusal.h"
#include "consumer/part_joiner.h"

namespace fensi::consumer {

struct TailFrom {
  enum class Kind { kEarliest, kLatest, kOffset, kOffsets };
  Kind kind = Kind::kEarliest;
  int64_t offset = 0;                         // kOffset: in every partition
  std::vector<PartitionOffset> offsets = {};  // kOffsets: of each
};

struct TopicTailOptions {
  KafkaCluster cluster;
  std::string topic;
  TailFrom from;
  bool until_end = false;  // the end that each partition has at the start
  Format format = Format::kChangeEvent;
  bool decode = true;  // false: bytes alone, `decoded` says that nobody tried
  std::chrono::milliseconds connect_timeout{10'000};
};

class TopicTail {
 public:
  struct Message {
    int32_t partition = 0;
    int64_t offset = 0;
    int64_t broker_time = 0;
    std::string key;
    std::string value;
    Status decoded;  // not ok: event is empty
    ChangeEvent event;
  };
  struct Idle {};
  struct End {};
  using Outcome = std::variant<Message, Idle, End>;

  /// Blocks until the broker has told where the partitions end.
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
  std::map<int32_t, PartJoiner> joiners_;  // by partition: mutations that come in parts are shown whole
  Refusal refusal_;                        // outlives the client
  std::shared_ptr<rd_kafka_t> client_;
  std::vector<int64_t> left_to_;   // by partition: the end to reach
  std::vector<int64_t> position_;  // by partition: the next offset
};

}  // namespace fensi::consumer
