#include "consumer/codec/json_requests.h"

#include "base/bytes.h"
#include "consumer/codec/json_encoder.h"
#include "consumer/codec/request.h"

namespace fensi::consumer {
namespace {

void AppendKey(const char* key, std::string* out) { out->append(",\"").append(key).append("\":"); }

void AppendText(const char* key, const std::string& value, std::string* out) {
  if (value.empty()) return;
  AppendKey(key, out);
  AppendJsonBytes(value, out);
}

void AppendTime(const char* key, int64_t value, std::string* out) {
  if (value == 0) return;
  AppendKey(key, out);
  out->append(std::to_string(value));
}

/// Each through `append`; nothing without items.
template <typename Item, typename Append>
void AppendList(const char* key, const std::vector<Item>& items, std::string* out, Append append) {
  if (items.empty()) return;
  AppendKey(key, out);
  out->push_back('[');
  for (const Item& item : items) {
    if (&item != &items.front()) out->push_back(',');
    append(item);
  }
  out->push_back(']');
}

void AppendSuspect(const Suspect& suspect, std::string* out) {
  out->append("{\"table\":");
  AppendJsonBytes(suspect.table, out);
  AppendText("row", suspect.row, out);
  if (!suspect.family.empty()) {
    AppendKey("column", out);
    AppendJsonColumn(suspect.family, suspect.qualifier, out);
  }
  out->append(",\"ts\":").append(std::to_string(suspect.timestamp)).push_back('}');
}

void AppendCall(const Mark::Call& call, std::string* out) {
  out->append("{\"server\":");
  AppendJsonBytes(call.server, out);
  out->append(",\"first\":").append(std::to_string(call.first));
  out->append(",\"last\":").append(std::to_string(call.last)).push_back('}');
}

}  // namespace

void AppendJsonRequest(const Request& request, std::string* out) {
  out->append(request.kind == Request::Kind::kImage ? "{\"kind\":\"image\"" : "{\"kind\":\"recheck\"");
  AppendText("table", request.table, out);
  AppendText("row", request.row, out);
  AppendText("incarnation", request.incarnation, out);
  AppendText("job", request.job, out);
  AppendTime("read_time", request.read_time, out);
  if (request.partial) out->append(",\"partial\":true");
  AppendList("columns", request.columns, out,
             [&](const RequestedColumn& column) { AppendJsonColumn(column.family, column.qualifier, out); });
  AppendList("suspects", request.suspects, out, [&](const Suspect& suspect) { AppendSuspect(suspect, out); });
  AppendList("cells", request.cells, out, [&](const Cell& cell) { AppendJsonCell(cell, out); });
  out->push_back('}');
}

void AppendJsonMark(const Mark& mark, std::string* out) {
  out->append("{\"kind\":\"mark\"");
  AppendList("calls", mark.calls, out, [&](const Mark::Call& call) { AppendCall(call, out); });
  AppendList("members", mark.members, out, [&](const std::string& member) { AppendJsonBytes(member, out); });
  AppendTime("members_time", mark.members_time, out);
  AppendTime("complete_to", mark.complete_to, out);
  const bool said = mark.bulk_loads != Mark::BulkLoads::kNotSaid;
  AppendText("bulk_loads",
             !said                                           ? ""
             : mark.bulk_loads == Mark::BulkLoads::kReported ? "reported"
                                                             : "not_reported",
             out);
  out->push_back('}');
}

Result<std::string> JsonLineOf(std::string_view key, std::string_view value, const Status& decoded,
                               const ChangeEvent& event) {
  std::string line;
  if (decoded.ok() && !event.table.empty()) {
    AppendJsonEvent(event, &line);
  } else if (decoded.ok()) {
    FENSI_ASSIGN_OR_RETURN(const Mark mark, DecodeMark(key, value));
    AppendJsonMark(mark, &line);
  } else if (IsRequest(value)) {
    FENSI_ASSIGN_OR_RETURN(const Request request, DecodeRequest(key, value));
    AppendJsonRequest(request, &line);
  } else {
    return decoded;
  }
  return line;
}

}  // namespace fensi::consumer
