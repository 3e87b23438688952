#include <simdjson.h>

#include <array>
#include <limits>

#include "base/bytes.h"
#include "consumer/codec/event_check.h"
#include "consumer/codec/json_codec.h"
#include "consumer/codec/json_fault.h"

namespace fensi::consumer {
namespace {

namespace dom = simdjson::dom;

// A parser that has seen a huge line gives its memory back.
constexpr size_t kKeepParserBelowBytes = 1024 * 1024;

Status BadKey(std::string_view key, std::string_view what) {
  return InvalidArgument("\"" + std::string(key) + "\" " + std::string(what));
}

/// Calls `read(key, value)`, which returns the index of a known key and fills `status`, for each key of an object;
/// refuses repeated keys. `seen` gets one bit for each key.
template <size_t n, typename Read>
Status ReadObject(const dom::element& element, const std::array<std::string_view, n>& keys, uint32_t* seen, Read read) {
  dom::object object;
  if (element.get(object) != simdjson::SUCCESS) return InvalidArgument("is not an object");
  *seen = 0;
  for (const dom::key_value_pair field : object) {
    size_t i = 0;
    while (i < n && keys[i] != field.key) ++i;
    if (i == n) return InvalidArgument("the key \"" + std::string(field.key) + "\" is not known");
    if ((*seen >> i & 1) != 0) return BadKey(field.key, "stands twice");
    *seen |= 1u << i;
    FENSI_RETURN_IF_ERROR(read(i, field.value));
  }
  return {};
}

template <size_t n>
Status Require(const std::array<std::string_view, n>& keys, uint32_t seen, uint32_t required) {
  for (size_t i = 0; i < n; ++i) {
    if ((required & ~seen) >> i & 1) return BadKey(keys[i], "is missing");
  }
  return {};
}

Status ReadText(std::string_view key, const dom::element& element, std::string_view* out) {
  if (element.get(*out) != simdjson::SUCCESS) return BadKey(key, "is not a string");
  return {};
}

Status UnescapeTo(std::string_view key, std::string_view text, std::string* out) {
  if (text.find('\\') == std::string_view::npos) {
    out->assign(text);
    return {};
  }
  Result<std::string> bytes = Unescape(text);
  if (!bytes.ok()) return BadKey(key, bytes.status().message());
  *out = std::move(*bytes);
  return {};
}

Status ReadBytes(std::string_view key, const dom::element& element, std::string* out) {
  std::string_view text;
  FENSI_RETURN_IF_ERROR(ReadText(key, element, &text));
  return UnescapeTo(key, text, out);
}

template <typename Integer>
Status ReadNumber(std::string_view key, const dom::element& element, Integer max, Integer* out) {
  if (element.get(*out) != simdjson::SUCCESS || *out > max || *out < Integer{0}) {
    return BadKey(key, "is not a whole number from 0 to " + std::to_string(max));
  }
  return {};
}

constexpr int64_t kMaxTime = std::numeric_limits<int64_t>::max();

Status ReadColumn(const dom::element& element, Cell* cell) {
  std::string_view text;
  FENSI_RETURN_IF_ERROR(ReadText("column", element, &text));
  const ColumnName column = SplitColumn(text);
  if (!column.has_qualifier) return InvalidArgument("\"column\" is not family:qualifier");
  FENSI_RETURN_IF_ERROR(UnescapeTo("column", column.family, &cell->family));
  return UnescapeTo("column", column.qualifier, &cell->qualifier);
}

Status ReadTag(const dom::element& element, Tag* tag) {
  constexpr std::array<std::string_view, 2> kKeys = {"type", "value"};
  uint32_t seen = 0;
  FENSI_RETURN_IF_ERROR(ReadObject(element, kKeys, &seen, [&](size_t key, const dom::element& value) {
    if (key == 1) return ReadBytes("value", value, &tag->value);
    uint64_t type = 0;
    Status status = ReadNumber<uint64_t>("type", value, 255, &type);
    tag->type = static_cast<uint8_t>(type);
    return status;
  }));
  return Require(kKeys, seen, 0b11);
}

/// Each element of an array through `read`; an error gets "key[i]" in front.
template <typename Item, typename Read>
Status ReadArray(std::string_view key, const dom::element& element, std::vector<Item>* out, Read read) {
  dom::array array;
  if (element.get(array) != simdjson::SUCCESS) return BadKey(key, "is not an array");
  size_t i = 0;
  for (const dom::element item : array) {
    if (Status status = read(item, &out->emplace_back()); !status.ok()) {
      return status.WithContext(std::string(key) + "[" + std::to_string(i) + "]");
    }
    ++i;
  }
  return {};
}

enum CellKey : size_t { kType, kColumn, kFamily, kTs, kValue, kTags };
constexpr std::array<std::string_view, 6> kCellKeys = {"type", "column", "family", "ts", "value", "tags"};
constexpr uint32_t Bit(size_t key) { return 1u << key; }

Status CheckCellKeys(CellType type, uint32_t seen) {
  const uint32_t place = IsFamilyMarker(type) ? Bit(kFamily) : Bit(kColumn);
  const uint32_t value = type == CellType::kPut ? Bit(kValue) : 0;
  FENSI_RETURN_IF_ERROR(Require(kCellKeys, seen, Bit(kType) | Bit(kTs) | place | value));
  const uint32_t foreign = seen & ~(Bit(kType) | Bit(kTs) | Bit(kTags) | place | value);
  for (size_t i = 0; i < kCellKeys.size(); ++i) {
    if ((foreign >> i & 1) != 0) {
      return BadKey(kCellKeys[i], "does not belong to a cell of type " + std::string(CellTypeName(type)));
    }
  }
  return {};
}

Status ReadType(const dom::element& element, CellType* out) {
  std::string_view name;
  FENSI_RETURN_IF_ERROR(ReadText("type", element, &name));
  const Result<CellType> type = CellTypeFromName(name);
  if (type.ok()) *out = *type;
  return type.status();
}

Status ReadCell(const dom::element& element, Cell* cell) {
  uint32_t seen = 0;
  FENSI_RETURN_IF_ERROR(ReadObject(element, kCellKeys, &seen, [cell](size_t key, const dom::element& value) {
    switch (key) {
      case kType:
        return ReadType(value, &cell->type);
      case kColumn:
        return ReadColumn(value, cell);
      case kFamily:
        return ReadBytes("family", value, &cell->family);
      case kTs:
        return ReadNumber<int64_t>("ts", value, kMaxTime, &cell->timestamp);
      case kValue:
        return ReadBytes("value", value, &cell->value);
      default:
        return ReadArray("tags", value, &cell->tags, ReadTag);
    }
  }));
  return CheckCellKeys(cell->type, seen);
}

Status ReadEvent(const dom::element& element, ChangeEvent* event) {
  constexpr std::array<std::string_view, 6> kKeys = {"table", "row", "cells", "seq", "region", "write_time"};
  uint32_t seen = 0;
  event->cells.clear();
  event->sequence_id = 0;
  event->region.clear();
  event->write_time = 0;
  FENSI_RETURN_IF_ERROR(ReadObject(element, kKeys, &seen, [event](size_t key, const dom::element& value) {
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
      default:
        return ReadNumber<int64_t>("write_time", value, kMaxTime, &event->write_time);
    }
  }));
  FENSI_RETURN_IF_ERROR(Require(kKeys, seen, 0b111));
  return CheckEvent(*event);
}

}  // namespace

class JsonDecoder::Impl {
 public:
  Status Decode(std::string_view line, bool padded, ChangeEvent* event) {
    dom::element root;
    const auto error = parser_.parse(line.data(), line.size(), !padded).get(root);
    Status status =
        error == simdjson::SUCCESS ? ReadEvent(root, event) : JsonFault(line, simdjson::error_message(error));
    if (line.size() > kKeepParserBelowBytes) parser_ = dom::parser();
    return status;
  }

 private:
  dom::parser parser_;
};

JsonDecoder::JsonDecoder() : impl_(std::make_unique<Impl>()) {}
JsonDecoder::~JsonDecoder() = default;
JsonDecoder::JsonDecoder(JsonDecoder&&) noexcept = default;
JsonDecoder& JsonDecoder::operator=(JsonDecoder&&) noexcept = default;

Status JsonDecoder::Decode(std::string_view line, ChangeEvent* event) { return impl_->Decode(line, false, event); }
Status JsonDecoder::DecodePadded(std::string_view line, ChangeEvent* event) { return impl_->Decode(line, true, event); }

}  // namespace fensi::consumer
