#include "consumer/kafka/group/poll_loop.h"

#include "consumer/kafka/topic_facts.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kCallTimeout{1000};
constexpr milliseconds kFinalCommitTimeout{2000};
constexpr milliseconds kSeekPatience{3000};
constexpr int kPollTimeoutMs = 50;
constexpr int kMessagesPerTurn = 1000;

PollLoop* Self(void* opaque) { return static_cast<PollLoop*>(opaque); }

}  // namespace

PollLoop::PollLoop(PollLoopOptions options, Clock* clock, std::shared_ptr<Tenure> tenure, WorkBoard* board)
    : options_(std::move(options)),
      clock_(clock),
      tenure_(std::move(tenure)),
      board_(board),
      trouble_(clock, options_.brokers) {}

PollLoop::~PollLoop() {
  closing_ = true;
  if (client_ != nullptr) Wake();
  if (thread_.joinable()) thread_.join();
}

Status PollLoop::Start(ConfHandle config) {
  rd_kafka_conf_set_opaque(config.get(), this);
  rd_kafka_conf_set_rebalance_cb(config.get(),
                                 [](rd_kafka_t*, rd_kafka_resp_err_t kind, rd_kafka_topic_partition_list_t* partitions,
                                    void* opaque) { Self(opaque)->OnRebalance(kind, partitions); });
  rd_kafka_conf_set_error_cb(config.get(), [](rd_kafka_t*, int error, const char* reason, void* opaque) {
    Self(opaque)->OnError(error, reason);
  });
  rd_kafka_conf_set_stats_cb(config.get(), [](rd_kafka_t*, char* json, size_t size, void* opaque) {
    Self(opaque)->OnStatistics({json, size});
    return 0;
  });
  Result<ClientHandle> client = MakeClient(RD_KAFKA_CONSUMER, std::move(config));
  if (!client.ok()) return client.status();
  client_ = std::move(*client);
  rd_kafka_poll_set_consumer(client_.get());
  queue_.reset(rd_kafka_queue_get_consumer(client_.get()));
  committer_ = std::make_unique<Committer>(client_.get(), options_.topic, board_);
  thread_ = std::thread([this] { Run(); });
  return {};
}

void PollLoop::Wake() {
  const std::lock_guard lock(mu_);
  if (!leaving_) rd_kafka_queue_yield(queue_.get());
}

Status PollLoop::WaitReachable(milliseconds timeout) {
  std::unique_lock lock(mu_);
  if (changed_.wait_for(lock, timeout, [this] { return probed_; })) return probe_status_;
  const std::string trouble = trouble_.Text();
  return Status(StatusCode::kUnavailable, "no broker of " + options_.brokers + " answered within " +
                                              std::to_string(timeout.count() / 1000) + " s" +
                                              (trouble.empty() ? "" : ": " + trouble));
}

Status PollLoop::Close(milliseconds timeout) {
  closing_ = true;
  Wake();
  std::unique_lock lock(mu_);
  if (changed_.wait_for(lock, timeout, [this] { return left_; })) return left_status_;
  return Status(StatusCode::kUnavailable, "broker " + options_.brokers + " did not answer the farewell of group " +
                                              options_.group + "; the group waits for the session timeout");
}

void PollLoop::Run() {
  if (Probe()) {
    const PartitionsHandle topics(rd_kafka_topic_partition_list_new(1));
    rd_kafka_topic_partition_list_add(topics.get(), options_.topic.c_str(), RD_KAFKA_PARTITION_UA);
    const rd_kafka_resp_err_t error = rd_kafka_subscribe(client_.get(), topics.get());
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
      Consume();
    } else {
      board_->Finish(KafkaStatus(error, "subscribing to topic " + options_.topic));
    }
  }
  Leave();
}

/// True when the topic is as it must be; false when it is not or we are told to close.
bool PollLoop::Probe() {
  while (!closing_) {
    const Status status = CheckTopic();
    if (status.ok() || status.code() != StatusCode::kUnavailable) {
      Settle(status);
      return status.ok();
    }
    trouble_.Away("");
    MessageHandle(rd_kafka_consumer_poll(client_.get(), kPollTimeoutMs));  // serves OnError
  }
  return false;
}

Status PollLoop::CheckTopic() {
  const Result<int32_t> count = PartitionCount(client_.get(), options_.topic, kCallTimeout);
  return count.ok() ? RefuseCompacted(client_.get(), options_.topic, kCallTimeout) : count.status();
}

void PollLoop::Settle(Status probed) {
  trouble_.Over();
  if (!probed.ok()) board_->Finish(probed);
  const std::lock_guard lock(mu_);
  probed_ = true;
  probe_status_ = std::move(probed);
  changed_.notify_all();
}

void PollLoop::Consume() {
  while (!closing_) {
    Tick();
    OpenLanes();
    SeekLanes();
    ControlFlow();
    Commit();
    LookForBroker();
    PollMessages();
  }
}

/// After a suspension, or out of reach of the coordinator, somebody else may have had our partitions: what we have in
/// hand is void. If we are still a member, the partitions are opened again from their commits.
void PollLoop::Tick() {
  if (tenure_->Overdue()) board_->FenceAll(/*keep=*/true);
  tenure_->Polled();
}

