// Decodes the readable form of a change event (json_encoder.h) and of a request (json_requests.h). Refuses missing,
// repeated and unknown keys.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/codec/request.h"

namespace fensi::consumer {

/// Bytes after the text that must be readable for DecodePadded.
inline constexpr size_t kJsonPadding = 64;

/// A line as the key and the value of a message of a topic.
struct JsonMessage {
  std::string row;
  std::string value;
};

/// Reuses its parser: one decoder per thread. Never blocks.
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
  /// Decodes a request alone, which passes CheckRequest.
  Status Decode(std::string_view line, Request* request);
  /// A change event, or with a "kind" of requests a request, on its way to a topic. No put is above kMaxSourceTime.
  Status DecodePadded(std::string_view line, JsonMessage* message);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fensi::consumer
