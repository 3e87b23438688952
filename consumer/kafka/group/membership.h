// What this member has of its group: partitions on their way from assigned to read, and back. Belongs to the poll
// thread.
//
// At a revoke it waits for batches in hand (below the session timeout), commits and lets go; at a loss it fences at
// once. Where one member must read all partitions, see SoleReader.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "consumer/kafka/group/committer.h"
#include "consumer/kafka/group/fetcher.h"
#include "consumer/kafka/group/group_counts.h"
#include "consumer/kafka/group/lease.h"
#include "consumer/kafka/group/log_identity.h"
#include "consumer/kafka/group/outage.h"
#include "consumer/kafka/group/partition_opener.h"
#include "consumer/kafka/group/partition_queues.h"
#include "consumer/kafka/group/sole_reader.h"
#include "consumer/kafka/group/topics.h"
#include "consumer/kafka/group_state.h"
#include "consumer/kafka/handles.h"

namespace fensi::consumer {

struct MembershipOptions {
  Topics topics;
  std::string group;
  bool all_partitions = false;  // the topic's rows are spread over partitions: one member must have them all
  std::chrono::milliseconds commit_interval{1000};
  std::chrono::milliseconds drain_timeout{15000};
};

class Membership {
 public:
  /// `timeout`: the client's, of a request. `clock`, `queues`, `outage` and `identity` must outlive it.
  Membership(MembershipOptions options, const std::shared_ptr<rd_kafka_t>& client, std::chrono::milliseconds timeout,
             Clock* clock, std::shared_ptr<Lease> lease, PartitionQueues* queues, Outage* outage,
             LogIdentity* identity);

  /// Asks the group for partitions. Not ok: the client refuses.
  Status Join();
  /// What is to be done between messages, never blocking: opens what is assigned, lets the client fetch what was begun.
  /// Not ok: what a broker or the client has to say against it.
  Status Turn();
  /// Commits when it is time; the answer to an earlier commit, or to the question before one, if one has come.
  std::optional<Status> Commit();
  void OnRebalance(rd_kafka_resp_err_t kind, rd_kafka_topic_partition_list_t* partitions, bool closing);
  /// The client fetches this partition no more, whatever it was told.
  void GaveUp(LogId log) { fetcher_.GaveUp(log); }
  const GroupCounts& counts() const { return counts_; }
  /// Any thread.
  GroupState state() const;
  /// Blocks until what is done is committed, or its time is over, and fences all. Rebalances are answered once after
  /// it: the client is to be asked to end (LeaveGroup) by then.
  Status Leave();

 private:
  void KeepLease();
  void NoteSilence(bool silent);
  void Enter(GroupPhase phase);
  void NotePartitions(std::vector<int32_t> partitions);
  void BeSoleReader();
  void OpenPartitions();
  void OpenPartition(PartitionOpener::Found found);
  void Assigned(rd_kafka_topic_partition_list_t* partitions);
  void LetGo();
  bool NeedsCommit(std::chrono::milliseconds now) const;
  void NoteCommit(const Status& answer);

  const MembershipOptions options_;
  const std::shared_ptr<rd_kafka_t> client_;
  Clock* const clock_;
  const std::shared_ptr<Lease> lease_;
  PartitionQueues* const queues_;
  Outage* const outage_;
  SoleReader sole_reader_;
  PartitionOpener opener_;
  Fetcher fetcher_;
  Committer committer_;
  GroupCounts counts_;
  std::chrono::milliseconds last_commit_{0};
  bool silent_ = false;  // the lease was overdue at the last turn
  bool leaving_ = false;
  bool told_ = false;  // the client that ends: to let go

  mutable Mutex mu_;
  GroupPhase phase_ ABSL_GUARDED_BY(mu_) = GroupPhase::kJoining;
  std::chrono::milliseconds phase_since_ ABSL_GUARDED_BY(mu_);
  std::vector<int32_t> partitions_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::consumer
