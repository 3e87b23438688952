#include "consumer/kafka/group/poll_loop.h"

#include <cstdlib>
#include <exception>

#include "consumer/kafka/deadline.h"
#include "consumer/kafka/topic_facts.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFinalCommitTimeout{2000};
constexpr milliseconds kDestroyPatience{5000};
constexpr milliseconds kLookPause{1000};
constexpr milliseconds kBelieveMissing{3000};
constexpr milliseconds kHoleLookPause{60'000};
constexpr int kPollTimeoutMs = 50;
constexpr int kMessagesPerTurn = 1000;

/// After it the client gives a request up: no answer is worth a longer wait.
milliseconds SocketTimeout(const rd_kafka_conf_t* config) {
  char text[16] = "";
  size_t size = sizeof text;
  rd_kafka_conf_get(config, "socket.timeout.ms", text, &size);
  return milliseconds(std::atoi(text));
}

Status CheckTopic(rd_kafka_t* client, const std::string& topic, milliseconds timeout) {
  const Deadline deadline(timeout);
  const Result<TopicLayout> layout = DescribeLayout(client, topic, deadline.left());
  return layout.ok() ? RefuseCompacted(client, topic, layout->teller, deadline.left()) : layout.status();
}

PollLoop* Self(void* opaque) { return static_cast<PollLoop*>(opaque); }

/// The broker is away, or gives an answer that makes no sense for a topic: neither says anything about the topic.
bool MayPass(const Status& status) {
  return status.code() == StatusCode::kUnavailable || status.code() == StatusCode::kFenced ||
         status.code() == StatusCode::kInternal;
}

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
  opener_.reset();
  committer_.reset();
  queue_.reset();
  DestroyWithin(std::move(client_), kDestroyPatience);
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
  socket_timeout_ = SocketTimeout(config.get());
  Result<ClientHandle> client = MakeClient(RD_KAFKA_CONSUMER, std::move(config));
  if (!client.ok()) return client.status();
  client_ = std::move(*client);
  rd_kafka_poll_set_consumer(client_.get());
  queue_.reset(rd_kafka_queue_get_consumer(client_.get()));
  committer_ = std::make_unique<Committer>(client_.get(), options_.topic, board_);
  opener_ = std::make_unique<PartitionOpener>(client_, options_.topic, options_.group, clock_, socket_timeout_);
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
  try {
    if (Probe() && Subscribe()) Consume();
  } catch (const std::exception& fault) {  // lack of memory or of threads: the index ends, not the process
    Settle(Status(StatusCode::kInternal, "reading topic " + options_.topic + ": " + fault.what()));
  }
  Leave();
}

bool PollLoop::Subscribe() {
  const PartitionsHandle topics(rd_kafka_topic_partition_list_new(1));
  rd_kafka_topic_partition_list_add(topics.get(), options_.topic.c_str(), RD_KAFKA_PARTITION_UA);
  const rd_kafka_resp_err_t error = rd_kafka_subscribe(client_.get(), topics.get());
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) {
    board_->Finish(KafkaStatus(error, "subscribing to topic " + options_.topic));
  }
  return error == RD_KAFKA_RESP_ERR_NO_ERROR;
}

/// True when the topic is as it must be; false when it is not or we are told to close.
bool PollLoop::Probe() {
  const milliseconds started = clock_->SinceBoot();
  while (!closing_) {
    AskAboutTopic();
    const MessageHandle message(rd_kafka_consumer_poll(client_.get(), kPollTimeoutMs));
    if (message != nullptr) Handle(*message);  // a refusal by the coordinator, which the client looks for already
    const std::optional<Status> status = topic_question_.Take();
    if (status && Unsure(*status)) continue;
    if (status && (status->ok() || !MayPass(*status))) {
      Settle(*status);
      return status->ok();
    }
    if (status) ShowUnanswered(*status);
    if (!status && clock_->SinceBoot() - started > kLookPause) trouble_.Away("");
  }
  return false;
}

/// An answer that says nothing about the topic; without a connection it is the client's own.
void PollLoop::ShowUnanswered(const Status& status) {
  const bool away = status.code() == StatusCode::kUnavailable && !trouble_.connected();
  away ? trouble_.Away("") : trouble_.Other(status.message());
}

/// A broker that has just started knows no topic yet.
bool PollLoop::Unsure(const Status& status) {
  if (status.code() != StatusCode::kNotFound) return false;
  if (!missing_since_) missing_since_ = clock_->SinceBoot();
  trouble_.Other(status.message());
  return clock_->SinceBoot() - *missing_since_ < kBelieveMissing;
}

void PollLoop::AskAboutTopic() {
  const milliseconds now = clock_->SinceBoot();
  if (topic_question_.waiting() && !topic_question_.overdue(now)) return;
  topic_question_.Ask(now, client_, [topic = options_.topic, timeout = socket_timeout_](rd_kafka_t* client) {
    return CheckTopic(client, topic, timeout);
  });
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
    KeepToOneReader();
    OpenLanes();
    PlaceLanes();
    ControlFlow();
    Commit();
    LookForBroker();
    PollMessages();
  }
}

/// After a suspension, or out of reach of the coordinator, somebody else may have had our partitions: what we have in
/// hand is void. If we are still a member, the partitions are opened again from their commits.
void PollLoop::Tick() {
  if (tenure_->Overdue()) {
    board_->FenceAll(/*keep=*/true);
    opener_->Forget();
  }
  tenure_->Polled();
}

void PollLoop::Commit() {
  if (const std::optional<Status> answer = committer_->TakeAnswer()) {
    answer->ok() ? Recovered() : Report(*answer);
  }
  const milliseconds now = clock_->SinceBoot();
  if (now - last_commit_ < options_.commit_interval) return;
  last_commit_ = now;
  committer_->Send();
}

/// Nothing tells us that an idle broker is back; and a log with holes may be one that Kafka compacts since today.
void PollLoop::LookForBroker() {
  if (const std::optional<Status> answer = topic_question_.Take()) {
    const bool refused = answer->code() == StatusCode::kConfiguration || answer->code() == StatusCode::kPermission;
    if (answer->ok()) Recovered();
    if (refused) board_->Finish(*answer);
  }
  const milliseconds now = clock_->SinceBoot();
  const bool hole = now - last_hole_look_ >= kHoleLookPause && board_->TakeHole();
  if (hole) last_hole_look_ = now;
  if (!hole && (!trouble_.any() || now - last_look_ < kLookPause)) return;
  last_look_ = now;
  AskAboutTopic();
}

void PollLoop::Recovered() { trouble_.Over(); }

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
