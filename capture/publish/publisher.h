// Writes the WAL entries of calls to Kafka, and answers a call when Kafka has all of it durably.
//
// Owns worker threads and the producer. Handle returns at once and may be called from any thread; the bytes in hand are
// those of the calls, which the server bounds, and the producer's bounded queue. A call is written by one worker, so
// that its entries keep their order.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "capture/column_set.h"
#include "capture/notices.h"
#include "capture/publish/counts.h"
#include "capture/rpc/call.h"
#include "capture/wal/call_markers.h"
#include "capture/wal/wal_batch.h"
#include "consumer/kafka/tracked_producer.h"

namespace fensi::capture {

struct PublisherOptions {
  consumer::TrackedProducerOptions kafka;
  std::map<std::string, std::string, std::less<>> topics;  // table -> its topic, which must exist
  std::string dead_letter_topic;                           // must exist
  ColumnSet may_be_large = {};                             // a cell of these that does not fit is no alarm
  /// Is this the cluster whose edits are captured? Otherwise nothing of the call is acknowledged. May block.
  std::function<Status(const ClusterUuid&)> check_source = [](const ClusterUuid&) { return Status(); };
  /// Was this table captured once, so that its edits are missed now?
  std::function<bool(std::string_view)> was_captured = [](std::string_view) { return false; };
  /// Told of the replication markers of each call that is durable, also where it had none. Returns at once; any thread.
  std::function<void(const CallMarkers&)> take_markers = [](const CallMarkers&) {};
  size_t workers = 2;
  /// Of connections to Kafka that are refused (a password, a certificate), before it is an alarm.
  std::chrono::milliseconds refusal_timeout{30'000};
};

class Publisher final : public CallHandler {
 public:
  /// Does not wait for a broker. kInvalidArgument for bad Kafka properties.
  static Result<std::unique_ptr<Publisher>> Create(const PublisherOptions& options, Notices notices, Clock* clock);
  /// Stop, if nobody has.
  ~Publisher() override;

  void Handle(std::shared_ptr<Call> call) override;
  /// Blocks until no call is in hand; what Kafka has not acknowledged is given up. To be called behind the server's
  /// Stop, which ends the calls. Once; no Handle afterwards.
  void Stop();

  Counts counts() const;
  const Timings& timings() const;
  /// Messages that Kafka has not acknowledged yet.
  int64_t unacknowledged() const;

 private:
  class Impl;
  explicit Publisher(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace fensi::capture
