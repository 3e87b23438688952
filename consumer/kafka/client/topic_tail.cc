#include "consumer/kafka/client/topic_tail.h"

#include <algorithm>

#include "consumer/kafka/client/topic_facts.h"

namespace fensi::consumer {

Result<std::unique_ptr<TopicTail>> TopicTail::Create(const TopicTailOptions& options) {
  std::unique_ptr<TopicTail> tail(new TopicTail(options));
  FENSI_RETURN_IF_ERROR(tail->Start());
  return tail;
}

TopicTail::~TopicTail() {
  constexpr std::chrono::milliseconds kDestroyTimeout{2000};
  DestroyWithin(std::move(client_), kDestroyTimeout);
}

Status TopicTail::Start() {
  const Fixed fixed = {{"group.id", "fensi-tail"},  // the client wants one; it is never joined
                       {"enable.auto.commit", "false"},
                       {"enable.auto.offset.store", "false"},
                       {"auto.offset.reset", "error"},
                       {"enable.partition.eof", "true"},
                       {"allow.auto.create.topics", "false"},
                       {"isolation.level", "read_committed"},
                       {"check.crcs", "true"}};
  FENSI_ASSIGN_OR_RETURN(ConfHandle config,
                         MakeConfig(options_.cluster, {{"queued.max.messages.kbytes", "16384"}}, fixed));
  refusal_.Listen(config.get());
  FENSI_ASSIGN_OR_RETURN(ClientHandle client, MakeClient(RD_KAFKA_CONSUMER, std::move(config)));
  client_ = std::shared_ptr<rd_kafka_t>(client.release(), DestroyWithoutLeavingGroup);
  rd_kafka_poll_set_consumer(client_.get());
  const auto ranges = QueryAllLogRanges(client_.get(), options_.topic, options_.connect_timeout);
  if (!ranges.ok()) {
    rd_kafka_consumer_poll(client_.get(), 0);  // what the client has to say of its connections
    return refusal_.Explain(ranges.status()).WithContext("broker " + options_.cluster.brokers);
  }
  refusal_.Over();
  std::vector<PartitionOffset> begin;
  for (const LogRange& range : *ranges) {
    const auto partition = static_cast<int32_t>(begin.size());
    begin.push_back({partition, Begin(partition, range.start, range.end)});
    left_to_.push_back(range.end);
    position_.push_back(begin.back().offset);
  }
  return KafkaStatus(rd_kafka_assign(client_.get(), MakePartitions(options_.topic, begin).get()),
                     "reading topic " + options_.topic);
}

int64_t TopicTail::Begin(int32_t partition, int64_t log_start, int64_t log_end) const {
  const TailFrom& from = options_.from;
  switch (from.kind) {
    case TailFrom::Kind::kEarliest:
      return log_start;
    case TailFrom::Kind::kLatest:
      return log_end;
    case TailFrom::Kind::kOffset:
      return std::clamp(from.offset, log_start, log_end);
    case TailFrom::Kind::kOffsets:
      break;
  }
  const auto is_it = [&](const PartitionOffset& entry) { return entry.partition == partition; };
  const auto found = std::find_if(from.offsets.begin(), from.offsets.end(), is_it);
  return found == from.offsets.end() ? log_end : std::clamp(found->offset, log_start, log_end);
}

bool TopicTail::AtEnd() const {
  for (size_t i = 0; i < position_.size(); ++i) {
    if (position_[i] < left_to_[i]) return false;
  }
  return true;
}

Result<TopicTail::Outcome> TopicTail::Next(std::chrono::milliseconds timeout) {
  if (options_.until_end && AtEnd()) return Outcome(End());
  const MessageHandle message(rd_kafka_consumer_poll(client_.get(), static_cast<int>(timeout.count())));
  if (message == nullptr) {
    FENSI_RETURN_IF_ERROR(refusal_.status());
    return Outcome(Idle());
  }
  if (message->err == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
    int64_t& position = position_[static_cast<size_t>(message->partition)];
    position = std::max(position, message->offset);
    return Outcome(Idle());
  }
  if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) return Take(*message);
  if (IsTransient(message->err)) return Outcome(Idle());
  return KafkaStatus(message->err, "reading topic " + options_.topic);
}

Result<TopicTail::Outcome> TopicTail::Take(const rd_kafka_message_t& message) {
  Message taken;
  taken.partition = message.partition;
  taken.offset = message.offset;
  rd_kafka_timestamp_type_t type = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE;
  taken.message_time = std::max<int64_t>(0, rd_kafka_message_timestamp(&message, &type));
  if (message.key != nullptr) taken.key.assign(static_cast<const char*>(message.key), message.key_len);
  if (message.payload != nullptr) taken.value.assign(static_cast<const char*>(message.payload), message.len);
  position_[static_cast<size_t>(message.partition)] = message.offset + 1;
  if (!options_.decode) {
    taken.decoded = InvalidArgument("not decoded");
    return Outcome(std::move(taken));
  }
  taken.decoded = decoder_.Decode(taken.key, taken.value, &taken.event);
  if (taken.decoded.ok()) {
    const Result<bool> whole =
        joiners_[message.partition].Take(taken.offset, taken.message_time, decoder_.part(), &taken.event);
    if (whole.ok() && !*whole) return Outcome(Idle());
    taken.decoded = whole.status();
  }
  return Outcome(std::move(taken));
}

}  // namespace fensi::consumer
