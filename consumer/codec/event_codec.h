// Encodes and decodes fensi::ChangeEvent as proto::ChangeEvent, the form of events in a topic.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/cell.h"
#include "base/status.h"

namespace fensi::proto {
class ChangeEvent;
}

namespace fensi::consumer {

// Encodes and decodes fensi::ChangeEvent as proto::ChangeEvent, the form of events in a topic.

/// Identifies the part of a mutation that a message has. A mutation too large for one message is sent in parts with
/// some of its cells each: part 1 to `count`, with the same row, region and sequence id. A sender that repeats the
/// mutation, whole or in other parts, makes another attempt.
struct EventPart {
  uint32_t number = 0;  // from 1; 0: the whole mutation
  uint32_t count = 0;
  uint64_t attempt = 0;  // random, the same for all parts that were made together; 0: unknown
  /// The parts hold everything that its entry of HBase's log has of the row. False: unknown, and another mutation may
  /// have the same row, region and sequence id.
  bool whole_row = false;
};

// Encodes and decodes change events.

/// The bytes of a message's value; its key is event.row.
std::string EncodeEvent(const ChangeEvent& event);

/// EncodeEvent for many events: reuses its protobuf message. One encoder per thread.
class EventEncoder {
 public:
  EventEncoder();
  ~EventEncoder();
  /// Replaces the content of `value`.
  void Encode(const ChangeEvent& event, const EventPart& part, std::string* value);

 private:
  std::unique_ptr<proto::ChangeEvent> message_;
};

/// Decodes the bytes in place, without a protobuf message. Never blocks.
class EventCodec {
 public:
  /// Fills `event`, which is undefined after an error; a watermark becomes an empty event, a bulk load an event of its
  /// kind. kInvalidArgument: not a
  /// message, another version, a request, or an event that CheckEvent refuses.
  Status Decode(std::string_view value, ChangeEvent* event);
  /// The part of a mutation that the event decoded last has.
  const EventPart& part() const { return part_; }

 private:
  EventPart part_;
};

}  // namespace fensi::consumer
