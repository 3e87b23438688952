#include "consumer/codec/request.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "consumer/codec/event_check.h"
#include "consumer/codec/message.h"

namespace fensi::consumer {
namespace {

bool IsFamily(const std::string& name) {
  return !name.empty() && name.size() <= kMaxFamilyBytes && name.find(':') == std::string::npos;
}

Status CheckSuspect(const Suspect& suspect) {
  if (suspect.table.empty()) return InvalidArgument("names no table");
  if (suspect.row.empty() || suspect.row.size() > kMaxRowBytes)
    return InvalidArgument("has a row that HBase cannot hold");
  if (suspect.family.empty() && !suspect.qualifier.empty()) return InvalidArgument("has a qualifier and no family");
  if (!suspect.family.empty() && !IsFamily(suspect.family)) {
    return InvalidArgument("has a family that HBase cannot hold");
  }
  if (suspect.timestamp < 0) return InvalidArgument("has a timestamp below 0");
  return {};
}

Status CheckImage(const Request& request) {
  if (!request.suspects.empty() || !request.columns.empty()) {
    return InvalidArgument("an image has suspects or columns; they belong to a recheck");
  }
  if (request.read_time <= 0) return InvalidArgument("the image does not say when it was read");
  return CheckEvent({.table = request.table, .row = request.row, .cells = request.cells});
}

Status CheckRecheck(const Request& request) {
  if (!request.cells.empty() || request.partial || request.read_time != 0) {
    return InvalidArgument("a recheck has cells or a time of reading; they belong to an image");
  }
  FENSI_RETURN_IF_ERROR(CheckCount(request.suspects.size(), kMostOfARequest, "recheck", "suspects"));
  FENSI_RETURN_IF_ERROR(CheckCount(request.columns.size(), kMostOfARequest, "recheck", "columns"));
  for (size_t i = 0; i < request.suspects.size(); ++i) {
    FENSI_RETURN_IF_ERROR(CheckSuspect(request.suspects[i]).WithContext("suspect " + std::to_string(i)));
  }
  for (size_t i = 0; i < request.columns.size(); ++i) {
    if (IsFamily(request.columns[i].family)) continue;
    return InvalidArgument("column " + std::to_string(i) + " has a family that HBase cannot hold");
  }
  if (request.table.empty()) return InvalidArgument("the recheck names no table");
  if (request.row.empty() || request.row.size() > kMaxRowBytes) {
    return InvalidArgument("the recheck has a row that HBase cannot hold");
  }
  return {};
}

}  // namespace

bool IsPrintable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

Status CheckRequest(const Request& request) {
  const std::string& name = request.incarnation;
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (name.size() != kIncarnationDigits || !std::all_of(name.begin(), name.end(), is_digit)) {
    return InvalidArgument("the incarnation is not " + std::to_string(kIncarnationDigits) + " hexadecimal digits");
  }
  if (request.job.size() > kMostJobBytes || !IsPrintable(request.job)) {
    return InvalidArgument("the name of the job is not printable ASCII of at most " + std::to_string(kMostJobBytes) +
                           " bytes");
  }
  return request.kind == Request::Kind::kImage ? CheckImage(request) : CheckRecheck(request);
}

}  // namespace fensi::consumer
