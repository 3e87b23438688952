// The thread that polls the broker, whatever the workers do: a slow store never costs the membership in the group.
//
// It alone calls the consumer client, but for questions to the brokers (PartitionOpener, Inquiry), which it never waits
// for: a broker that is silent or slow delays nothing but its own answers. It puts messages on the WorkBoard, pauses
// partitions whose lane is full, commits what workers have done, and answers rebalances: at a revoke it waits for
// batches in hand (below the session timeout), commits and lets go; at a loss it fences at once.
//
// Where one member must read all partitions (all_partitions), a member that gets a part of them leaves the group,
// stands by and tries again later; the one that had them all waits for that.
//
// The client is given a partition only when a worker has begun it, and with the offset to read: it never asks the
// broker for one by itself. Questions that the broker refuses are ours; they are repeated, and trouble() shows them.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "consumer/kafka/client_config.h"
#include "consumer/kafka/group/committer.h"
#include "consumer/kafka/group/inquiry.h"
#include "consumer/kafka/group/partition_opener.h"
#include "consumer/kafka/group/trouble.h"
#include "consumer/kafka/group/work_board.h"

namespace fensi::consumer {

struct PollLoopOptions {
  std::string brokers;
  std::string topic;
  std::string group;
  bool all_partitions = false;  // the topic's rows are spread over partitions: one member must have them all
  std::chrono::milliseconds commit_interval{1000};
  std::chrono::milliseconds drain_patience{15000};
};

class PollLoop {
 public:
  PollLoop(PollLoopOptions options, Clock* clock, std::shared_ptr<Tenure> tenure, WorkBoard* board);
  /// Close, if nobody called it, and waits for the thread.
  ~PollLoop();

  /// Creates the client and starts the thread. Once. Does not wait for a broker.
  Status Start(ConfHandle config);
  /// Blocks until the topic was found good or bad; kUnavailable after `timeout`.
  Status WaitReachable(std::chrono::milliseconds timeout);
  /// There is something to do before the next message. Any thread.
  void Wake();
  /// Commits, leaves the group, blocks up to `timeout`. The thread may go on after that.
  Status Close(std::chrono::milliseconds timeout);
  std::string trouble() const { return trouble_.Text(); }

 private:
  void Run();
  bool Probe();
  bool Unsure(const Status& status);
  void ShowUnanswered(const Status& status);
  void AskAboutTopic();
  void Settle(Status probed);
  void Consume();
  void Tick();
  void OpenLanes();
  void OpenLane(const PartitionOpener::Found& found);
  bool Subscribe();
  void KeepToOneReader();
  void StandBy();
  void PlaceLanes();
  void Seek(const PartitionOffset& place);
  void AssignLanes();
  void ControlFlow();
  void Commit();
  void LookForBroker();
  void Recovered();
  void PollMessages();
  bool Handle(const rd_kafka_message_t& message);
  void HandleError(const rd_kafka_message_t& message);
  void OnRebalance(rd_kafka_resp_err_t kind, rd_kafka_topic_partition_list_t* partitions);
  void OnError(int error, const char* reason);
  void OnStatistics(std::string_view json);
  void Leave();
  void Report(const Status& status);
  Status Gap(int32_t partition, int64_t offset, const char* detail) const;

  const PollLoopOptions options_;
  Clock* const clock_;
  const std::shared_ptr<Tenure> tenure_;
  WorkBoard* const board_;
  Trouble trouble_;

  // The poll thread's.
  std::shared_ptr<rd_kafka_t> client_;
  std::chrono::milliseconds socket_timeout_{0};
  QueueHandle queue_;
  std::unique_ptr<Committer> committer_;
  std::chrono::milliseconds last_commit_{0};
  std::chrono::milliseconds last_look_{0};
  std::unique_ptr<PartitionOpener> opener_;
  Inquiry<Status> topic_question_;
  std::optional<std::chrono::milliseconds> missing_since_;
  std::chrono::milliseconds last_hole_look_{0};
  // Where one member must have all partitions:
  bool has_part_ = false;                              // another member has the rest
  bool had_all_ = false;                               // and did not lose them: others leave
  std::optional<std::chrono::milliseconds> joins_at_;  // stands by until then
  std::chrono::milliseconds standby_pause_{0};
  std::optional<std::chrono::milliseconds> first_waits_since_;
  std::set<int32_t> fetching_;  // partitions that the client reads, from wherever

  std::atomic<bool> closing_ = false;
  std::mutex mu_;
  std::condition_variable changed_;
  bool probed_ = false;   // guarded by mu_
  Status probe_status_;   // guarded by mu_
  bool leaving_ = false;  // guarded by mu_
  bool left_ = false;     // guarded by mu_
  Status left_status_;    // guarded by mu_
  std::thread thread_;
};

}  // namespace fensi::consumer
