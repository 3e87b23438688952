#include "consumer/codec/json_decoder.h"

#include <array>
#include <limits>

#include "base/hbase_limits.h"
#include "consumer/codec/event_codec.h"
#include "consumer/codec/json_fault.h"
#include "consumer/codec/json_values.h"
#include "consumer/codec/message.h"
#include "consumer/codec/request.h"

namespace fensi::consumer {
namespace {

using json_values::Element;
using json_values::kMaxTime;
using json_values::ReadArray;
using json_values::ReadBytes;
using json_values::ReadCell;
using json_values::ReadNumber;
using json_values::ReadObject;
using json_values::Require;

// A parser that has seen a huge line gives its memory back.
constexpr size_t kKeepParserBelowBytes = 1024 * 1024;

constexpr std::string_view kBulkLoadName = "bulk_load";

Status ReadEventKind(const Element& element, EventKind* kind) {
  std::string_view name;
  FENSI_RETURN_IF_ERROR(json_values::ReadText("kind", element, &name));
  if (name != kBulkLoadName) {
    return json_values::BadKey("kind", "must be \"bulk_load\" here. Leave it out of the change of a row");
  }
  *kind = EventKind::kBulkLoad;
  return {};
}

Status ReadEvent(const Element& element, ChangeEvent* event) {
  constexpr std::array<std::string_view, 8> kKeys = {"table",  "row",        "cells", "seq",
                                                     "region", "write_time", "kind",  "families"};
  constexpr uint32_t kMutation = 0b111, kBulkLoad = 0b1000011;
  uint32_t seen = 0;
  event->cells.clear();
  event->sequence_id = 0;
  event->region.clear();
  event->write_time = 0;
  event->kind = EventKind::kMutation;
  event->families.clear();
  FENSI_RETURN_IF_ERROR(ReadObject(element, kKeys, &seen, [event](size_t key, const Element& value) {
    switch (key) {
      case 0:
        return ReadBytes("table", value, &event->table);
      case 1:
        return ReadBytes("row", value, &event->row);
      case 2:
        return ReadArray("cells", value, &event->cells, ReadCell);
      case 3:
        return ReadNumber<uint64_t>("seq", value, std::numeric_limits<uint64_t>::max(), &event->sequence_id);
      case 4:
        return ReadBytes("region", value, &event->region);
      case 5:
        return ReadNumber<int64_t>("write_time", value, kMaxTime, &event->write_time);
      case 6:
        return ReadEventKind(value, &event->kind);
      default:
        return ReadArray("families", value, &event->families,
                         [](const Element& each, std::string* family) { return ReadBytes("family", each, family); });
    }
  }));
  FENSI_RETURN_IF_ERROR(Require(kKeys, seen, event->kind == EventKind::kBulkLoad ? kBulkLoad : kMutation));
  return TakeEvent(event);
}

/// Reads a table's name in its canonical form, as every event has it.
Status ReadTable(const Element& element, std::string* table) {
  FENSI_RETURN_IF_ERROR(ReadBytes("table", element, table));
  if (CanonicalTableName(*table) != *table) *table = CanonicalTableName(*table);
  return {};
}

/// Refuses an event that no index would accept before it is sent to a topic, while a person sees the error.
Status CheckTimes(const std::vector<Cell>& cells) {
  for (size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].type != CellType::kPut || cells[i].timestamp <= kMaxSourceTime) continue;
    return json_values::BadKey("ts", "of a put is above " + std::to_string(kMaxSourceTime) +
                                         ": no index could apply a later change of the row. "
                                         "Write the time of the change, in milliseconds since 1970")
        .WithContext("cells[" + std::to_string(i) + "]");
  }
  return {};
}

Status ReadSuspect(const Element& element, Suspect* suspect) {
  constexpr std::array<std::string_view, 4> kKeys = {"table", "row", "column", "ts"};
  uint32_t seen = 0;
  FENSI_RETURN_IF_ERROR(ReadObject(element, kKeys, &seen, [suspect](size_t key, const Element& value) {
    switch (key) {
      case 0:
        return ReadTable(value, &suspect->table);
      case 1:
        return ReadBytes("row", value, &suspect->row);
      case 2:
        return json_values::ReadColumn("column", value, &suspect->family, &suspect->qualifier);
      default:
        return ReadNumber<int64_t>("ts", value, kMaxTime, &suspect->timestamp);
    }
  }));
  return Require(kKeys, seen, 0b1011);
}

