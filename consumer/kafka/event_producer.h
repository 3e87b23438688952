// Writes to topics so that the rows keep their order: idempotent, acknowledged by all replicas, partitioned by murmur2
// of the key as Java does.
//
// Thread-safe. Send copies; it blocks while the bounded queue is full. No topic is ever created by a Send. An error of
// a message that was taken is told by the next Send or Flush, once, with its topic.
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

  /// `go_on` is asked several times a second while a call waits for brokers, and its error ends the call. Null: the
  /// timeouts alone do.
  static Result<std::unique_ptr<EventProducer>> Create(const EventProducerOptions& options, GoOn go_on = nullptr);
  /// What was not flushed may be lost.
  ~EventProducer();

  /// kNotFound: no such topic. kUnavailable: no broker, or the queue did not move for the delivery timeout.
  Status Send(const std::string& topic, std::string_view key, std::string_view value);
  /// Key = row.
  Status SendEvent(const std::string& topic, const ChangeEvent& event);
  /// Blocks until everything sent before is acknowledged or has failed.
  Status Flush();
  /// Messages that were taken and are not acknowledged yet.
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
  Status failure_ ABSL_GUARDED_BY(mu_);  // the first not yet told
  int64_t failures_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace fensi::consumer
