#include "consumer/kafka/group/committer.h"

#include <algorithm>

namespace fensi::consumer {
namespace {

std::vector<PartitionOffset> Good(const rd_kafka_topic_partition_list_t* list) {
  std::vector<PartitionOffset> good;
  for (int i = 0; list != nullptr && i < list->cnt; ++i) {
    const rd_kafka_topic_partition_t& each = list->elems[i];
    if (each.err == RD_KAFKA_RESP_ERR_NO_ERROR) good.push_back({each.partition, each.offset});
  }
  return good;
}

}  // namespace

Committer::Committer(rd_kafka_t* client, std::string topic, PartitionQueues* queues)
    : client_(client), topic_(std::move(topic)), queues_(queues), queue_(rd_kafka_queue_new(client)) {}

void Committer::Send() {
  if (outstanding_ > 0) return;
  const std::vector<PartitionOffset> offsets = queues_->Committable();
  if (offsets.empty()) return;
  const PartitionsHandle list = MakePartitions(topic_, offsets);
  last_error_ = rd_kafka_commit_queue(client_, list.get(), queue_.get(), nullptr, nullptr);
  if (last_error_ == RD_KAFKA_RESP_ERR_NO_ERROR) ++outstanding_;
}

bool Committer::WaitForAnswer(int timeout_ms) {
  const EventHandle event(rd_kafka_queue_poll(queue_.get(), timeout_ms));
  if (event == nullptr) return false;
  outstanding_ = 0;
  last_error_ = rd_kafka_event_error(event.get());
  if (last_error_ == RD_KAFKA_RESP_ERR_NO_ERROR) {
    queues_->Committed(Good(rd_kafka_event_topic_partition_list(event.get())));
  }
  return true;
}

Status Committer::LastAnswer() const { return KafkaStatus(last_error_, "committing offsets of topic " + topic_); }

std::optional<Status> Committer::TakeAnswer() {
  if (outstanding_ == 0 || !WaitForAnswer(0)) return std::nullopt;
  return LastAnswer();
}

Status Committer::SendAndWait(std::chrono::milliseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  const auto left = [deadline] {
    const auto rest =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    return static_cast<int>(std::max<int64_t>(0, rest.count()));
  };
  if (outstanding_ > 0) WaitForAnswer(left());
  Send();
  while (outstanding_ > 0 && WaitForAnswer(left())) {
  }
  if (outstanding_ > 0) last_error_ = RD_KAFKA_RESP_ERR__TIMED_OUT;
  return queues_->Committable().empty() ? Status() : LastAnswer();
}

}  // namespace fensi::consumer