void PollLoop::OpenLanes() {
  const std::vector<int32_t> partitions = board_->Unopened();
  if (partitions.empty() || tenure_->stopped() || tenure_->Overdue()) return;
  const Result<int32_t> count = PartitionCount(client_.get(), options_.topic, kCallTimeout);
  if (!count.ok()) return Report(count.status());
  if (options_.all_partitions && board_->progress().partitions != *count) {
    return board_->Finish(
        Status(StatusCode::kConfiguration, "topic " + options_.topic +
                                               " is not partitioned by row and needs one reader, but group " +
                                               options_.group + " has another member; stop it"));
  }
  std::vector<PartitionOffset> wanted;
  for (const int32_t partition : partitions) wanted.push_back({partition, RD_KAFKA_OFFSET_INVALID});
  const PartitionsHandle list = MakePartitions(options_.topic, wanted);
  const rd_kafka_resp_err_t error =
      rd_kafka_committed(client_.get(), list.get(), static_cast<int>(kCallTimeout.count()));
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) {
    return Report(KafkaStatus(error, "asking for the committed offsets of group " + options_.group));
  }
  for (int i = 0; i < list->cnt; ++i) {
    const rd_kafka_topic_partition_t& each = list->elems[i];
    Status status = KafkaStatus(each.err, "asking for the committed offset of group " + options_.group);
    if (status.ok()) status = OpenLane(each.partition, *count, each.offset);
    if (!status.ok()) return Report(status);
  }
}

Status PollLoop::OpenLane(int32_t partition, int32_t count, int64_t committed) {
  Tick();
  const Result<LogRange> range = QueryLogRange(client_.get(), options_.topic, partition, kCallTimeout);
  if (!range.ok()) return range.status();
  const std::optional<int64_t> offset = committed >= 0 ? std::optional(committed) : std::nullopt;
  board_->Open(std::make_shared<KafkaAssignment>(tenure_, options_.topic, partition, count), offset, range->start,
               range->end);
  return {};
}

void PollLoop::SeekLanes() {
  bool failed = false;
  for (const PartitionOffset& seek : board_->Seeks()) {
    const PartitionsHandle list = MakePartitions(options_.topic, {seek});
    const ErrorHandle error(
        rd_kafka_seek_partitions(client_.get(), list.get(), static_cast<int>(kCallTimeout.count())));
    const bool sought = error == nullptr && list->elems[0].err == RD_KAFKA_RESP_ERR_NO_ERROR;
    if (sought) board_->Reading(seek.partition);
    // Fails while the client has not started on the new assignment; the next turn tries again.
    failed = failed || !sought;
  }
  const milliseconds now = clock_->SinceBoot();
  if (!failed) seeks_failed_since_.reset();
  if (failed && !seeks_failed_since_) seeks_failed_since_ = now;
  if (failed && now - *seeks_failed_since_ > kSeekPatience) Reassign();
}

/// A client whose first question for a partition's offset was refused never starts on it, and no seek helps then.
void PollLoop::Reassign() {
  seeks_failed_since_.reset();
  rd_kafka_topic_partition_list_t* assigned = nullptr;
  const rd_kafka_resp_err_t error = rd_kafka_assignment(client_.get(), &assigned);
  const PartitionsHandle list(assigned);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR || list == nullptr) return;
  for (int i = 0; i < list->cnt; ++i) {
    list->elems[i].offset = board_->Wanted(list->elems[i].partition).value_or(RD_KAFKA_OFFSET_END);
  }
  rd_kafka_assign(client_.get(), list.get());
}

void PollLoop::ControlFlow() {
  const auto list = [this](const std::vector<int32_t>& partitions) {
    std::vector<PartitionOffset> offsets;
    for (const int32_t partition : partitions) offsets.push_back({partition, RD_KAFKA_OFFSET_INVALID});
    return MakePartitions(options_.topic, offsets);
  };
  const WorkBoard::Flow flow = board_->TakeFlow();
  if (!flow.pause.empty()) rd_kafka_pause_partitions(client_.get(), list(flow.pause).get());
  if (!flow.resume.empty()) rd_kafka_resume_partitions(client_.get(), list(flow.resume).get());
}

void PollLoop::Commit() {
  if (const std::optional<Status> answer = committer_->TakeAnswer()) {
    answer->ok() ? trouble_.Over() : Report(*answer);
  }
  const milliseconds now = clock_->SinceBoot();
  if (now - last_commit_ < options_.commit_interval) return;
  last_commit_ = now;
  committer_->Send();
}

/// Nothing tells us that an idle broker is back.
void PollLoop::LookForBroker() {
  const milliseconds now = clock_->SinceBoot();
  if (!trouble_.any() || now - last_look_ < kCallTimeout) return;
  last_look_ = now;
  if (PartitionCount(client_.get(), options_.topic, kCallTimeout).ok()) trouble_.Over();
}

void PollLoop::PollMessages() {
  for (int i = 0; i < kMessagesPerTurn; ++i) {
    const MessageHandle message(rd_kafka_consumer_poll(client_.get(), i == 0 ? kPollTimeoutMs : 0));
    if (message == nullptr || !Handle(*message)) return;
  }
}

void PollLoop::Leave() {
  const Status status = committer_->SendAndWait(kFinalCommitTimeout);
  board_->FenceAll(/*keep=*/false);
  {
    // A yield would end the client's own wait for its farewell, and destroying it would then wait for ever.
    const std::lock_guard lock(mu_);
    leaving_ = true;
  }
  rd_kafka_consumer_close(client_.get());
  const std::lock_guard lock(mu_);
  left_ = true;
  left_status_ = status;
  changed_.notify_all();
}

}  // namespace fensi::consumer
