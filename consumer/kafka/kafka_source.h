// A Kafka topic as a change source: one consumer group, one poll thread, any number of workers. A topic of requests may
// be beside it: the owner of the stream's partition p reads its partition p, by the same right. Its commits only prove
// that the log is still the same (LogIdentity).
//
// Positions come from Begin and commits from Done only; nothing is committed or reset besides. Bounded: what is fetched
// ahead, queued and in flight stays below max_queued_bytes. Batches are decoded on the thread that calls Next. An
// unreachable broker ends nothing; progress().trouble reports it. What ends it (see End.status):
//   kNotFound       the topic does not exist         kConfiguration  compacted, or a second reader where one must do,
//                                                                    or requests in other partitions than the stream
//   kGap            the next offset is gone          kPermission     the broker refuses us
//   kFenced         another member has our name      kInternal       the client ended for another reason
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/clock.h"
#include "consumer/change_source.h"
#include "consumer/codec/event_decoder.h"
#include "consumer/kafka/client/client_config.h"
#include "consumer/kafka/client/group_admin.h"
#include "consumer/kafka/group/partition_queues.h"

namespace fensi::consumer {

class PollLoop;
class Lease;

struct KafkaSourceOptions {
  KafkaCluster cluster;
  std::string topic;
  std::string requests_topic;  // read if it exists when a partition is opened; empty: none
  std::string group;
  std::string instance;  // a name in the group that outlives this process (KIP-345); empty: none
  Format format = Format::kChangeEvent;
  bool until_end = false;  // End when every assigned partition has reached the end it had at its opening
  size_t max_batch_records = 5000;
  size_t max_batch_bytes = 1 << 20;
  size_t max_queued_bytes = 64 << 20;  // half of it before, half after the client's own queue
  std::chrono::milliseconds session_timeout{45000};
  /// How long before the session timeout the right to a partition ends without a poll or an answer of the group's
  /// coordinator: the time that a sent store call may still need.
  std::chrono::milliseconds fence_margin{15000};
  std::chrono::milliseconds commit_interval{1000};
  Clock* clock = SystemClock();
};

class KafkaSource final : public ChangeSource {
 public:
  /// kInvalidArgument for bad options. Does not wait for a broker.
  static Result<std::unique_ptr<KafkaSource>> Create(const KafkaSourceOptions& options);
  /// Closes if Close was not called; may block for some seconds if no broker answers.
  ~KafkaSource() override;

  /// Blocks until a broker has answered and the topic was checked. kUnavailable names the brokers; otherwise the error
  /// with which Next would end.
  Status WaitReachable(std::chrono::milliseconds timeout);

  Work Next() override;
  Status Begin(const std::shared_ptr<Assignment>& assignment, int64_t offset) override;
  Status BeginRequests(const std::shared_ptr<Assignment>& assignment, RequestPosition start) override;
  void Done(const Batch& batch) override;
  void Done(const RequestBatch& batch) override;
  Status Confirm() override;
  void Abandon(const std::shared_ptr<Assignment>& assignment) override;
  void SetPaused(bool paused) override;
  void Stop() override;
  /// Blocks up to 5 s. kUnavailable: not all finished work could be committed; it comes again.
  Status Close() override;
  Progress progress() const override;
  StreamState state() const override;

  GroupState group() const;

  /// Bytes queued and in flight (without what the client has fetched ahead).
  size_t held_bytes() const;

 private:
  explicit KafkaSource(const KafkaSourceOptions& options);
  Status Start();
  Batch Decode(const PartitionQueues::RawBatch& raw) const;
  static RequestBatch DecodeRequests(const PartitionQueues::RawBatch& raw);

  const KafkaSourceOptions options_;
  const std::shared_ptr<Lease> lease_;
  const std::unique_ptr<PartitionQueues> queues_;
  const std::unique_ptr<PollLoop> loop_;  // destroyed first: its thread uses the others
};

}  // namespace fensi::consumer
