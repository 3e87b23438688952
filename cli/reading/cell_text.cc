#include "cli/reading/cell_text.h"

#include <algorithm>

#include "base/bytes.h"
#include "consumer/codec/json_encoder.h"
#include "mapping/instant.h"

namespace fensi::cli {

void AppendCellJson(std::string_view row, const Cell& cell, bool raw, std::string* out) {
  *out += "{\"row\":";
  consumer::AppendJsonBytes(row, out);
  *out += ",\"column\":";
  consumer::AppendJsonBytes(cell.family + ":" + cell.qualifier, out);
  *out += ",\"ts\":" + std::to_string(cell.timestamp);
  if (raw) *out += ",\"type\":\"" + std::string(CellTypeName(cell.type)) + "\"";
  if (cell.type == CellType::kPut) {
    *out += ",\"value\":";
    consumer::AppendJsonBytes(cell.value, out);
  }
  *out += "}\n";
}

std::string PartText(const mapping::Index& index, const mapping::KnownPart& part) {
  const std::optional<int64_t> time = mapping::PartTime(index, part);
  if (time) return *mapping::FormatInstant(*time);
  const std::optional<int64_t> number = mapping::PartNumber(index, part);
  if (number) return std::to_string(*number);
  return Escape(mapping::PartValueText(index, part).value_or(part.value));
}

namespace {

/// ,"times":{"v:time":"2016-12-19"}; empty: none of them is known to be one.
std::string TimesJson(const mapping::Index& index, const std::vector<mapping::KnownPart>& known) {
  std::string text;
  for (const mapping::KnownPart& part : known) {
    const std::optional<int64_t> time = mapping::PartTime(index, part);
    if (!time) continue;
    text += text.empty() ? ",\"times\":{" : ",";
    consumer::AppendJsonBytes(part.name, &text);
    text += ":\"" + *mapping::FormatInstant(*time) + "\"";
  }
  return text.empty() ? text : text + "}";
}

}  // namespace

std::string DecodedCellJson(const mapping::Index& index, std::string_view row, const Cell& cell,
                            const std::vector<mapping::KnownPart>& known) {
  std::string text;
  AppendCellJson(row, cell, false, &text);
  text.resize(text.size() - 2);  // "}" and the line end
  text += ",\"parts\":{";
  for (const mapping::KnownPart& part : known) {
    if (text.back() != '{') text += ',';
    consumer::AppendJsonBytes(part.name, &text);
    text += ':';
    const std::optional<int64_t> number = mapping::PartNumber(index, part);
    number ? void(text += std::to_string(*number))
           : consumer::AppendJsonBytes(mapping::PartValueText(index, part).value_or(part.value), &text);
  }
  text += "}" + TimesJson(index, known) + ",\"inexact\":[";
  for (const mapping::KnownPart& part : known) {
    if (part.exact) continue;
    if (text.back() != '[') text += ',';
    consumer::AppendJsonBytes(part.name, &text);
  }
  return text + "]}\n";
}

void AddSourceJson(const store::Row* source, std::optional<bool> agrees, std::string* object) {
  object->resize(object->size() - 2);  // "}" and the line end
  *object += ",\"source\":";
  if (source == nullptr) return void(*object += "null}\n");
  *object += "{\"row\":";
  consumer::AppendJsonBytes(source->row, object);
  *object += std::string(",\"agrees\":") + (agrees ? (*agrees ? "true" : "false") : "null") + ",\"cells\":[";
  for (const Cell& cell : source->cells) {
    if (object->back() != '[') *object += ',';
    *object += "{\"column\":";
    consumer::AppendJsonBytes(cell.family + ":" + cell.qualifier, object);
    *object += ",\"ts\":" + std::to_string(cell.timestamp) + ",\"value\":";
    consumer::AppendJsonBytes(cell.value, object);
    *object += '}';
  }
  *object += "]}}\n";
}

std::string WithoutText(std::string line, bool json) {
  const auto above_ascii = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  if (std::none_of(line.begin(), line.end(), above_ascii)) return line;
  std::string out;
  for (const char c : line) {
    if (!above_ascii(c)) {
      out.push_back(c);
    } else {
      out += (json ? "\\" : "") + EscapeAscii(std::string_view(&c, 1));
    }
  }
  return out;
}

}  // namespace fensi::cli
