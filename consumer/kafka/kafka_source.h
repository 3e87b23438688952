// A Kafka topic as a change source: one consumer group, one poll thread, any number of workers. A topic of requests may
// stand beside it: its partition p is read by who has the stream's partition p, by that right. Its commits say only
// that the log is still the same one (LogIdentity).
//
// Nothing is committed or reset behind the workers' back: positions come from Begin, commits from Done. Bounded: what
// is fetched ahead, queued and in hand stays below max_queued_bytes. Batches are decoded on the thread that calls Next.
// A broker that is away ends nothing; progress().trouble says so. What ends it (see End.status):
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
#include "consumer/kafka/client_config.h"
#include "consumer/kafka/group/partition_queues.h"
#include "consumer/kafka/group_state.h"

namespace fensi::consumer {

class PollLoop;
class Lease;

struct KafkaSourceOptions {
  KafkaCluster cluster;
  std::string topic;
  std::string requests_topic;  // read where it exists when a partition is opened; empty: none
  std::string group;
  std::string instance;  // a name in the group that outlives this process (KIP-345); empty: none
  Format format = Format::kChangeEvent;
  bool until_end = false;  // End when every partition assigned here has reached the end it had when it was opened
  size_t max_batch_records = 5000;
  size_t max_batch_bytes = 1 << 20;
  size_t max_queued_bytes = 64 << 20;  // half of it before, half behind the client's own queue
  std::chrono::milliseconds session_timeout{45000};
  /// How long before the session timeout the right to a partition ends without a poll or an answer of the group's
  /// coordinator: what a store call that was sent may still need.
  std::chrono::milliseconds fence_margin{15000};
  std::chrono::milliseconds commit_interval{1000};
  Clock* clock = SystemClock();
};

class KafkaSource final : public ChangeSource {
 public:
  /// kInvalidArgument for bad options. Does not wait for a broker.
  static Result<std::unique_ptr<KafkaSource>> Create(const KafkaSourceOptions& options);
  /// Closes if nobody has; may block for some seconds when the broker is away.
  ~KafkaSource() override;

  /// Blocks until a broker has answered and the topic was checked. kUnavailable names the brokers; otherwise what Next
  /// would end with.
  Status WaitReachable(std::chrono::milliseconds timeout);
  /// A topic that is not partitioned by row gives one batch at a time: more workers are of no use.
  bool one_worker() const { return NeedsOneWorker(options_.format); }

  Work Next() override;
  Status Begin(const std::shared_ptr<Assignment>& assignment, int64_t offset) override;
  Status BeginRequests(const std::shared_ptr<Assignment>& assignment, RequestsStart start) override;
  void Done(const Batch& batch) override;
  void Done(const RequestBatch& batch) override;
  Status Confirm() override;
  void Abandon(const std::shared_ptr<Assignment>& assignment) override;
  void SetPaused(bool paused) override;
  void Stop() override;
  /// Blocks up to 5 s. kUnavailable: not everything that is done could be committed, it will come again.
  Status Close() override;
  Progress progress() const override;
  StreamState state() const override;

  GroupState group() const;

  /// Bytes queued and in hand (not what the client has fetched ahead).
  size_t held_bytes() const;

 private:
  explicit KafkaSource(const KafkaSourceOptions& options);
  Status Start();
  Batch Decode(const PartitionQueues::RawBatch& raw) const;
  static RequestBatch DecodeRequests(const PartitionQueues::RawBatch& raw);

  const KafkaSourceOptions options_;
  const std::shared_ptr<Lease> lease_;
  const std::unique_ptr<PartitionQueues> queues_;
  const std::unique_ptr<PollLoop> loop_;  // goes first: its thread uses the others
};

}  // namespace fensi::consumer
