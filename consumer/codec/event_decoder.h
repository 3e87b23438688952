// Decodes a message of a topic to a change event, for every format a topic may have.
#pragma once

#include <optional>
#include <string_view>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/codec/event_codec.h"

namespace fensi::consumer {

// Decodes events of the Apache HBase Kafka proxy: one Avro record a cell, without a schema before it.
//
//   HBaseKafkaEvent { bytes key; long timestamp; boolean delete; bytes value; bytes qualifier; bytes family;
//                     bytes table }
// The proxy's message key is not the row: such a topic is not partitioned by row and must be consumed by one worker.
// The format has neither the kind of a delete (kUnknownDelete) nor HBase's sequence id (0).

/// Fills `event`, which is undefined after an error. kInvalidArgument names the field and the byte.
Status DecodeAvroEvent(std::string_view value, ChangeEvent* event);

// The formats of events in a topic, and their decoder.

enum class Format {
  kChangeEvent,      // proto::ChangeEvent, key = row
  kHBaseKafkaProxy,  // Avro records of the Apache HBase Kafka proxy; the key is not the row
};

/// The format of this name (`event`, `hbase_kafka_proxy`); absent: none.
std::optional<Format> FormatNamed(std::string_view name);

/// True if the topic's partitions do not follow the row, so that one worker must read all of them.
inline bool NeedsOneWorker(Format format) { return format == Format::kHBaseKafkaProxy; }

/// One decoder per thread. Never blocks.
class EventDecoder {
 public:
  explicit EventDecoder(Format format) : format_(format) {}

  /// Fills `event`, or empties it and says why (kInvalidArgument). If the format's key is the row, any other key is
  /// refused: the row's changes would be spread over partitions, and so over several writers.
  Status Decode(std::string_view key, std::string_view value, ChangeEvent* event);
  /// The part of a mutation that the event decoded last has.
  EventPart part() const { return format_ == Format::kChangeEvent ? codec_.part() : EventPart(); }

 private:
  const Format format_;
  EventCodec codec_;
};

}  // namespace fensi::consumer
