// Owners of librdkafka's C objects, and its errors as Status.
//
// A partition list that is not destroyed makes rd_kafka_destroy hang for ever: only these handles own such pointers.
#pragma once

#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace fensi::consumer {

/// A deadline that several consecutive calls share.
class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds timeout) : end_(std::chrono::steady_clock::now() + timeout) {}

  /// Never below zero.
  std::chrono::milliseconds left() const {
    const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - std::chrono::steady_clock::now());
    return std::max(rest, std::chrono::milliseconds(0));
  }
  bool over() const { return left() == std::chrono::milliseconds(0); }
  /// As librdkafka takes it.
  int left_ms() const { return static_cast<int>(left().count()); }

 private:
  const std::chrono::steady_clock::time_point end_;
};

// A position in a topic, and the two logs of a partition: its stream, and the requests beside it.

/// The two logs that the owner of a partition reads.
enum class Log { kStream, kRequests };

/// One log of a partition.
struct LogId {
  LogId(int32_t of, Log which = Log::kStream) : partition(of), log(which) {}  // NOLINT: a number is the stream's
  int32_t partition = 0;
  Log log = Log::kStream;
  auto operator<=>(const LogId&) const = default;
};

/// A position in a topic.
struct PartitionOffset {
  int32_t partition = 0;
  int64_t offset = 0;
  Log log = Log::kStream;
  LogId id() const { return {partition, log}; }
  bool operator==(const PartitionOffset&) const = default;
};
/// Of this partition; 0: there is none.
inline int64_t OffsetOf(const std::vector<PartitionOffset>& offsets, int32_t partition) {
  const auto is_it = [partition](const PartitionOffset& entry) { return entry.partition == partition; };
  const auto found = std::find_if(offsets.begin(), offsets.end(), is_it);
  return found == offsets.end() ? 0 : found->offset;
}

// Owners of librdkafka's C objects.

template <auto destroy>
struct Destroy {
  template <typename T>
  void operator()(T* object) const {
    destroy(object);
  }
};

using ConfHandle = std::unique_ptr<rd_kafka_conf_t, Destroy<rd_kafka_conf_destroy>>;
using ClientHandle = std::unique_ptr<rd_kafka_t, Destroy<rd_kafka_destroy>>;
using QueueHandle = std::unique_ptr<rd_kafka_queue_t, Destroy<rd_kafka_queue_destroy>>;
using EventHandle = std::unique_ptr<rd_kafka_event_t, Destroy<rd_kafka_event_destroy>>;
using TopicHandle = std::unique_ptr<rd_kafka_topic_t, Destroy<rd_kafka_topic_destroy>>;
using MessageHandle = std::unique_ptr<rd_kafka_message_t, Destroy<rd_kafka_message_destroy>>;
using ErrorHandle = std::unique_ptr<rd_kafka_error_t, Destroy<rd_kafka_error_destroy>>;
using PartitionsHandle =
    std::unique_ptr<rd_kafka_topic_partition_list_t, Destroy<rd_kafka_topic_partition_list_destroy>>;
using MetadataHandle = std::unique_ptr<const rd_kafka_metadata_t, Destroy<rd_kafka_metadata_destroy>>;
using AdminOptionsHandle = std::unique_ptr<rd_kafka_AdminOptions_t, Destroy<rd_kafka_AdminOptions_destroy>>;

/// Calls rd_kafka_destroy without rd_kafka_consumer_close, which waits without limit and runs callbacks: for a consumer
/// that has left its group or never was in one.
void DestroyWithoutLeavingGroup(rd_kafka_t* client);

/// Blocks up to `timeout` and then leaves the rest to a thread of its own: if the topic of a consumer's partition was
/// deleted and created again, librdkafka 2.0 waits for its own threads without end. All other handles must be gone.
/// Requests in flight keep the client until they end.
void DestroyWithin(std::shared_ptr<rd_kafka_t> client, std::chrono::milliseconds timeout);

/// For calls that answer with an offset, or need none.
PartitionsHandle WithoutOffsets(const std::string& topic, const std::vector<int32_t>& partitions);
PartitionsHandle MakePartitions(const std::string& topic, const std::vector<PartitionOffset>& offsets);

/// The Status for an error of librdkafka or the broker; `what` says what was tried ("reading topic changes").
Status KafkaStatus(rd_kafka_resp_err_t error, const std::string& what);
/// Adds what a person can do about a broker that does not answer; every error but kUnavailable stays as it is.
Status WithBrokerAction(const Status& call);

/// True for temporary errors: the broker is unreachable, electing, or slow.
bool IsTransient(rd_kafka_resp_err_t error);

// One request of librdkafka's admin interface.

/// Used once: `options` and `queue` go into the rd_kafka_… request, Wait blocks for its result. Not thread-safe.
class AdminCall {
 public:
  AdminCall(rd_kafka_t* client, rd_kafka_admin_op_t operation, std::chrono::milliseconds timeout)
      : timeout_(timeout), options_(rd_kafka_AdminOptions_new(client, operation)), queue_(rd_kafka_queue_new(client)) {
    char error[256];
    rd_kafka_AdminOptions_set_request_timeout(options_.get(), static_cast<int>(timeout.count()), error, sizeof error);
  }

  /// Sends the request to this broker. Otherwise it waits for the controller, which not every cluster names.
  void SendTo(int32_t broker) { rd_kafka_AdminOptions_set_broker(options_.get(), broker, nullptr, 0); }

  rd_kafka_AdminOptions_t* options() const { return options_.get(); }
  rd_kafka_queue_t* queue() const { return queue_.get(); }

  /// Waits for the result; an error of the request as a whole becomes a Status that starts with `what`.
  Result<EventHandle> Wait(const std::string& what) {
    EventHandle event(rd_kafka_queue_poll(queue_.get(), static_cast<int>((timeout_ + kGrace).count())));
    if (event == nullptr) return KafkaStatus(RD_KAFKA_RESP_ERR__TIMED_OUT, what);
    error_ = rd_kafka_event_error(event.get());
    if (error_ != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaStatus(error_, what);
    return event;
  }
  rd_kafka_resp_err_t error() const { return error_; }

 private:
  /// Extra time in which the client reports a timeout itself, with more detail than we have.
  static constexpr std::chrono::milliseconds kGrace{300};

  const std::chrono::milliseconds timeout_;
  const AdminOptionsHandle options_;
  const QueueHandle queue_;
  rd_kafka_resp_err_t error_ = RD_KAFKA_RESP_ERR_NO_ERROR;
};

}  // namespace fensi::consumer
