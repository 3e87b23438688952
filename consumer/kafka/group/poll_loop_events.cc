// What the broker tells the poll thread: messages, errors, rebalances.
#include "consumer/kafka/group/coordinator_contact.h"
#include "consumer/kafka/group/poll_loop.h"

namespace fensi::consumer {
namespace {

constexpr std::chrono::milliseconds kRevokeCommitTimeout{3000};

std::string_view View(const void* bytes, size_t size) {
  return bytes == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(bytes), size);
}

}  // namespace

/// False when the poll thread should look at the flow first.
bool PollLoop::Handle(const rd_kafka_message_t& message) {
  if (message.err == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
    return board_->ReadToEnd(message.partition, message.offset);
  }
  if (message.err != RD_KAFKA_RESP_ERR_NO_ERROR) {
    HandleError(message);
    return false;
  }
  rd_kafka_timestamp_type_t type = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE;
  const int64_t time = rd_kafka_message_timestamp(&message, &type);
  return board_->Offer(message.partition, {message.offset, type == RD_KAFKA_TIMESTAMP_NOT_AVAILABLE ? 0 : time,
                                           View(message.key, message.key_len), View(message.payload, message.len)});
}

void PollLoop::HandleError(const rd_kafka_message_t& message) {
  const char* detail = rd_kafka_message_errstr(&message);
  if (message.err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET || message.err == RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE) {
    const std::optional<int64_t> position = board_->Position(message.partition);
    if (position) return board_->Finish(Gap(message.partition, *position, detail));
    // Nobody waits for what comes there, but the client has given the partition up.
    fetching_.erase(message.partition);
    return;
  }
  Report(KafkaStatus(message.err, "reading topic " + options_.topic));
}

/// A refusal ends the source; all others are shown and may pass (a topic that was there at the start may be missing
/// while brokers restart).
void PollLoop::Report(const Status& status) {
  if (status.code() == StatusCode::kPermission) {
    board_->Finish(status);
  } else {
    trouble_.Other(status.message());
  }
}

Status PollLoop::Gap(int32_t partition, int64_t offset, const char* detail) const {
  return Status(StatusCode::kGap,
                "group " + options_.group + ", topic " + options_.topic + " partition " + std::to_string(partition) +
                    ": the broker does not have offset " + std::to_string(offset) + " (" +
                    (detail == nullptr ? "" : detail) +
                    "), so events are lost to this index. Build the index anew beside this one, or accept the gap by "
                    "moving the group's offset (fensi replay) and repair the index afterwards");
}

void PollLoop::OnError(int error, const char* reason) {
  switch (error) {
    case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
      return trouble_.Away("");
    case RD_KAFKA_RESP_ERR__TRANSPORT:
    case RD_KAFKA_RESP_ERR__RESOLVE:
    case RD_KAFKA_RESP_ERR__AUTHENTICATION:
    case RD_KAFKA_RESP_ERR__SSL:
      return trouble_.Other(reason);
    case RD_KAFKA_RESP_ERR__FATAL:
      return board_->Finish(Status(StatusCode::kFenced, std::string("kafka: ") + reason));
    default:
      return;  // the same error comes as a message where it matters
  }
}

void PollLoop::OnStatistics(std::string_view json) {
  if (const auto silence = CoordinatorSilence(json)) tenure_->Heard(*silence);
  trouble_.Connected(AnyBrokerUp(json));
  std::string text;
  for (const int32_t partition : WithoutLeader(json, options_.topic)) {
    text += (text.empty() ? "partition " : ", ") + std::to_string(partition);
  }
  trouble_.Leaderless(text.empty() ? "" : text + " of topic " + options_.topic + " has no leader");
}

void PollLoop::OnRebalance(rd_kafka_resp_err_t kind, rd_kafka_topic_partition_list_t* partitions) {
  fetching_.clear();
  opener_->Forget();
  has_part_ = false;
  if (kind == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) {
    std::vector<int32_t> assigned;
    for (int i = 0; i < partitions->cnt; ++i) assigned.push_back(partitions->elems[i].partition);
    tenure_->Heard(std::chrono::milliseconds(0));  // it has just told us
    has_part_ = options_.all_partitions && assigned.empty();
    board_->Assign(assigned);
    // The answer to the group; the client gets each partition when a worker has begun it (AssignLanes).
    rd_kafka_assign(client_.get(), MakePartitions(options_.topic, {}).get());
    rd_kafka_resume_partitions(client_.get(), partitions);  // a pause outlives its assignment
    return;
  }
  if (kind == RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS && rd_kafka_assignment_lost(client_.get()) == 0) {
    board_->Drain(closing_ ? std::chrono::milliseconds(0) : options_.drain_patience);
    // What this leaves uncommitted is done again by the next owner.
    (void)committer_->SendAndWait(kRevokeCommitTimeout);
  }
  if (kind == RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS && rd_kafka_assignment_lost(client_.get()) != 0) had_all_ = false;
  board_->FenceAll(/*keep=*/false);
  rd_kafka_assign(client_.get(), nullptr);
}

}  // namespace fensi::consumer
