#include "consumer/kafka/group/poll_loop.h"

#include <array>
#include <cstdlib>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "consumer/kafka/client/replays.h"
#include "consumer/kafka/group/coordinator_contact.h"
#include "consumer/kafka/group/membership.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kDestroyTimeout{2000};
constexpr milliseconds kFarewellTimeout{6000};  // the client gives its LeaveGroup request 5 s
constexpr int kPollTimeoutMs = 50;
constexpr int kMessagesPerTurn = 1000;

/// After it the client gives a request up: no answer is worth a longer wait.
milliseconds SocketTimeout(const rd_kafka_conf_t* config) {
  char text[16] = "";
  size_t size = sizeof text;
  rd_kafka_conf_get(config, "socket.timeout.ms", text, &size);
  return milliseconds(std::atoi(text));
}

PollLoop* Self(void* opaque) { return static_cast<PollLoop*>(opaque); }

std::string_view View(const void* bytes, size_t size) {
  return bytes == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(bytes), size);
}

Status Gap(const MembershipOptions& group, const PartitionOffset& lost, const std::string& what) {
  return Status(StatusCode::kGap,
                "group " + group.group + ", " + PartitionText(group.topics.stream, lost.partition) + ": " + what);
}

}  // namespace

PollLoop::PollLoop(PollLoopOptions options, Clock* clock, std::shared_ptr<Lease> lease, PartitionQueues* queues)
    : options_(std::move(options)),
      clock_(clock),
      lease_(std::move(lease)),
      queues_(queues),
      outage_(clock, options_.brokers),
      topic_(options_.membership.topics.stream, clock, &outage_),
      identity_(options_.membership.topics, options_.membership.group, clock, queues,
                [this](LogId log) { IsAnother(log); }) {}

PollLoop::~PollLoop() {
  closing_ = true;
  if (client_ != nullptr) Wake();
  if (thread_.joinable()) thread_.join();
  membership_.reset();
  topic_.Stop();
  identity_.Stop();
  client_queue_.reset();
  // A client that did not end when it was asked to will not end now.
  DestroyWithin(std::move(client_), farewell_.ok() ? kDestroyTimeout : milliseconds(0));
}

Status PollLoop::Start(ConfHandle config) {
  Listen(config.get());
  const milliseconds timeout = SocketTimeout(config.get());
  FENSI_ASSIGN_OR_RETURN(ClientHandle client, MakeClient(RD_KAFKA_CONSUMER, std::move(config)));
  client_ = std::shared_ptr<rd_kafka_t>(client.release(), DestroyWithoutLeavingGroup);
  rd_kafka_poll_set_consumer(client_.get());
  client_queue_.reset(rd_kafka_queue_get_consumer(client_.get()));
  topic_.Start(client_, timeout);
  identity_.Start(client_, timeout);
  membership_ = std::make_unique<Membership>(options_.membership, client_, timeout, clock_, lease_, queues_, &outage_,
                                             &identity_);
  thread_ = std::thread([this] { Run(); });
  return {};
}

/// What the client has to say besides messages, it says on the poll thread.
void PollLoop::Listen(rd_kafka_conf_t* config) {
  rd_kafka_conf_set_opaque(config, this);
  rd_kafka_conf_set_rebalance_cb(
      config, [](rd_kafka_t*, rd_kafka_resp_err_t kind, rd_kafka_topic_partition_list_t* partitions, void* opaque) {
        Self(opaque)->membership_->OnRebalance(kind, partitions, Self(opaque)->closing_);
      });
  rd_kafka_conf_set_error_cb(
      config, [](rd_kafka_t*, int error, const char* reason, void* opaque) { Self(opaque)->OnError(error, reason); });
  rd_kafka_conf_set_stats_cb(config, [](rd_kafka_t*, char* json, size_t size, void* opaque) {
    Self(opaque)->OnStatistics({json, size});
    return 0;
  });
}

void PollLoop::Wake() { rd_kafka_queue_yield(client_queue_.get()); }

Status PollLoop::WaitReachable(milliseconds timeout) {
  MutexLock lock(mu_);
  if (changed_.wait_for(lock, timeout, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return probed_; }))
    return probe_status_;
  const std::string trouble = outage_.Text();
  const std::string none = "no broker of " + options_.brokers;
  // A caller asks again and again: how long it has been so says the outage, and not the time of one attempt.
  const std::string fault =
      trouble.empty() ? " answered within " + std::to_string(timeout.count() / 1000) + " s" : " answers: " + trouble;
  return WithBrokerAction(Status(StatusCode::kUnavailable, none + fault));
}

Status PollLoop::Close(milliseconds timeout) {
  closing_ = true;
  Wake();
  MutexLock lock(mu_);
  if (changed_.wait_for(lock, timeout, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return left_; }))
    return left_status_;
  return LeaveTimedOut(options_.membership.group).WithContext("broker " + options_.brokers);
}

