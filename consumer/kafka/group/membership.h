// Handles this member's partitions of its group, from assigned to read, and back. Used by the poll thread.
//
// At a revoke it waits for batches in flight (below the session timeout), commits and releases; at a loss it fences at
// once. If one member must read all partitions, see SoleReader.
#pragma once

#include <librdkafka/rdkafka.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "consumer/kafka/client/group_admin.h"
#include "consumer/kafka/client/handles.h"
#include "consumer/kafka/group/committer.h"
#include "consumer/kafka/group/fetcher.h"
#include "consumer/kafka/group/lease.h"
#include "consumer/kafka/group/log_identity.h"
#include "consumer/kafka/group/outage.h"
#include "consumer/kafka/group/partition_opener.h"
#include "consumer/kafka/group/partition_queues.h"
#include "consumer/kafka/group/sole_reader.h"

namespace fensi::consumer {

// Lets a consumer leave its group, and end, in bounded time.
//
// librdkafka's own rd_kafka_consumer_close waits without end while something of an assignment is not answered, for
// instance for a partition whose topic is gone (rd_kafka_cgrp_try_terminate, seen with 2.0.2).

/// kUnavailable: the consumer did not leave the group in time.
Status LeaveTimedOut(const std::string& group);

/// Blocks up to the deadline, and to the end of a callback that runs then; kUnavailable after it: the broker removes
/// the member after the session timeout. Runs the client's callbacks on this thread, and none after it. Once.
Status LeaveGroup(rd_kafka_t* client, const std::string& group, Deadline deadline);

// This member's partitions of its group.

struct MembershipOptions {
  Topics topics;
  std::string group;
  bool all_partitions = false;  // the topic's rows are spread over partitions: one member must read them all
  std::chrono::milliseconds commit_interval{1000};
  std::chrono::milliseconds drain_timeout{15000};
};

class Membership {
 public:
  /// `timeout`: of a client's request. `clock`, `queues`, `outage` and `identity` must outlive it.
  Membership(MembershipOptions options, const std::shared_ptr<rd_kafka_t>& client, std::chrono::milliseconds timeout,
             Clock* clock, std::shared_ptr<Lease> lease, PartitionQueues* queues, Outage* outage,
             LogIdentity* identity);

  /// Joins the group. Not ok: the client refuses.
  Status Join();
  /// Does the work between messages, never blocking: opens what is assigned, lets the client fetch what was begun. Not
  /// ok: an error of a broker or the client.
  Status Turn();
  /// Commits when it is time; returns the result of an earlier commit, or of the check before one, if there is one.
  std::optional<Status> Commit();
  void OnRebalance(rd_kafka_resp_err_t kind, rd_kafka_topic_partition_list_t* partitions, bool closing);
  /// The client does not fetch this partition any more.
  void GaveUp(LogId log) { fetcher_.GaveUp(log); }
  const GroupCounts& counts() const { return counts_; }
  /// Any thread.
  GroupState state() const;
  /// Blocks until finished work is committed, or its time is over, and fences all. Rebalances are answered once after
  /// it: by then the client must be asked to end (LeaveGroup).
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
  bool told_ = false;  // the client that ends was told to release its partitions

  mutable Mutex mu_;
  GroupPhase phase_ ABSL_GUARDED_BY(mu_) = GroupPhase::kJoining;
  std::chrono::milliseconds phase_since_ ABSL_GUARDED_BY(mu_);
  std::vector<int32_t> partitions_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::consumer
