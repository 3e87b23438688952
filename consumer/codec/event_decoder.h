// From a message of a topic to a change event, for every format a topic may have.
#pragma once

#include <optional>
#include <string_view>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/codec/event_codec.h"

namespace fensi::consumer {

enum class Format {
  kChangeEvent,      // proto::ChangeEvent, key = row
  kHBaseKafkaProxy,  // Avro records of the Apache HBase Kafka proxy; the key is not the row
};

/// The format that people call so (`event`, `hbase_kafka_proxy`), if one is.
std::optional<Format> FormatNamed(std::string_view name);

/// True when the topic's partitions do not follow the row, so that all of them need one worker.
inline bool NeedsOneWorker(Format format) { return format == Format::kHBaseKafkaProxy; }

/// One decoder per thread. Never blocks.
class EventDecoder {
 public:
  explicit EventDecoder(Format format) : format_(format) {}

  /// Fills `event`, or empties it and says why (kInvalidArgument). A key that is not the row is refused where the
  /// format promises it: the row's changes would be spread over partitions, that is over several writers.
  Status Decode(std::string_view key, std::string_view value, ChangeEvent* event);
  /// Which part of a mutation the event decoded last is.
  EventPart part() const { return format_ == Format::kChangeEvent ? codec_.part() : EventPart(); }

 private:
  const Format format_;
  EventCodec codec_;
};

}  // namespace fensi::consumer
