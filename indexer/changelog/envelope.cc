#include "indexer/changelog/envelope.h"

#include <utility>

#include "base/bytes.h"
#include "consumer/codec/json_encoder.h"

namespace fensi::indexer {
namespace {

using consumer::AppendJsonText;

std::string Quoted(std::string_view text) {
  std::string out;
  AppendJsonText(text, &out);
  return out;
}

void AppendBase64(std::string_view bytes, std::string* out) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view three = bytes.substr(i, 3);
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k) bits = bits << 8 | (k < three.size() ? static_cast<uint8_t>(three[k]) : 0);
    for (size_t k = 0; k < 4; ++k) out->push_back(k <= three.size() ? kDigits[bits >> (18 - 6 * k) & 63] : '=');
  }
}

/// Two row keys never give the same text: a backslash is two, and a byte that is no UTF-8 text is \xNN.
std::string RowText(std::string_view row) {
  if (!consumer::IsUtf8(row)) return EscapeAscii(row);
  std::string text;
  for (const char c : row) text.append(c == '\\' ? "\\x5C" : std::string(1, c));
  return text;
}

void AppendRow(std::string_view row, bool base64, std::string* out) {
  if (!base64) return AppendJsonText(RowText(row), out);
  out->push_back('"');
  AppendBase64(row, out);
  out->push_back('"');
}

/// Kafka Connect's JSON form of a schema.
std::string FieldSchema(const char* type, bool optional, const std::string& name) {
  return std::string("{\"type\":\"") + type + "\",\"optional\":" + (optional ? "true" : "false") +
         ",\"field\":" + Quoted(name) + "}";
}

std::string StructSchema(const std::string& fields, bool optional, const std::string& name, const char* field) {
  std::string out = "{\"type\":\"struct\",\"fields\":[" + fields + "],\"optional\":" + (optional ? "true" : "false") +
                    ",\"name\":" + Quoted(name);
  if (field != nullptr) out += std::string(",\"field\":\"") + field + "\"";
  return out + "}";
}

const char* TypeOf(bool base64) { return base64 ? "bytes" : "string"; }

std::string RowSchema(const mapping::ChangelogSpec& spec) {
  return FieldSchema(TypeOf(spec.base64_row), false, mapping::kChangelogRow);
}

std::string EnvelopeSchema(const mapping::ChangelogSpec& spec) {
  std::string columns = RowSchema(spec);
  for (const mapping::ChangelogField& field : spec.fields) {
    columns += "," + FieldSchema(TypeOf(field.base64), true, field.name);
  }
  std::string source;
  for (const char* name : {"version", "connector", "name"}) source += FieldSchema("string", false, name) + ",";
  source += FieldSchema("int64", true, "ts_ms") + ",";
  for (const char* name : {"snapshot", "db", "table", "region", "sequence"}) {
    source += FieldSchema("string", true, name) + ",";
  }
  source += R"({"type":"array","items":{"type":"string","optional":false},"optional":true,"field":"escaped"})";
  const std::string value = spec.topic + ".Value";
  return StructSchema(StructSchema(columns, true, value, "before") + "," + StructSchema(columns, true, value, "after") +
                          "," + StructSchema(source, false, "fensi.Source", "source") + "," +
                          FieldSchema("string", false, "op") + "," + FieldSchema("int64", true, "ts_ms"),
                      false, spec.topic + ".Envelope", nullptr);
}

/// The namespace and the name of a table.
std::pair<std::string, std::string> PartsOf(const std::string& table) {
  const size_t colon = table.find(':');
  if (colon == std::string::npos) return {"default", table};
  return {table.substr(0, colon), table.substr(colon + 1)};
}

}  // namespace

char OperationOf(const RowChange& change) {
  if (IsEmpty(*change.after)) return 'd';
  if (!IsEmpty(*change.before)) return 'u';
  return change.origin.snapshot ? 'r' : 'c';
}

EnvelopeWriter::EnvelopeWriter(const mapping::Index& index, std::string version) : spec_(*index.changelog()) {
  for (const mapping::ChangelogField& field : spec_.fields) names_.push_back("," + Quoted(field.name) + ":");
  if (spec_.schema) {
    key_begin_ =
        "{\"schema\":" + StructSchema(RowSchema(spec_), false, spec_.topic + ".Key", nullptr) + ",\"payload\":";
    begin_ = "{\"schema\":" + EnvelopeSchema(spec_) + ",\"payload\":";
    key_end_ = end_ = "}";
  }
  const auto [db, table] = PartsOf(index.source_table());
  source_ = "{\"version\":" + Quoted(version) + ",\"connector\":\"fensi\",\"name\":" + Quoted(index.name()) +
            ",\"db\":" + Quoted(db) + ",\"table\":" + Quoted(table);
}

std::string EnvelopeWriter::Key(std::string_view row) const {
  std::string out = key_begin_ + "{\"row\":";
  AppendRow(row, spec_.base64_row, &out);
  return out + "}" + key_end_;
}

void EnvelopeWriter::AppendImage(std::string_view row, const RowImage* image, const char* side,
                                 std::vector<std::string>* escaped, std::string* out) const {
  out->append("{\"row\":");
  AppendRow(row, spec_.base64_row, out);
  for (size_t i = 0; i < names_.size(); ++i) {
    out->append(names_[i]);
    if (image == nullptr || !(*image)[i]) {
      out->append("null");
    } else if (const std::string& value = (*image)[i]->value; spec_.fields[i].base64) {
      out->push_back('"');
      AppendBase64(value, out);
      out->push_back('"');
    } else if (consumer::IsUtf8(value)) {
      AppendJsonText(value, out);
    } else {
      AppendJsonText(EscapeAscii(value), out);
      escaped->push_back(side + spec_.fields[i].name);
    }
  }
  out->push_back('}');
}

std::string EnvelopeWriter::Envelope(const RowChange& change, int64_t now, int64_t* escaped) const {
  const char operation = OperationOf(change);
  std::vector<std::string> escapes;
  std::string out = begin_ + "{\"before\":";
  if (operation == 'c' || operation == 'r') {
    out += "null";
  } else {
    AppendImage(change.row, change.show_before ? change.before : nullptr, "before.", &escapes, &out);
  }
  out += ",\"after\":";
  if (operation == 'd') {
    out += "null";
  } else {
    AppendImage(change.row, change.after, "after.", &escapes, &out);
  }
  *escaped += static_cast<int64_t>(escapes.size());
  AppendSource(change, escapes, &out);
  return out + ",\"op\":\"" + operation + "\",\"ts_ms\":" + std::to_string(now) + "}" + end_;
}

void EnvelopeWriter::AppendSource(const RowChange& change, const std::vector<std::string>& escaped,
                                  std::string* out) const {
  const ChangeOrigin& origin = change.origin;
  out->append(",\"source\":" + source_);
  out->append(",\"ts_ms\":" + (origin.time > 0 ? std::to_string(origin.time) : "null"));
  out->append(origin.snapshot ? ",\"snapshot\":\"true\"" : ",\"snapshot\":\"false\"");
  out->append(",\"region\":" + (origin.region.empty() ? "null" : Quoted(origin.region)));
  out->append(",\"sequence\":" + (origin.sequence_id == 0 ? "null" : "\"" + std::to_string(origin.sequence_id) + "\""));
  out->append(",\"escaped\":");
  if (escaped.empty()) {
    out->append("null}");
    return;
  }
  char separator = '[';
  for (const std::string& name : escaped) {
    out->push_back(separator);
    AppendJsonText(name, out);
    separator = ',';
  }
  out->append("]}");
}

}  // namespace fensi::indexer
