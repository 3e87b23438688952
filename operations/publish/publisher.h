// Sends the events of lines to a topic, and reports the rate every 10 s and at the end. One thread, except for Stop,
// which any thread may call and which returns at once.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "consumer/codec/json_decoder.h"
#include "operations/publish/line_ledger.h"

namespace fensi::operations {

class Publisher {
 public:
  /// `max_bytes`: limit of the topic.
  Publisher(std::unique_ptr<consumer::TrackedProducer> producer, std::string topic, int64_t max_bytes);

  /// Blocks while the queue is full. kCancelled: stopped.
  Status Take(int64_t line, const Result<consumer::JsonMessage>& message);
  /// Accepts no further line.
  void Stop() { stopped_ = true; }

  /// Blocks until everything that was sent is written or has failed, or `enough` returns true.
  void Finish(const std::function<bool()>& enough);
  /// Reports the progress as one message.
  void Report();
  /// Why not everything was written, and where to continue; ok if everything was written or refused.
  Status Rest() const;
  int64_t refused() const { return ledger_.refused(); }

 private:
  bool wanted() const { return !stopped_ && ledger_.failure().ok(); }
  void Send(int64_t line, const consumer::JsonMessage& message);

  const std::string topic_;
  const int64_t max_bytes_;
  const std::chrono::milliseconds start_;
  std::chrono::milliseconds next_report_;
  std::atomic<bool> stopped_ = false;
  LineLedger ledger_;
  const std::unique_ptr<consumer::TrackedProducer> producer_;  // calls the ledger until its end
  const consumer::TrackedProducer::Topic handle_;
};

}  // namespace fensi::operations
