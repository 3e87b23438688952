#include "consumer/kafka/group/membership.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/unattended.h"
#include "consumer/kafka/client/handles.h"

namespace fensi::consumer {

Status LeaveTimedOut(const std::string& group) {
  return Status(StatusCode::kUnavailable, "the consumer did not leave group " + group +
                                              " in time. Nothing to do: other daemons get its partitions after "
                                              "--kafka_session_timeout_ms");
}

Status LeaveGroup(rd_kafka_t* client, const std::string& group, Deadline deadline) {
  constexpr int kTurnMs = 50;
  const QueueHandle told(rd_kafka_queue_new(client));
  // Refused when the client has failed for good: it is in no group then.
  if (const ErrorHandle refused(rd_kafka_consumer_close_queue(client, told.get())); refused != nullptr) return {};
  while (rd_kafka_consumer_closed(client) == 0) {
    if (deadline.over()) return LeaveTimedOut(group);
    // Drain messages that were fetched before the close; they are dropped.
    const MessageHandle message(rd_kafka_consume_queue(told.get(), std::min(kTurnMs, deadline.left_ms())));
  }
  return {};
}

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFinalCommitTimeout{2000};
constexpr milliseconds kRevokeCommitTimeout{3000};
constexpr milliseconds kWitnessPause{200};

}  // namespace

Membership::Membership(MembershipOptions options, const std::shared_ptr<rd_kafka_t>& client, milliseconds timeout,
                       Clock* clock, std::shared_ptr<Lease> lease, PartitionQueues* queues, Outage* outage,
                       LogIdentity* identity)
    : options_(std::move(options)),
      client_(client),
      clock_(clock),
      lease_(std::move(lease)),
      queues_(queues),
      outage_(outage),
      sole_reader_(options_.all_partitions, options_.topics.stream, options_.group),
      opener_(client, options_.topics, options_.group, clock, timeout),
      fetcher_(client.get(), options_.topics, clock, queues),
      committer_(client.get(), options_.topics, options_.group, queues, identity),
      phase_since_(clock->MonotonicNow()) {}

Status Membership::Join() {
  const PartitionsHandle topics(rd_kafka_topic_partition_list_new(1));
  rd_kafka_topic_partition_list_add(topics.get(), options_.topics.stream.c_str(), RD_KAFKA_PARTITION_UA);
  return KafkaStatus(rd_kafka_subscribe(client_.get(), topics.get()), "subscribing to topic " + options_.topics.stream);
}

Status Membership::Turn() {
  KeepLease();
  BeSoleReader();
  OpenPartitions();
  const Status placed = fetcher_.Place();
  fetcher_.ApplyFlowControl();
  return placed;
}

/// After a suspension, or out of reach of the coordinator, another member may have had our partitions: work in flight
/// is void. If we are still a member, the partitions are opened again from their commits.
void Membership::KeepLease() {
  const bool silent = lease_->Overdue();
  if (silent != silent_) NoteSilence(silent);
  if (silent) {
    queues_->FenceAll(/*keep=*/true);
    opener_.Forget();
  }
  lease_->Polled();
}

/// One silence is one loss, however many turns it lasts. A member without partitions loses none.
void Membership::NoteSilence(bool silent) {
  silent_ = silent;
  if (queues_->progress().partitions == 0) return;
  if (silent) ++counts_.fenced;
  Enter(silent ? GroupPhase::kSilent : GroupPhase::kMember);
}

void Membership::Enter(GroupPhase phase) {
  const MutexLock lock(mu_);
  const bool goes_on = phase_ == GroupPhase::kSilent && phase == GroupPhase::kLost;
  if (phase_ != phase && !goes_on) phase_since_ = clock_->MonotonicNow();
  phase_ = phase;
}

void Membership::NotePartitions(std::vector<int32_t> partitions) {
  const MutexLock lock(mu_);
  partitions_ = std::move(partitions);
}

GroupState Membership::state() const {
  const MutexLock lock(mu_);
  return {.phase = phase_,
          .age = clock_->MonotonicNow() - phase_since_,
          .partitions = partitions_,
          .assignments = counts_.assignments,
          .revocations = counts_.revocations,
          .losses = counts_.losses,
          .fenced = counts_.fenced};
}

void Membership::BeSoleReader() {
  const SoleReader::Turn turn = sole_reader_.Next(clock_->MonotonicNow());
  if (turn.standing) outage_->Standing(*turn.standing);
  if (turn.step == SoleReader::Step::kLeave) rd_kafka_unsubscribe(client_.get());
  if (turn.step != SoleReader::Step::kJoin) return;
  if (const Status joined = Join(); !joined.ok()) queues_->Finish(joined);
}

