// Writes events to topics so that rows keep their order: idempotent, acknowledged by all replicas, partitioned by
// murmur2 of the key as Java does.
//
// Thread-safe. Send copies; it blocks while the bounded queue is full. Send never creates a topic. The next Send or
// Flush returns the error of an accepted message, once, with its topic.
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/cell.h"
#include "base/mutex.h"
#include "consumer/kafka/producer/producer_config.h"

namespace fensi::consumer {

class EventProducer {
 public:
  using GoOn = std::function<Status()>;

  /// `go_on` is called several times a second while a call waits for brokers, and its error ends the call. Null: only
  /// the timeouts do.
  static Result<std::unique_ptr<EventProducer>> Create(const EventProducerOptions& options, GoOn go_on = nullptr);
  /// Messages that were not flushed may be lost.
  ~EventProducer();

  /// kNotFound: no such topic. kUnavailable: no broker, or the queue did not move for the delivery timeout.
  Status Send(const std::string& topic, std::string_view key, std::string_view value);
  /// Key = row.
  Status SendEvent(const std::string& topic, const ChangeEvent& event);
  /// Blocks until everything sent before is acknowledged or has failed.
  Status Flush();
  /// Messages that were accepted and are not acknowledged yet.
  int64_t unacknowledged() const;

 private:
  EventProducer(const EventProducerOptions& options, GoOn go_on) : options_(options), go_on_(std::move(go_on)) {}
  Status Start();
  Status CheckTopic(const std::string& topic);
  void OnDelivery(const rd_kafka_message_t& message);
  Status TakeFailure();
  Status MayGoOn() const { return go_on_ ? go_on_() : Status(); }

  const EventProducerOptions options_;
  const GoOn go_on_;
  ClientHandle client_;
  Mutex mu_;
  std::set<std::string> known_topics_ ABSL_GUARDED_BY(mu_);
  Status failure_ ABSL_GUARDED_BY(mu_);  // first one that was not returned yet
  int64_t failures_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace fensi::consumer
