// Answers a call when the last of its messages is told of: with success only if all of them are durable.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <new>
#include <utility>

#include "base/mutex.h"
#include "consumer/kafka/tracked_producer.h"

namespace fensi::capture {

/// Holds itself alive from Begin until the end. The sender counts as one message, so that the end cannot come before
/// Finish. Thread-safe.
class CallDelivery final : public consumer::DeliveryListener {
 public:
  /// `end` is called once, on the thread that ends it; it does not throw.
  using End = std::function<void(const Status&)>;
  static CallDelivery* Begin(End end) {
    auto delivery = std::shared_ptr<CallDelivery>(new CallDelivery(std::move(end)));
    delivery->self_ = delivery;
    return delivery.get();
  }

  /// Before each Send.
  void Expect() { ++open_; }
  /// Also for a Send that failed. Needs no memory.
  void Delivered(const Status& status) override {
    if (!status.ok()) Fail(status);
    if (--open_ > 0) return;
    const auto self = std::move(self_);
    end_(Outcome());  // nobody fails it any more
  }
  /// Nothing more will be sent. The object may be gone afterwards.
  void Finish(const Status& status) { Delivered(status); }

 private:
  explicit CallDelivery(End end) : end_(std::move(end)) {}
  void Fail(const Status& status) {
    const MutexLock lock(mu_);
    if (!failure_.ok()) return;
    try {
      failure_ = status;
    } catch (const std::bad_alloc&) {
      failure_ = consumer::OutOfMemory();
    }
  }
  Status Outcome() {
    const MutexLock lock(mu_);
    return std::move(failure_);
  }

  const End end_;
  std::shared_ptr<CallDelivery> self_;
  std::atomic<int64_t> open_ = 1;
  Mutex mu_;
  Status failure_ ABSL_GUARDED_BY(mu_);  // the first
};

}  // namespace fensi::capture
