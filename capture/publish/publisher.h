// Writes the WAL entries of calls to Kafka, and answers a call when Kafka has all of it durably.
//
// Owns worker threads and the producer. Handle returns at once and may be called from any thread; memory is that of the
// calls, which the server bounds, and of the producer's bounded queue. A call is written by one worker, so its entries
// keep their order.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"
#include "capture/column_set.h"
#include "capture/notices.h"
#include "capture/publish/counts.h"
#include "capture/rpc/call.h"
#include "capture/wal/call_markers.h"
#include "capture/wal/wal_batch.h"
#include "consumer/kafka/producer/tracked_producer.h"

namespace fensi::capture {

/// Provides the producer for calls: replaces a broken producer, and keeps an old one until its last message is settled.
///
/// Thread-safe. Get may block for the end of an old producer's thread.
class ProducerPool {
  struct Member {
    std::unique_ptr<consumer::TrackedProducer> producer;
    std::atomic<int> writers = 0;
  };

 public:
  /// A right to send through a producer; released on the writer's own thread. Deliveries are reported later.
  class Lease {
   public:
    explicit Lease(Member* member) : member_(member) { ++member_->writers; }
    ~Lease() {
      if (member_ != nullptr) --member_->writers;
    }
    Lease(Lease&& other) noexcept : member_(std::exchange(other.member_, nullptr)) {}
    Lease& operator=(Lease&&) = delete;
    consumer::TrackedProducer* operator->() const { return member_->producer.get(); }
    consumer::TrackedProducer* get() const { return member_->producer.get(); }

   private:
    Member* member_;
  };

  ProducerPool(const consumer::TrackedProducerOptions& options, Notices notices, Clock* clock)
      : options_(options), notices_(std::move(notices)), clock_(clock) {}

  /// kUnavailable shortly after a producer has broken, so that a broker that refuses each new one is not flooded.
  Result<Lease> Get();
  /// Abandons undelivered messages. No Get afterwards.
  void Clear();
  /// Live producers, including broken ones.
  size_t size() const;
  /// Messages of all producers that are neither acknowledged nor abandoned.
  int64_t unacknowledged() const;

 private:
  std::list<std::unique_ptr<Member>> TakeFinished() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const consumer::TrackedProducerOptions options_;
  const Notices notices_;
  Clock* const clock_;

  mutable Mutex mu_;
  std::list<std::unique_ptr<Member>> members_ ABSL_GUARDED_BY(mu_);  // all but the last are broken
  std::chrono::milliseconds next_try_ ABSL_GUARDED_BY(mu_){0};
  std::string reason_ ABSL_GUARDED_BY(mu_);                    // why the one before the last broke
  consumer::DeliveredOffsets delivered_ ABSL_GUARDED_BY(mu_);  // of the last broken one, for its successor
};

// Answers a call after the delivery report of its last message: with success only if all of them are durable.

/// Owns itself until all expected deliveries and `Finish` were counted down. Thread-safe.
class CallDelivery final : public consumer::DeliveryListener {
 public:
  /// `end` is called once, on the thread that ends it; it must not throw.
  using End = std::function<void(const Status&)>;
  static CallDelivery* Begin(End end) {
    auto delivery = std::shared_ptr<CallDelivery>(new CallDelivery(std::move(end)));
    delivery->self_ = delivery;
    return delivery.get();
  }

  /// Call before each Send.
  void Expect() { ++open_; }
  /// Call also for a Send that failed. Needs no memory.
  void Delivered(const Status& status) override {
    if (!status.ok()) Fail(status);
    if (--open_ > 0) return;
    const auto self = std::move(self_);
    end_(Outcome());  // no other thread can fail it any more
  }
  /// True if nothing that was sent waits for its report. On the sending thread.
  bool AllDelivered() const { return open_ == 1; }
  /// Nothing more will be sent. The object may be destroyed afterwards.
  void Finish(const Status& status) { Delivered(status); }

 private:
  explicit CallDelivery(End end) : end_(std::move(end)) {}
  void Fail(const Status& status) {
    const MutexLock lock(mu_);
    if (failure_.ok()) failure_ = status;
  }
  Status Outcome() {
    const MutexLock lock(mu_);
    return std::move(failure_);
  }

  const End end_;
  std::shared_ptr<CallDelivery> self_;
  std::atomic<int64_t> open_ = 1;
  Mutex mu_;
  Status failure_ ABSL_GUARDED_BY(mu_);  // first one
};

// Writes the WAL entries of calls to Kafka.

struct PublisherOptions {
  consumer::TrackedProducerOptions kafka;
  std::map<std::string, std::string, std::less<>> topics;  // table -> its topic, which must exist
  std::string dead_letter_topic;                           // must exist
  ColumnSet may_be_large = {};                             // a cell of these that is too large is no alarm
  /// Checks that this is the cluster whose edits are captured. On an error nothing of the call is acknowledged. May
  /// block.
  std::function<Status(const ClusterUuid&)> check_source = [](const ClusterUuid&) { return Status(); };
  /// True if this table was captured once, so that its edits are missed now.
  std::function<bool(std::string_view)> was_captured = [](std::string_view) { return false; };
  /// Gets the replication markers of each call that is durable, also if it had none. Returns at once; any thread.
  std::function<void(const CallMarkers&)> take_markers = [](const CallMarkers&) {};
  size_t workers = 2;
  /// How long connections to Kafka may be refused (a password, a certificate) before it is an alarm.
  std::chrono::milliseconds refusal_timeout{30'000};
};

class Publisher final : public CallHandler {
 public:
  /// Does not wait for a broker. kInvalidArgument for bad Kafka properties.
  static Result<std::unique_ptr<Publisher>> Create(const PublisherOptions& options, Notices notices, Clock* clock);
  /// Stops, if Stop was not called.
  ~Publisher() override;

  void Handle(std::shared_ptr<Call> call) override;
  /// Blocks until no call is in flight; abandons what Kafka has not acknowledged. Call it after the server's Stop,
  /// which ends the calls. Once; no Handle afterwards.
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
