// proto::ChangeEvent, the form of events in a topic, to and from fensi::ChangeEvent.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/cell.h"
#include "base/status.h"

namespace fensi::proto {
class ChangeEvent;
}

namespace fensi::consumer {

/// The bytes of a message's value; its key is event.row.
std::string EncodeEvent(const ChangeEvent& event);

/// Keeps its protobuf message from call to call: one decoder per thread. Never blocks.
class EventCodec {
 public:
  EventCodec();
  ~EventCodec();
  EventCodec(EventCodec&&) noexcept;
  EventCodec& operator=(EventCodec&&) noexcept;

  /// Fills `event`, which is undefined after an error. kInvalidArgument: not a message, another version, or an event
  /// that CheckEvent refuses.
  Status Decode(std::string_view value, ChangeEvent* event);

 private:
  std::unique_ptr<proto::ChangeEvent> message_;
};

}  // namespace fensi::consumer
