#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "base/field_reader.h"
#include "consumer/codec/event_decoder.h"
#include "consumer/codec/json_decoder.h"
#include "consumer/codec/json_encoder.h"
#include "consumer/codec/json_requests.h"
#include "consumer/codec/message.h"
#include "consumer/codec/request.h"
#include "proto/change_event.pb.h"
#include "tests/consumer/arbitrary_event.h"

namespace fensi::consumer {
namespace {

RC_GTEST_PROP(EventCodec, DecodesWhatItEncoded, (const ChangeEvent& event)) {
  EventDecoder decoder(Format::kChangeEvent);
  ChangeEvent back;
  RC_ASSERT(decoder.Decode(event.row, EncodeEvent(event), &back).ok());
  RC_ASSERT((back == event));
}

RC_GTEST_PROP(EventCodec, ForgetsTheEventBefore, (const ChangeEvent& first, const ChangeEvent& second)) {
  EventCodec codec;
  ChangeEvent back;
  RC_ASSERT(codec.Decode(EncodeEvent(first), &back).ok());
  RC_ASSERT(codec.Decode(EncodeEvent(second), &back).ok());
  RC_ASSERT((back == second));
}

/// The same by protobuf; none: it refuses the bytes, or they are no event.
std::optional<std::pair<ChangeEvent, uint32_t>> ByProtobuf(const std::string& bytes) {
  proto::ChangeEvent from;
  ChangeEvent event;
  if (!from.ParseFromString(bytes) || from.kind() != proto::ChangeEvent::MUTATION) return std::nullopt;
  if (from.version() != kEventVersion) return std::nullopt;
  event.table = from.table();
  event.row = from.row();
  event.region = from.region();
  event.sequence_id = from.sequence_id();
  event.write_time = from.write_time();
  for (proto::Cell& cell : *from.mutable_cells()) {
    if (!FillCell(&cell, &event.cells.emplace_back()).ok()) return std::nullopt;
  }
  const bool part = (from.part() == 0) == (from.parts() == 0) && from.part() <= from.parts();
  if (!part || !TakeEvent(&event).ok()) return std::nullopt;
  return std::pair(event, from.parts());
}

/// Fields of a request or a mark, which a mutation has not: protobuf looks into them and fensi passes them over.
bool HasFieldsOfOthers(const std::string& bytes) {
  FieldReader in(bytes);
  while (in.Next()) {
    const uint64_t field = in.tag() >> 3;
    if (field >= proto::ChangeEvent::kIncarnationFieldNumber && field <= proto::ChangeEvent::kMarkFieldNumber)
      return true;
  }
  return false;
}

RC_GTEST_PROP(EventCodec, ReadsAsProtobufDoes, (const ChangeEvent& event)) {
  std::string bytes = EncodeEvent(event);
  if (*rc::gen::arbitrary<bool>()) bytes += std::string("\xb8\x3e\x01", 3);  // a field of a newer writer
  if (*rc::gen::arbitrary<bool>()) bytes.resize(*rc::gen::inRange<size_t>(0, bytes.size()));
  for (int changes = *rc::gen::inRange(0, 3); changes > 0 && !bytes.empty(); --changes) {
    bytes[*rc::gen::inRange<size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
  }
  EventCodec codec;
  ChangeEvent read;
  const Status taken = codec.Decode(bytes, &read);
  const auto expected = ByProtobuf(bytes);
  if (expected && !taken.ok()) RC_FAIL("protobuf takes " + Escape(bytes) + ": " + taken.ToString());
  if (!taken.ok() || read == ChangeEvent() || (!expected && HasFieldsOfOthers(bytes))) return;
  RC_ASSERT(expected.has_value());
  RC_ASSERT((read == expected->first));
  RC_ASSERT(codec.part().count == expected->second);
}

RC_GTEST_PROP(EventCodec, NeverTakesGarbageForAnEventThatCheckRefuses, (const std::string& bytes)) {
  for (const Format format : {Format::kChangeEvent, Format::kHBaseKafkaProxy}) {
    ChangeEvent event;
    const Status status = EventDecoder(format).Decode("", bytes, &event);
    RC_ASSERT(!status.ok() || event == ChangeEvent() || CheckEvent(event).ok());
    RC_ASSERT(status.ok() || event == ChangeEvent());
  }
}

RC_GTEST_PROP(Json, DecodesWhatItEncoded, (const ChangeEvent& event)) {
  std::string line;
  AppendJsonEvent(event, &line);
  ChangeEvent back;
  const Status status = JsonDecoder().Decode(line, &back);
  RC_LOG(status.ToString());
  RC_ASSERT((back == event));
}

RC_GTEST_PROP(Json, WritesTextThatCanBeSeenOnOneLine, (const ChangeEvent& event)) {
  std::string line;
  AppendJsonEvent(event, &line);
  for (std::string_view rest = line; !rest.empty(); rest.remove_prefix(std::max<size_t>(Utf8Length(rest), 1))) {
    const size_t length = Utf8Length(rest);
    RC_ASSERT(length > 0);
    const uint32_t code = CodePoint(rest.substr(0, length));
    RC_ASSERT(code >= 0x20 && (code < 0x7f || code > 0xa0) && code != 0x2028 && code != 0x2029);
  }
}

RC_GTEST_PROP(Json, RefusesEveryCutLine, (const ChangeEvent& event)) {
  std::string line;
  AppendJsonEvent(event, &line);
  const auto cut = *rc::gen::inRange<size_t>(0, line.size());
  ChangeEvent back;
  RC_ASSERT(!JsonDecoder().Decode(std::string_view(line).substr(0, cut), &back).ok());
}

RC_GTEST_PROP(JsonRequests, DecodeToWhatWasEncoded, (const Request& request)) {
  std::string line;
  AppendJsonRequest(request, &line);
  Request back;
  const Status status = JsonDecoder().Decode(line, &back);
  RC_LOG(status.ToString() + " " + line);
  RC_ASSERT(status.ok());
  RC_ASSERT((back == request));
}

RC_GTEST_PROP(JsonRequests, AndEventsBecomeTheMessagesOfTheirTopics,
              (const Request& request, const ChangeEvent& event)) {
  std::string line;
  AppendJsonRequest(request, &line);
  JsonMessage message;
  RC_ASSERT(JsonDecoder().DecodePadded(line + std::string(kJsonPadding, ' '), &message).ok());
  RC_ASSERT(message.row == request.row);
  const Result<Request> back = DecodeRequest(message.row, message.value);
  RC_ASSERT((back.ok() && *back == request));
  line.clear();
  AppendJsonEvent(event, &line);
  RC_ASSERT(JsonDecoder().DecodePadded(line + std::string(kJsonPadding, ' '), &message).ok());
  RC_ASSERT(message.value == EncodeEvent(event));
}

RC_GTEST_PROP(JsonRequests, RefuseEveryCutLine, (const Request& request)) {
  std::string line;
  AppendJsonRequest(request, &line);
  const auto cut = *rc::gen::inRange<size_t>(0, line.size());
  Request back;
  RC_ASSERT(!JsonDecoder().Decode(std::string_view(line).substr(0, cut), &back).ok());
}

}  // namespace
}  // namespace fensi::consumer
