#include "consumer/kafka/group/committer.h"

#include <algorithm>
#include <iterator>

namespace fensi::consumer {
namespace {

std::vector<PartitionOffset> Good(const rd_kafka_topic_partition_list_t* list, const Topics& topics) {
  std::vector<PartitionOffset> good;
  for (int i = 0; list != nullptr && i < list->cnt; ++i) {
    const rd_kafka_topic_partition_t& each = list->elems[i];
    if (each.err == RD_KAFKA_RESP_ERR_NO_ERROR) good.push_back({each.partition, each.offset, topics.LogOf(each.topic)});
  }
  return good;
}

}  // namespace

Committer::Committer(rd_kafka_t* client, Topics topics, std::string group, PartitionQueues* queues,
                     LogIdentity* identity)
    : client_(client),
      topics_(std::move(topics)),
      group_(std::move(group)),
      queues_(queues),
      identity_(identity),
      queue_(rd_kafka_queue_new(client)) {}

/// Finished offsets, and for the other logs the commits that identify them.
std::vector<PartitionOffset> Committer::Offsets() const {
  std::vector<PartitionOffset> offsets = queues_->Committable();
  for (const PartitionOffset& witness : queues_->Witnesses()) {
    const bool there = std::any_of(offsets.begin(), offsets.end(),
                                   [&](const PartitionOffset& offset) { return offset.id() == witness.id(); });
    if (!there) offsets.push_back(witness);
  }
  return offsets;
}

Status Committer::Turn(bool due) {
  const std::optional<Status> same = identity_->TakeAnswer();
  if (outstanding_ > 0) return {};
  if (same && same->ok()) Send();
  if (same) return *same;
  if (due && !Offsets().empty()) identity_->Ask();
  return {};
}

/// A request for each topic: what the client tells of one that is gone it tells of all in the request
/// (rd_kafka_cgrp_update_committed_offsets), though Kafka commits the others.
void Committer::Send() {
  if (outstanding_ > 0) return;
  error_ = RD_KAFKA_RESP_ERR_NO_ERROR;
  const std::vector<PartitionOffset> offsets = Offsets();
  for (const Log log : {Log::kStream, Log::kRequests}) {
    std::vector<PartitionOffset> of_log;
    std::copy_if(offsets.begin(), offsets.end(), std::back_inserter(of_log),
                 [log](const PartitionOffset& offset) { return offset.log == log; });
    if (of_log.empty()) continue;
    const PartitionsHandle list = topics_.List(of_log);
    const rd_kafka_resp_err_t error = rd_kafka_commit_queue(client_, list.get(), queue_.get(), nullptr, nullptr);
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR) ++outstanding_;
    NoteError(error);
  }
}

/// Keeps the first error.
void Committer::NoteError(rd_kafka_resp_err_t error) {
  if (error_ == RD_KAFKA_RESP_ERR_NO_ERROR) error_ = error;
}

bool Committer::WaitForAnswer(int timeout_ms) {
  const EventHandle event(rd_kafka_queue_poll(queue_.get(), timeout_ms));
  if (event == nullptr) return false;
  --outstanding_;
  const rd_kafka_resp_err_t error = rd_kafka_event_error(event.get());
  NoteError(error);
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
    queues_->Committed(Good(rd_kafka_event_topic_partition_list(event.get()), topics_));
  }
  return true;
}

Status Committer::LastAnswer() const {
  const Status answer = KafkaStatus(error_, "committing offsets of group " + group_ + ", topic " + topics_.stream);
  const bool group = error_ == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED;
  if (!group && error_ != RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED) return answer;
  return answer.WithSuffix(std::string(". Grant this user Read on the ") + (group ? "group" : "topic"));
}

bool Committer::WaitForAnswers(const Deadline& deadline) {
  while (outstanding_ > 0 && WaitForAnswer(deadline.left_ms())) {
  }
  return outstanding_ == 0;
}

std::optional<Status> Committer::TakeAnswer() {
  if (outstanding_ == 0 || !WaitForAnswers(Deadline(std::chrono::milliseconds(0)))) return std::nullopt;
  return LastAnswer();
}

Status Committer::SendAndWait(std::chrono::milliseconds timeout) {
  const Deadline deadline(timeout);
  identity_->Forget();
  WaitForAnswers(deadline);
  if (queues_->Committable().empty()) return {};
  FENSI_RETURN_IF_ERROR(identity_->Check(deadline.left()));
  Send();
  if (!WaitForAnswers(deadline)) NoteError(RD_KAFKA_RESP_ERR__TIMED_OUT);
  return queues_->Committable().empty() ? Status() : LastAnswer();
}

}  // namespace fensi::consumer
