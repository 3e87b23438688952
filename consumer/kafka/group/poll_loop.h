// Runs the thread that polls the broker, whatever the workers do: a slow store never costs the membership in the group.
//
// Only this thread calls the consumer client, except for queries to the brokers (PartitionOpener, TopicWatch), for
// which it never waits: a silent or slow broker delays only its own answers. The thread puts messages on the
// PartitionQueues and calls Membership, which answers rebalances and commits finished work. Queries that the broker
// refuses are repeated, and trouble() shows them.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/mutex.h"
#include "consumer/kafka/client/client_config.h"
#include "consumer/kafka/group/log_identity.h"
#include "consumer/kafka/group/membership.h"
#include "consumer/kafka/group/outage.h"
#include "consumer/kafka/group/partition_queues.h"
#include "consumer/kafka/group/topic_watch.h"

namespace fensi::consumer {

struct PollLoopOptions {
  std::string brokers;
  MembershipOptions membership;
};

class PollLoop {
 public:
  PollLoop(PollLoopOptions options, Clock* clock, std::shared_ptr<Lease> lease, PartitionQueues* queues);
  /// Closes, if Close was not called, and waits for the thread: fifteen seconds at most, whatever the brokers do.
  ~PollLoop();

  /// Creates the client and starts the thread. Once. Does not wait for a broker.
  Status Start(ConfHandle config);
  /// Blocks until the topic was checked; kUnavailable after `timeout`.
  Status WaitReachable(std::chrono::milliseconds timeout);
  /// There is something to do before the next message. Any thread.
  void Wake();
  /// Commits, leaves the group, blocks up to `timeout`. The thread may run longer.
  Status Close(std::chrono::milliseconds timeout);
  /// Blocks; any thread. See ChangeSource::Confirm.
  Status Confirm(std::chrono::milliseconds timeout) { return identity_.Confirm(timeout); }
  std::string trouble() const { return outage_.Text(); }
  /// Adds the state of the group.
  void Describe(StreamState* state) const;
  GroupState group() const { return membership_ == nullptr ? GroupState() : membership_->state(); }

 private:
  void Listen(rd_kafka_conf_t* config);
  void Run();
  bool Probe();
  void Settle(Status probed);
  bool Join();
  void Consume();
  void Commit();
  void LookAtTopic();
  void PollMessages();
  bool Handle(const rd_kafka_message_t& message);
  LogId IdOf(const rd_kafka_message_t& message) const;
  void HandleError(LogId log, const rd_kafka_message_t& message);
  void Lost(const PartitionOffset& place, const char* detail);
  void End(const PartitionOffset& place, const std::string& what);
  void IsAnother(LogId log);
  void OnError(int error, const char* reason);
  Status WhyItEnded(const char* reason) const;
  void OnMissing(std::string_view reason);
  void OnStatistics(std::string_view json);
  void Report(const Status& status);
  void Leave();

  const PollLoopOptions options_;
  Clock* const clock_;
  const std::shared_ptr<Lease> lease_;
  PartitionQueues* const queues_;
  Outage outage_;

  // Used by the poll thread.
  std::shared_ptr<rd_kafka_t> client_;
  QueueHandle client_queue_;
  TopicWatch topic_;
  LogIdentity identity_;  // used by any thread
  std::unique_ptr<Membership> membership_;
  Status farewell_;

  std::atomic<bool> closing_ = false;
  mutable Mutex mu_;
  Condition changed_;
  std::optional<StreamPosition> lost_ ABSL_GUARDED_BY(mu_);
  bool probed_ ABSL_GUARDED_BY(mu_) = false;
  Status probe_status_ ABSL_GUARDED_BY(mu_);
  bool left_ ABSL_GUARDED_BY(mu_) = false;
  Status left_status_ ABSL_GUARDED_BY(mu_);
  std::thread thread_;
};

}  // namespace fensi::consumer
