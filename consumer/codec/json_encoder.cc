#include "consumer/codec/json_encoder.h"

#include <simdjson.h>

#include <charconv>

#include "base/bytes.h"

namespace fensi::consumer {
namespace {

constexpr char kHex[] = "0123456789ABCDEF";

}  // namespace

void AppendJsonBytes(std::string_view bytes, std::string* out) {
  out->push_back('"');
  for (const char c : Escape(bytes)) {
    if (c == '"' || c == '\\') out->push_back('\\');
    out->push_back(c);
  }
  out->push_back('"');
}

bool IsUtf8(std::string_view bytes) { return simdjson::validate_utf8(bytes.data(), bytes.size()); }

void AppendJsonText(std::string_view text, std::string* out) {
  if (!IsUtf8(text)) return AppendJsonBytes(text, out);
  out->push_back('"');
  for (const unsigned char c : text) {
    if (c == '"' || c == '\\') {
      out->append({'\\', static_cast<char>(c)});
    } else if (c < 0x20) {
      out->append({'\\', 'u', '0', '0', kHex[c >> 4], kHex[c & 15]});
    } else {
      out->push_back(static_cast<char>(c));
    }
  }
  out->push_back('"');
}

namespace {

template <typename Integer>
void AppendNumber(Integer number, std::string* out) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out->append(digits, end);
}

void AppendPlace(const Cell& cell, std::string* out) {
  if (IsFamilyMarker(cell.type)) {
    out->append(",\"family\":");
    return AppendJsonBytes(cell.family, out);
  }
  out->append(",\"column\":");
  AppendJsonColumn(cell.family, cell.qualifier, out);
}

void AppendTags(const std::vector<Tag>& tags, std::string* out) {
  out->append(",\"tags\":[");
  for (const Tag& tag : tags) {
    if (&tag != &tags.front()) out->push_back(',');
    out->append("{\"type\":");
    AppendNumber(static_cast<int>(tag.type), out);
    out->append(",\"value\":");
    AppendJsonBytes(tag.value, out);
    out->push_back('}');
  }
  out->push_back(']');
}

/// The end of a bulk load.
void AppendLoaded(const std::vector<std::string>& families, std::string* out) {
  if (!families.empty()) out->append(",\"families\":[");
  for (const std::string& family : families) {
    if (&family != &families.front()) out->push_back(',');
    AppendJsonBytes(family, out);
  }
  out->append(families.empty() ? "}" : "]}");
}

}  // namespace

void AppendJsonColumn(const std::string& family, const std::string& qualifier, std::string* out) {
  AppendJsonBytes(family, out);
  out->back() = ':';  // in place of the closing quote; the qualifier's opening quote goes
  const size_t quote = out->size();
  AppendJsonBytes(qualifier, out);
  out->erase(quote, 1);
}

void AppendJsonCell(const Cell& cell, std::string* out) {
  out->append("{\"type\":\"").append(CellTypeName(cell.type)).push_back('"');
  AppendPlace(cell, out);
  out->append(",\"ts\":");
  AppendNumber(cell.timestamp, out);
  if (cell.type == CellType::kPut) {
    out->append(",\"value\":");
    AppendJsonBytes(cell.value, out);
  }
  if (!cell.tags.empty()) AppendTags(cell.tags, out);
  out->push_back('}');
}

void AppendJsonEvent(const ChangeEvent& event, std::string* out) {
  out->append(event.kind == EventKind::kBulkLoad ? "{\"kind\":\"bulk_load\",\"table\":" : "{\"table\":");
  AppendJsonBytes(event.table, out);
  out->append(",\"row\":");
  AppendJsonBytes(event.row, out);
  if (event.sequence_id != 0) {
    out->append(",\"seq\":");
    AppendNumber(event.sequence_id, out);
  }
  if (!event.region.empty()) {
    out->append(",\"region\":");
    AppendJsonBytes(event.region, out);
  }
  if (event.write_time != 0) {
    out->append(",\"write_time\":");
    AppendNumber(event.write_time, out);
  }
  if (event.kind == EventKind::kBulkLoad) return AppendLoaded(event.families, out);
  out->append(",\"cells\":[");
  for (const Cell& cell : event.cells) {
    if (&cell != &event.cells.front()) out->push_back(',');
    AppendJsonCell(cell, out);
  }
  out->append("]}");
}

}  // namespace fensi::consumer
