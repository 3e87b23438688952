// Reads the readable form of a change event (json_encoder.h) and of a request (json_requests.h). Nothing is guessed: a
// missing, repeated or unknown key is refused.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/codec/request.h"

namespace fensi::consumer {

/// Bytes that must be readable (not part of the text) behind what DecodePadded gets.
inline constexpr size_t kJsonPadding = 64;

/// What a line is in a topic: the key and the value of a message.
struct JsonMessage {
  std::string row;
  std::string value;
};

/// Keeps its parser from call to call: one decoder per thread. Never blocks.
class JsonDecoder {
 public:
  JsonDecoder();
  ~JsonDecoder();
  JsonDecoder(JsonDecoder&&) noexcept;
  JsonDecoder& operator=(JsonDecoder&&) noexcept;

  /// Fills `event`, which is undefined after an error. kInvalidArgument says where: a byte of the line when it is no
  /// JSON, otherwise the key ("cells[1].ts").
  Status Decode(std::string_view line, ChangeEvent* event);
  /// The same without a copy of the line: kJsonPadding bytes behind it may be read.
  Status DecodePadded(std::string_view line, ChangeEvent* event);
  /// A request alone; it passes CheckRequest.
  Status Decode(std::string_view line, Request* request);
  /// A change event, or with the key "kind" a request, on its way to a topic. No put is above kMaxSourceTime.
  Status DecodePadded(std::string_view line, JsonMessage* message);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fensi::consumer
