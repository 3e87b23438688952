// Tracks the result of each line that was sent to Kafka. Thread-safe; Wait blocks.
//
// Invariant: the listener of every line of Sent is called once, and all lines before first_missing() are written or
// refused.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "consumer/kafka/producer/tracked_producer.h"

namespace fensi::operations {

class LineLedger {
 public:
  /// `refuse` reports a refused line and the reason; any thread.
  using Refuse = std::function<void(int64_t line, const std::string& why)>;
  explicit LineLedger(Refuse refuse) : refuse_(std::move(refuse)) {}

  /// The listener of the next line to be sent; the ledger owns it, and removes it after its call. Lines come in order.
  consumer::DeliveryListener* Sent(int64_t line);
  /// A line that is no event, or that Kafka will never accept, by its own fault.
  void RefuseLine(int64_t line, const std::string& why);
  /// A line that was not accepted for another reason.
  void Lose(int64_t line, const Status& why);

  /// Blocks until nothing is in flight, or `timeout` is over; returns whether nothing is.
  bool Wait(std::chrono::milliseconds timeout);

  int64_t written() const;
  int64_t refused() const;
  /// The first line that is neither written nor refused; the next one if there is none.
  int64_t first_missing() const;
  /// Why lines are lost; ok: none is.
  Status failure() const;

 private:
  class Listener;
  void Tell(int64_t line, const Status& status);

  const Refuse refuse_;
  mutable Mutex mu_;
  Condition changed_;
  std::map<int64_t, std::unique_ptr<consumer::DeliveryListener>> on_their_way_ ABSL_GUARDED_BY(mu_);
  int64_t next_ ABSL_GUARDED_BY(mu_) = 1;
  int64_t first_lost_ ABSL_GUARDED_BY(mu_) = 0;  // 0: none
  int64_t written_ ABSL_GUARDED_BY(mu_) = 0;
  int64_t refused_ ABSL_GUARDED_BY(mu_) = 0;
  Status failure_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::operations
