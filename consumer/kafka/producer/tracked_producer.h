// A producer that reports the delivery of every message, for callers that may acknowledge something only when Kafka has
// it.
//
// Thread-safe. Send copies; it blocks while the bounded queue is full. Messages of one thread to one partition keep
// their order. Owns a thread that calls the listeners (Send may call them too).
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "base/mutex.h"
#include "consumer/kafka/client/refusal.h"
#include "consumer/kafka/producer/producer_config.h"

namespace fensi::consumer {

/// Called once for each message that Send accepted. Must live until then; any thread; must return at once and not call
/// the producer.
class DeliveryListener {
 public:
  virtual ~DeliveryListener() = default;
  /// Ok: all replicas have the message. If it throws for lack of memory it is called once more, with a status that
  /// needs no memory.
  virtual void Delivered(const Status& status) = 0;
};

/// By topic and partition: the newest acknowledged offset of a message.
using DeliveredOffsets = std::map<std::string, std::map<int32_t, int64_t>, std::less<>>;

/// A message has a lower offset than one that the same partition acknowledged earlier. A log only grows: the topic was
/// deleted and created again, or its log was cut, and acknowledged messages are gone from it.
struct LostLog {
  std::string topic;
  int32_t partition = 0;
  int64_t before = 0;  // offset of the earlier message
  int64_t now = 0;
};
/// "topic t partition 0: offset 5 follows offset 100. …", without a remedy.
std::string LostLogText(const LostLog& lost);

struct TrackedProducerOptions {
  EventProducerOptions producer;
  size_t max_message_bytes = 1'000'000;  // key, value and overhead
  std::string compression = "lz4";       // unless --kafka_property sets another
  DeliveredOffsets delivered = {};       // offsets of the producer before this one
  /// Called if an acknowledged message shows a lost log, once for each partition and time; any thread, must return at
  /// once.
  std::function<void(const LostLog&)> lost_log = [](const LostLog&) {};
};

/// Created at the start of the process, because without memory it cannot be created.
inline const Status kOutOfMemory(StatusCode::kUnavailable,
                                 "fensi is out of memory. If this lasts, give the process more memory");
inline Status OutOfMemory() { return kOutOfMemory; }

class TrackedProducer {
 public:
  /// A topic by its handle, which the producer owns.
  using Topic = rd_kafka_topic_t*;

  static Result<std::unique_ptr<TrackedProducer>> Create(const TrackedProducerOptions& options);
  /// Abandons messages that are not delivered yet; their listeners are called.
  ~TrackedProducer();

  /// The topic must exist: a producer's own metadata request may create it. Keep the handle, it is the same each time.
  Topic OpenTopic(const std::string& name);
  /// Waits while the queue is full, and calls `go_on` from time to time. kCancelled: `go_on` said no. kRejected: the
  /// message is too large. After an error the listener is not called.
  Status Send(Topic topic, std::string_view key, std::string_view value, DeliveryListener* listener,
              const std::function<bool()>& go_on);

  /// Sends a message without key to one partition. Never waits: kUnavailable if the queue is full.
  static Status SendTo(Topic topic, int32_t partition, std::string_view value, DeliveryListener* listener);

  /// True once the client can no longer keep its guarantees; a new producer is needed.
  bool broken() const { return rd_kafka_fatal_error(client_.get(), nullptr, 0) != RD_KAFKA_RESP_ERR_NO_ERROR; }
  /// Why it is broken; empty if it is not.
  std::string fatal() const;
  /// Acts as if the client had lost a message's order.
  void BreakForTest() {
    rd_kafka_test_fatal_error(client_.get(), RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER, "test");
  }
  /// Acts as if a message at this offset had been acknowledged.
  void DeliveredForTest(const std::string& topic, int32_t partition, int64_t offset) {
    const MutexLock lock(mu_);
    delivered_[topic][partition] = offset;
  }
  /// Why brokers refuse the connection, if they have for that long and nothing was delivered since; see Refusal.
  Status Refused(std::chrono::milliseconds timeout) const { return refusal_.DurationRefused(timeout); }
  int64_t unacknowledged() const { return rd_kafka_outq_len(client_.get()); }
  DeliveredOffsets delivered() const {
    const MutexLock lock(mu_);
    return delivered_;
  }

 private:
  explicit TrackedProducer(const TrackedProducerOptions& options) : options_(options), delivered_(options.delivered) {}
  Status Start();
  void Tell(const rd_kafka_message_t& message);
  void NoteOffset(const rd_kafka_message_t& message);

  const TrackedProducerOptions options_;
  Refusal refusal_;  // outlives the client
  ClientHandle client_;
  mutable Mutex mu_;
  std::map<std::string, TopicHandle> topics_ ABSL_GUARDED_BY(mu_);
  DeliveredOffsets delivered_ ABSL_GUARDED_BY(mu_);
  std::atomic<bool> stopping_ = false;
  std::thread poller_;
};

}  // namespace fensi::consumer
