// What became of each line that was sent to Kafka. Thread-safe; Wait blocks.
//
// Always: every line of Sent is told to its listener once, and all lines before first_missing() are written or refused.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "consumer/kafka/tracked_producer.h"

namespace fensi::cli {

class LineLedger {
 public:
  /// `refuse` says that a line is refused and why; any thread.
  using Refuse = std::function<void(int64_t line, const std::string& why)>;
  explicit LineLedger(Refuse refuse) : refuse_(std::move(refuse)) {}

  /// The listener of a line that is about to be sent; the ledger owns it, and forgets it when it was told. Lines come
  /// in order.
  consumer::DeliveryListener* Sent(int64_t line);
  /// A line that is no event, or that Kafka will never take: for its own fault.
  void RefuseLine(int64_t line, const std::string& why);
  /// A line that was not taken for a fault that is not its own.
  void Lose(int64_t line, const Status& why);

  /// Blocks until nothing is on its way, or `timeout` is over; whether nothing is.
  bool Wait(std::chrono::milliseconds timeout);

  int64_t written() const;
  int64_t refused() const;
  /// The first line that is neither written nor refused; the next one when there is none.
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

}  // namespace fensi::cli