void PollLoop::Run() {
  try {
    if (Probe() && Join()) Consume();
  } catch (const std::exception& fault) {  // lack of memory or of threads: the index ends, not the process
    Settle(InternalError(fault).WithContext("reading topic " + options_.membership.topics.stream));
  }
  try {
    Leave();
  } catch (const std::exception&) {  // the same; the group waits for the session timeout, as Close says
    closing_ = true;
  }
}

/// True when the topic is as it must be; false when it is not or we are told to close.
bool PollLoop::Probe() {
  while (!closing_) {
    topic_.Ask();
    lease_->Polled();
    const MessageHandle message(rd_kafka_consumer_poll(client_.get(), kPollTimeoutMs));
    if (message != nullptr) Handle(*message);  // a refusal by the coordinator, which the client looks for already
    const std::optional<Status> verdict = topic_.TakeVerdict();
    if (!verdict) continue;
    Settle(*verdict);
    return verdict->ok();
  }
  return false;
}

void PollLoop::Settle(Status probed) {
  if (!probed.ok()) queues_->Finish(probed);
  topic_.Recovered();
  const MutexLock lock(mu_);
  probed_ = true;
  probe_status_ = std::move(probed);
  changed_.notify_all();
}

bool PollLoop::Join() {
  const Status joined = membership_->Join();
  if (!joined.ok()) queues_->Finish(joined);
  return joined.ok();
}

void PollLoop::Consume() {
  while (!closing_) {
    if (const Status status = membership_->Turn(); !status.ok()) Report(status);
    Commit();
    LookAtTopic();
    PollMessages();
  }
}

void PollLoop::Commit() {
  const std::optional<Status> answer = membership_->Commit();
  if (answer && answer->ok()) topic_.Recovered();
  if (answer && !answer->ok()) Report(*answer);
}

void PollLoop::LookAtTopic() {
  const PartitionQueues::Findings found = queues_->TakeFindings();
  if (found.hole) topic_.SawHole();
  if (found.vanished) Lost(*found.vanished, "a message has disappeared: the topic is compacted, or its log was cut");
  if (const Status end = topic_.Look(); !end.ok()) queues_->Finish(end);
}

void PollLoop::PollMessages() {
  for (int i = 0; i < kMessagesPerTurn; ++i) {
    const MessageHandle message(rd_kafka_consumer_poll(client_.get(), i == 0 ? kPollTimeoutMs : 0));
    if (message == nullptr || !Handle(*message)) return;
  }
}

LogId PollLoop::IdOf(const rd_kafka_message_t& message) const {
  const Topics& topics = options_.membership.topics;
  // A source without requests needs no topic names.
  const bool one = topics.requests.empty() || message.rkt == nullptr;
  return {message.partition, one ? Log::kStream : topics.LogOf(rd_kafka_topic_name(message.rkt))};
}

/// False when the poll thread should look at the flow first.
bool PollLoop::Handle(const rd_kafka_message_t& message) {
  const LogId log = IdOf(message);
  if (message.err == RD_KAFKA_RESP_ERR__PARTITION_EOF) return queues_->ReadToEnd(log, message.offset);
  if (message.err != RD_KAFKA_RESP_ERR_NO_ERROR) {
    HandleError(log, message);
    return false;
  }
  rd_kafka_timestamp_type_t type = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE;
  const int64_t time = rd_kafka_message_timestamp(&message, &type);
  return queues_->Offer(
      log, {message.offset, type == RD_KAFKA_TIMESTAMP_NOT_AVAILABLE ? 0 : time, View(message.key, message.key_len),
            View(message.payload, message.len), ReplayCountOf(message)});
}

void PollLoop::HandleError(LogId log, const rd_kafka_message_t& message) {
  const char* detail = rd_kafka_message_errstr(&message);
  if (message.err == RD_KAFKA_RESP_ERR__FATAL) return queues_->Finish(WhyItEnded(detail));
  if (message.err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET || message.err == RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE) {
    const std::optional<int64_t> position = queues_->Position(log);
    // Nobody may wait for what comes there, but the client has given the partition up.
    membership_->GaveUp(log);
    if (position) Lost({log.partition, *position, log.log}, detail);
    return;
  }
  const std::string& topic = options_.membership.topics.of(log.log);
  const Status status = KafkaStatus(message.err, "reading topic " + topic);
  if (log.log == Log::kStream || status.code() == StatusCode::kPermission) return Report(status);
  queues_->SetTrouble(
      log, "cannot read the requests of partition " + std::to_string(log.partition) + ": " + status.message());
}

