// Owners of librdkafka's C objects, and its errors as Status.
//
// A partition list that is not destroyed makes rd_kafka_destroy hang for ever: no such pointer lives outside these.
#pragma once

#include <librdkafka/rdkafka.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "consumer/kafka/partition_offset.h"

namespace fensi::consumer {

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

/// rd_kafka_destroy without rd_kafka_consumer_close, which waits without limit and runs callbacks: for a consumer that
/// has left its group or never was in one.
void DestroyWithoutFarewell(rd_kafka_t* client);

/// Blocks up to `timeout` and then leaves the rest to a thread of its own: when the topic of a consumer's partition
/// was deleted and created anew, librdkafka 2.0 waits for its own threads without end. All other handles must be gone.
/// Questions that are under way keep the client until they end.
void DestroyWithin(std::shared_ptr<rd_kafka_t> client, std::chrono::milliseconds timeout);

/// For calls that answer with an offset, or need none.
PartitionsHandle WithoutOffsets(const std::string& topic, const std::vector<int32_t>& partitions);
PartitionsHandle MakePartitions(const std::string& topic, const std::vector<PartitionOffset>& offsets);

/// The Status for an error of librdkafka or the broker; `what` says what was tried ("reading topic changes").
Status KafkaStatus(rd_kafka_resp_err_t error, const std::string& what);

/// True for errors that pass by themselves: the broker is away, electing, or slow.
bool IsPassing(rd_kafka_resp_err_t error);

}  // namespace fensi::consumer
