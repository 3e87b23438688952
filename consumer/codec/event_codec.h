// proto::ChangeEvent, the form of events in a topic, to and from fensi::ChangeEvent.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/codec/event_part.h"

namespace fensi::proto {
class ChangeEvent;
}

namespace fensi::consumer {

/// The bytes of a message's value; its key is event.row.
std::string EncodeEvent(const ChangeEvent& event);

/// EncodeEvent for many events: keeps its protobuf message from call to call. One encoder per thread.
class EventEncoder {
 public:
  EventEncoder();
  ~EventEncoder();
  /// Replaces what `value` holds.
  void Encode(const ChangeEvent& event, const EventPart& part, std::string* value);

 private:
  std::unique_ptr<proto::ChangeEvent> message_;
};

/// Keeps its protobuf message from call to call: one decoder per thread. Never blocks.
class EventCodec {
 public:
  EventCodec();
  ~EventCodec();
  EventCodec(EventCodec&&) noexcept;
  EventCodec& operator=(EventCodec&&) noexcept;

  /// Fills `event`, which is undefined after an error; a mark becomes an empty one. kInvalidArgument: not a message,
  /// another version, a request, or an event that CheckEvent refuses.
  Status Decode(std::string_view value, ChangeEvent* event);
  /// Which part of a mutation the event decoded last is.
  const EventPart& part() const { return part_; }

 private:
  Status CheckPart() const;

  std::unique_ptr<proto::ChangeEvent> message_;
  EventPart part_;
};

}  // namespace fensi::consumer
