// Whatever stands in a topic of changes or of requests: what is taken passes the checks, and comes back as it was.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "consumer/codec/event_decoder.h"
#include "consumer/codec/mark_codec.h"
#include "consumer/codec/message.h"
#include "consumer/codec/request.h"
#include "tests/fuzz/bounds.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace fensi::consumer;  // NOLINT: this file is nothing else
  if (size > fensi::kMostFuzzBytes) return 0;
  const fensi::TimeBound bound;
  // A key line, and the message.
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view key = bytes.substr(0, bytes.find('\n'));
  const std::string_view value = bytes.substr(std::min(size, key.size() + 1));
  fensi::ChangeEvent event;
  const bool is_event = EventDecoder(Format::kChangeEvent).Decode(key, value, &event).ok();
  fensi::Require(!is_event || event == fensi::ChangeEvent() || CheckEvent(event).ok(), "an event passes its check");
  const auto request = DecodeRequest(key, value);
  fensi::Require(!is_event || !request.ok(), "nothing is a change and a request");
  if (request.ok()) {
    fensi::Require(CheckRequest(*request).ok(), "a request passes its check");
    const auto again = DecodeRequest(key, EncodeRequest(*request));
    fensi::Require(again.ok() && *again == *request, "a request comes back as it was");
  }
  const auto mark = DecodeMark(key, value);
  if (mark.ok()) {
    fensi::Require(is_event && event == fensi::ChangeEvent(), "readers of changes skip a mark");
    const auto again = DecodeMark(key, EncodeMark(*mark));
    fensi::Require(again.ok() && *again == *mark, "a mark comes back as it was");
  }
  return 0;
}
