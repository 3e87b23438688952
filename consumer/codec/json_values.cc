#include "consumer/codec/json_values.h"

#include "base/bytes.h"
#include "consumer/codec/message.h"

namespace fensi::consumer::json_values {
namespace {

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

}  // namespace

Status BadKey(std::string_view key, std::string_view what) {
  return InvalidArgument("\"" + std::string(key) + "\" " + std::string(what));
}

Status UnknownKey(std::string_view key, std::span<const std::string_view> keys) {
  std::string known;
  for (const std::string_view each : keys) known += (known.empty() ? "" : ", ") + std::string(each);
  return InvalidArgument("the key \"" + std::string(key) + "\" is not known; the keys are " + known);
}

Status ReadText(std::string_view key, const Element& element, std::string_view* out) {
  if (element.get(*out) != simdjson::SUCCESS) return BadKey(key, "is not a string");
  return {};
}

Status ReadBytes(std::string_view key, const Element& element, std::string* out) {
  std::string_view text;
  FENSI_RETURN_IF_ERROR(ReadText(key, element, &text));
  return UnescapeTo(key, text, out);
}

Status ReadBool(std::string_view key, const Element& element, bool* out) {
  if (element.get(*out) != simdjson::SUCCESS) return BadKey(key, "is not true or false");
  return {};
}

Status ReadColumn(std::string_view key, const Element& element, std::string* family, std::string* qualifier) {
  std::string_view text;
  FENSI_RETURN_IF_ERROR(ReadText(key, element, &text));
  const ColumnName column = SplitColumn(text);
  if (!column.has_qualifier) return BadKey(key, "is not FAMILY:QUALIFIER, such as \"f:to\"");
  FENSI_RETURN_IF_ERROR(UnescapeTo(key, column.family, family));
  return UnescapeTo(key, column.qualifier, qualifier);
}

namespace {

Status ReadTag(const Element& element, Tag* tag) {
  constexpr std::array<std::string_view, 2> kKeys = {"type", "value"};
  uint32_t seen = 0;
  FENSI_RETURN_IF_ERROR(ReadObject(element, kKeys, &seen, [&](size_t key, const Element& value) {
    if (key == 1) return ReadBytes("value", value, &tag->value);
    uint64_t type = 0;
    Status status = ReadNumber<uint64_t>("type", value, 255, &type);
    tag->type = static_cast<uint8_t>(type);
    return status;
  }));
  return Require(kKeys, seen, 0b11);
}

/// INT64_MAX stands for the server's clock, and an event needs the time that was stored.
constexpr int64_t kMaxCellTime = kMaxTime - 1;

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
      return BadKey(kCellKeys[i],
                    "does not belong to a cell of type " + std::string(CellTypeName(type)) + ": leave it out");
    }
  }
  return {};
}

Status ReadType(const Element& element, CellType* out) {
  std::string_view name;
  FENSI_RETURN_IF_ERROR(ReadText("type", element, &name));
  const Result<CellType> type = CellTypeFromName(name);
  if (type.ok()) *out = *type;
  return type.status();
}

}  // namespace

Status ReadCell(const Element& element, Cell* cell) {
  uint32_t seen = 0;
  FENSI_RETURN_IF_ERROR(ReadObject(element, kCellKeys, &seen, [cell](size_t key, const Element& value) {
    switch (key) {
      case kType:
        return ReadType(value, &cell->type);
      case kColumn:
        return ReadColumn("column", value, &cell->family, &cell->qualifier);
      case kFamily:
        return ReadBytes("family", value, &cell->family);
      case kTs:
        return ReadNumber<int64_t>("ts", value, kMaxCellTime, &cell->timestamp);
      case kValue:
        return ReadBytes("value", value, &cell->value);
      default:
        return ReadArray("tags", value, &cell->tags, ReadTag);
    }
  }));
  return CheckCellKeys(cell->type, seen);
}

}  // namespace fensi::consumer::json_values
