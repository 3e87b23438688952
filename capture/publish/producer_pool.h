// The producer that calls are written with: a new one in place of one that has broken, and no old one longer than its
// last message is under way.
//
// Thread-safe. Get may block for the end of an old producer's thread.
#pragma once

#include <atomic>
#include <chrono>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"
#include "capture/notices.h"
#include "consumer/kafka/tracked_producer.h"

namespace fensi::capture {

class ProducerPool {
  struct Member {
    std::unique_ptr<consumer::TrackedProducer> producer;
    std::atomic<int> writers = 0;
  };

 public:
  /// A right to send by a producer; given back on the writer's own thread. What was sent is told of later.
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

  /// kUnavailable shortly after a producer has broken: a broker that refuses each new one is not flooded with them.
  Result<Lease> Get();
  /// Gives up what is not delivered. No Get afterwards.
  void Clear();
  /// Producers that are alive, broken ones among them.
  size_t size() const;
  /// Messages of all of them that are neither acknowledged nor given up.
  int64_t unacknowledged() const;

 private:
  std::list<std::unique_ptr<Member>> TakeFinished() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const consumer::TrackedProducerOptions options_;
  const Notices notices_;
  Clock* const clock_;

  mutable Mutex mu_;
  std::list<std::unique_ptr<Member>> members_ ABSL_GUARDED_BY(mu_);  // all have broken but the last
  std::chrono::milliseconds next_try_ ABSL_GUARDED_BY(mu_){0};
  std::string reason_ ABSL_GUARDED_BY(mu_);                    // why the one before the last broke
  consumer::DeliveredOffsets delivered_ ABSL_GUARDED_BY(mu_);  // what the last broken one knew, for its successor
};

}  // namespace fensi::capture