/// For requests: the appliers know what their loss means, and learn at the next opening how far they reach.
void PollLoop::Lost(const PartitionOffset& place, const char* detail) {
  if (place.log == Log::kRequests) return queues_->OpenAgain(place.partition);
  End(place, "the broker does not have offset " + std::to_string(place.offset) + " (" +
                 (detail == nullptr ? "" : detail) + ")");
}

void PollLoop::End(const PartitionOffset& place, const std::string& what) {
  {
    const MutexLock lock(mu_);
    lost_ = {options_.membership.topics.stream, place.partition, place.offset};
  }
  queues_->Finish(Gap(options_.membership, place, what));
}

/// Any thread. For requests see Lost.
void PollLoop::IsAnother(LogId log) {
  if (log.log == Log::kRequests) return queues_->OpenAgain(log.partition);
  End({log.partition, queues_->Position(log).value_or(0)},
      "Kafka no longer has the group's committed offset, because the topic was deleted and created again");
}

/// A refusal ends the source; all others are shown and may pass (a topic that was there at the start may be missing
/// while brokers restart).
void PollLoop::Report(const Status& status) {
  if (status.code() == StatusCode::kPermission) {
    queues_->Finish(status);
  } else {
    outage_.Other(status.message());
  }
}

void PollLoop::OnError(int error, const char* reason) {
  topic_.NoteError(error, reason);
  switch (error) {
    case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
      return outage_.Away("");
    case RD_KAFKA_RESP_ERR__TRANSPORT:
    case RD_KAFKA_RESP_ERR__RESOLVE:
    case RD_KAFKA_RESP_ERR__AUTHENTICATION:
    case RD_KAFKA_RESP_ERR__SSL:
      return outage_.Other(FullReason(reason));
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
    case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
    case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
      return OnMissing(reason);
    default:
      return;  // the same error comes as a message where it matters
  }
}

/// `reason`: librdkafka's, for the end of the client.
Status PollLoop::WhyItEnded(const char* reason) const {
  std::array<char, 512> text{};
  const rd_kafka_resp_err_t code = rd_kafka_fatal_error(client_.get(), text.data(), text.size());
  if (code != RD_KAFKA_RESP_ERR_FENCED_INSTANCE_ID) {
    return Status(StatusCode::kInternal, std::string("the Kafka client has failed: ") + reason +
                                             ". Start the daemon again. If this repeats, "
                                             "report this line to the developers");
  }
  return Status(StatusCode::kFenced,
                "another member of group " + options_.membership.group +
                    " joined with the name of this daemon (--instance), so this daemon ends. Give each "
                    "'fensi run' an --instance of its own");
}

/// "TOPIC [PARTITION]: …". TopicWatch knows about the stream.
void PollLoop::OnMissing(std::string_view reason) {
  const std::string prefix = options_.membership.topics.requests + " [";
  if (!reason.starts_with(prefix)) return;
  const int partition = std::atoi(std::string(reason.substr(prefix.size())).c_str());
  queues_->SetTrouble({partition, Log::kRequests}, "cannot read the requests: " + std::string(reason));
}

void PollLoop::OnStatistics(std::string_view json) {
  if (const auto silence = CoordinatorSilence(json)) lease_->Heard(*silence);
  outage_.Connected(AnyBrokerUp(json));
  const std::string& topic = options_.membership.topics.stream;
  std::vector<PartitionQueues::LogEnd> ends;
  for (const ToldEnd& each : LogEnds(json, topic)) {
    ends.push_back({each.partition, each.end, each.ago});
  }
  queues_->NoteEnds(ends);
  std::string text;
  for (const int32_t partition : WithoutLeader(json, topic)) {
    text += (text.empty() ? "partition " : ", ") + std::to_string(partition);
  }
  outage_.Leaderless(text.empty() ? ""
                                  : text + " of topic " + topic +
                                        " has no leader, and fensi waits for one. Check the brokers of the partition");
}

void PollLoop::Describe(StreamState* state) const {
  state->reachable = outage_.connected();
  state->broker_silence = outage_.silence();
  state->poll_silence = lease_->silence();
  state->retention_ms = topic_.retention_ms();
  {
    const MutexLock lock(mu_);
    state->lost = lost_;
  }
  if (membership_ == nullptr) return;
  const GroupCounts& counts = membership_->counts();
  state->assignments = counts.assignments;
  state->revocations = counts.revocations;
  state->losses = counts.losses;
  state->fenced = counts.fenced;
  state->commit_failures = counts.commit_failures;
  if (const int64_t last = counts.last_commit; last > 0) state->last_commit = last;
}

void PollLoop::Leave() {
  Status status = membership_->Leave();
  farewell_ = LeaveGroup(client_.get(), options_.membership.group, Deadline(kFarewellTimeout));
  if (status.ok()) status = farewell_;
  const MutexLock lock(mu_);
  left_ = true;
  left_status_ = status;
  changed_.notify_all();
}

}  // namespace fensi::consumer