void Membership::OpenPartitions() {
  if (lease_->stopped() || lease_->Overdue() || sole_reader_.waits()) return;
  for (PartitionOpener::Found& found : opener_.Turn(queues_->Unopened())) OpenPartition(std::move(found));
  if (!opener_.refusal().ok()) queues_->Finish(opener_.refusal());
  outage_->Standing(opener_.trouble());
}

void Membership::OpenPartition(PartitionOpener::Found found) {
  if (!sole_reader_.MayRead(queues_->progress().partitions, found.partition_count)) return;
  queues_->Open(
      std::make_shared<KafkaAssignment>(lease_, options_.topics.stream, found.partition, found.partition_count),
      std::move(found.opening));
}

std::optional<Status> Membership::Commit() {
  const std::optional<Status> answer = committer_.TakeAnswer();
  if (answer) NoteCommit(*answer);
  const milliseconds now = clock_->MonotonicNow();
  const bool due = now - last_commit_ >= std::min(options_.commit_interval, kWitnessPause) && NeedsCommit(now);
  if (due) last_commit_ = now;
  const Status begun = committer_.Turn(due);
  return begun.ok() ? answer : begun;
}

/// A log without a commit cannot be told from another one: it does not wait.
bool Membership::NeedsCommit(milliseconds now) const {
  return now - last_commit_ >= options_.commit_interval || !queues_->Witnesses().empty();
}

void Membership::NoteCommit(const Status& answer) {
  if (!answer.ok()) ++counts_.commit_failures;
  if (answer.ok()) counts_.last_commit = clock_->WallMillis();
}

void Membership::OnRebalance(rd_kafka_resp_err_t kind, rd_kafka_topic_partition_list_t* partitions, bool closing) {
  if (leaving_) return LetGo();
  fetcher_.Forget();
  opener_.Forget();
  committer_.Forget();
  sole_reader_.Revoked();
  if (kind == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) return Assigned(partitions);
  const bool revoked = kind == RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS;
  const bool lost = revoked && rd_kafka_assignment_lost(client_.get()) != 0;
  if (revoked && !lost) {
    ++counts_.revocations;
    Enter(GroupPhase::kRevoked);
    queues_->Drain(closing ? milliseconds(0) : options_.drain_timeout);
    // The next owner repeats what stays uncommitted.
    const bool commits = !queues_->Committable().empty();
    const Status answer = committer_.SendAndWait(kRevokeCommitTimeout);
    if (commits || !answer.ok()) NoteCommit(answer);
  }
  if (lost) {
    ++counts_.losses;
    Enter(GroupPhase::kLost);
    sole_reader_.Lost();
  }
  queues_->FenceAll(/*keep=*/false);
  NotePartitions({});
  rd_kafka_assign(client_.get(), nullptr);
}

void Membership::Assigned(rd_kafka_topic_partition_list_t* partitions) {
  std::vector<int32_t> assigned;
  for (int i = 0; i < partitions->cnt; ++i) assigned.push_back(partitions->elems[i].partition);
  ++counts_.assignments;
  NotePartitions(assigned);
  Enter(GroupPhase::kMember);
  lease_->Heard(milliseconds(0));  // it has just told us
  sole_reader_.Assigned(!assigned.empty());
  queues_->Assign(assigned);
  // The answer to the group; the client gets each partition when a worker has begun it (Fetcher).
  rd_kafka_assign(client_.get(), options_.topics.List(std::vector<LogId>()).get());
  std::vector<LogId> logs;  // a pause outlives its assignment
  for (const int32_t partition : assigned) {
    logs.emplace_back(partition);
    if (!options_.topics.requests.empty()) logs.emplace_back(partition, Log::kRequests);
  }
  rd_kafka_resume_partitions(client_.get(), options_.topics.List(logs).get());
}

/// A client that ends takes whatever it is told as "nothing", waits for being told once, and may end then: what it is
/// told while it does so is thrown away unanswered, and who tells it waits without end (rd_kafka_cgrp_terminated purges
/// its queue; seen with 2.0.2). More is asked when it had an assignment to announce as it was asked to end. Of what is
/// told nobody needs the answer, either: whether the client has ended is asked of it itself (LeaveGroup), which gives
/// it up where no thread could tell it.
void Membership::LetGo() {
  if (std::exchange(told_, true)) return;
  (void)StartDetached([client = client_] { rd_kafka_assign(client.get(), nullptr); });
}

Status Membership::Leave() {
  leaving_ = true;
  const Status status = committer_.SendAndWait(kFinalCommitTimeout);
  NoteCommit(status);
  queues_->FenceAll(/*keep=*/false);
  return status;
}

}  // namespace fensi::consumer