Status ReadKind(const Element& element, Request::Kind* kind) {
  std::string_view name;
  FENSI_RETURN_IF_ERROR(json_values::ReadText("kind", element, &name));
  *kind = name == "image" ? Request::Kind::kImage : Request::Kind::kRecheck;
  if (name == "image" || name == "recheck") return {};
  return json_values::BadKey("kind",
                             "must be \"image\", \"recheck\" or \"bulk_load\". Leave it out of the change of a row. "
                             "Only 'fensi capture' writes "
                             "watermarks");
}

Status ReadRequestKey(size_t key, const Element& value, Request* request) {
  switch (key) {
    case 0:
      return ReadKind(value, &request->kind);
    case 1:
      return ReadTable(value, &request->table);
    case 2:
      return ReadBytes("row", value, &request->row);
    case 3:
      return ReadBytes("incarnation", value, &request->incarnation);
    case 4:
      return ReadBytes("job", value, &request->job);
    case 5:
      return ReadNumber<int64_t>("read_time", value, kMaxTime, &request->read_time);
    case 6:
      return json_values::ReadBool("partial", value, &request->partial);
    case 7:
      return ReadArray("columns", value, &request->columns, [](const Element& each, RequestedColumn* column) {
        return json_values::ReadColumn("column", each, &column->family, &column->qualifier);
      });
    case 8:
      return ReadArray("suspects", value, &request->suspects, ReadSuspect);
    default:
      return ReadArray("cells", value, &request->cells, ReadCell);
  }
}

Status ReadRequest(const Element& element, Request* request) {
  constexpr std::array<std::string_view, 10> kKeys = {"kind",      "table",   "row",     "incarnation", "job",
                                                      "read_time", "partial", "columns", "suspects",    "cells"};
  uint32_t seen = 0;
  *request = Request();
  FENSI_RETURN_IF_ERROR(ReadObject(element, kKeys, &seen, [request](size_t key, const Element& value) {
    return ReadRequestKey(key, value, request);
  }));
  FENSI_RETURN_IF_ERROR(Require(kKeys, seen, 0b1111));
  return CheckRequest(*request);
}

bool IsBulkLoad(const Element& element) {
  std::string_view name;
  return element["kind"].get(name) == simdjson::SUCCESS && name == kBulkLoadName;
}

Status ReadMessage(const Element& element, JsonMessage* message) {
  if (element["kind"].error() == simdjson::SUCCESS && !IsBulkLoad(element)) {
    Request request;
    FENSI_RETURN_IF_ERROR(ReadRequest(element, &request));
    FENSI_RETURN_IF_ERROR(CheckTimes(request.cells));
    *message = {request.row, EncodeRequest(request)};
    return {};
  }
  ChangeEvent event;
  FENSI_RETURN_IF_ERROR(ReadEvent(element, &event));
  FENSI_RETURN_IF_ERROR(CheckTimes(event.cells));
  *message = {event.row, EncodeEvent(event)};
  return {};
}

}  // namespace

class JsonDecoder::Impl {
 public:
  template <typename Out>
  Status Decode(std::string_view line, bool padded, Out* out, Status (*read)(const Element&, Out*)) {
    Element root;
    const auto error = parser_.parse(line.data(), line.size(), !padded).get(root);
    Status status = error == simdjson::SUCCESS ? read(root, out) : JsonFault(line, simdjson::error_message(error));
    if (line.size() > kKeepParserBelowBytes) parser_ = simdjson::dom::parser();
    return status;
  }

 private:
  simdjson::dom::parser parser_;
};

JsonDecoder::JsonDecoder() : impl_(std::make_unique<Impl>()) {}
JsonDecoder::~JsonDecoder() = default;
JsonDecoder::JsonDecoder(JsonDecoder&&) noexcept = default;
JsonDecoder& JsonDecoder::operator=(JsonDecoder&&) noexcept = default;

Status JsonDecoder::Decode(std::string_view line, ChangeEvent* event) {
  return impl_->Decode(line, false, event, ReadEvent);
}
Status JsonDecoder::DecodePadded(std::string_view line, ChangeEvent* event) {
  return impl_->Decode(line, true, event, ReadEvent);
}
Status JsonDecoder::Decode(std::string_view line, Request* request) {
  return impl_->Decode(line, false, request, ReadRequest);
}
Status JsonDecoder::DecodePadded(std::string_view line, JsonMessage* message) {
  return impl_->Decode(line, true, message, ReadMessage);
}

}  // namespace fensi::consumer
