#include "consumer/codec/event_decoder.h"

#include "consumer/codec/avro_decoder.h"
#include "consumer/codec/message.h"

namespace fensi::consumer {

std::optional<Format> FormatNamed(std::string_view name) {
  if (name == "event") return Format::kChangeEvent;
  if (name == "hbase_kafka_proxy") return Format::kHBaseKafkaProxy;
  return std::nullopt;
}

Status EventDecoder::Decode(std::string_view key, std::string_view value, ChangeEvent* event) {
  if (value.empty()) {
    *event = ChangeEvent();
    return InvalidArgument(
        "the message has no value: a tombstone, as programs write into compacted topics. A change stream has none; let "
        "only 'fensi capture' or 'fensi publish' write to it");
  }
  Status status = format_ == Format::kHBaseKafkaProxy ? DecodeAvroEvent(value, event) : codec_.Decode(value, event);
  if (status.ok() && format_ == Format::kChangeEvent) {
    status = CheckKey(key, event->row, "event", "the topic must be keyed by row");
  }
  if (!status.ok()) *event = ChangeEvent();
  return status;
}

}  // namespace fensi::consumer
