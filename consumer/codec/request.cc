#include "consumer/codec/request.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "consumer/codec/message.h"
#include "proto/change_event.pb.h"

namespace fensi::consumer {
namespace {

constexpr char kFamilyRule[] = "its family must have 1 to 127 bytes and no colon";

bool IsFamily(const std::string& name) {
  return !name.empty() && name.size() <= kMaxFamilyBytes && name.find(':') == std::string::npos;
}

Status CheckSuspect(const Suspect& suspect) {
  if (suspect.table.empty()) return InvalidArgument("its table name is empty");
  if (suspect.row.empty() || suspect.row.size() > kMaxRowBytes)
    return InvalidArgument("its row key has " + RowSizeText(suspect.row));
  if (suspect.family.empty() && !suspect.qualifier.empty()) return InvalidArgument("it has a qualifier and no family");
  if (!suspect.family.empty() && !IsFamily(suspect.family)) {
    return InvalidArgument(kFamilyRule);
  }
  if (suspect.timestamp < 0) return InvalidArgument("its timestamp is below 0");
  return {};
}

Status CheckImage(const Request& request) {
  if (!request.suspects.empty() || !request.columns.empty()) {
    return InvalidArgument("an image cannot have suspects or columns: send them in a recheck");
  }
  if (request.read_time <= 0)
    return InvalidArgument("the image lacks read_time, the time in milliseconds at which its row was read");
  return CheckEvent({.table = request.table, .row = request.row, .cells = request.cells});
}

Status CheckRecheck(const Request& request) {
  if (!request.cells.empty() || request.partial || request.read_time != 0) {
    return InvalidArgument("a recheck cannot have cells, partial or read_time: only an image has them");
  }
  FENSI_RETURN_IF_ERROR(CheckCount(request.suspects.size(), kMostOfARequest, "recheck", "suspects"));
  FENSI_RETURN_IF_ERROR(CheckCount(request.columns.size(), kMostOfARequest, "recheck", "columns"));
  for (size_t i = 0; i < request.suspects.size(); ++i) {
    FENSI_RETURN_IF_ERROR(CheckSuspect(request.suspects[i]).WithContext("suspect " + std::to_string(i)));
  }
  for (size_t i = 0; i < request.columns.size(); ++i) {
    if (IsFamily(request.columns[i].family)) continue;
    return InvalidArgument(kFamilyRule).WithContext("column " + std::to_string(i));
  }
  if (request.table.empty()) return InvalidArgument("the recheck has an empty table name: name the source table");
  if (request.row.empty() || request.row.size() > kMaxRowBytes) {
    return InvalidArgument("this request to read a source row again (kind \"recheck\") has a row key of " +
                           RowSizeText(request.row));
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
    return InvalidArgument("the incarnation of the index must have " + std::to_string(kIncarnationDigits) +
                           " digits from 0 to 9 and a to f");
  }
  if (request.job.size() > kMostJobBytes || !IsPrintable(request.job)) {
    return InvalidArgument("the name of the job must be printable ASCII without blanks, of at most " +
                           std::to_string(kMostJobBytes) + " bytes");
  }
  return request.kind == Request::Kind::kImage ? CheckImage(request) : CheckRecheck(request);
}

namespace {

Result<Request::Kind> KindOf(const proto::ChangeEvent& message) {
  if (message.kind() == proto::ChangeEvent::IMAGE) return Request::Kind::kImage;
  if (message.kind() == proto::ChangeEvent::RECHECK) return Request::Kind::kRecheck;
  return UnknownKind("request", message.kind());
}

Status FillCells(proto::ChangeEvent* from, Request* to) {
  to->cells.resize(static_cast<size_t>(from->cells_size()));
  for (int i = 0; i < from->cells_size(); ++i) {
    FENSI_RETURN_IF_ERROR(
        FillCell(from->mutable_cells(i), &to->cells[static_cast<size_t>(i)]).WithContext("cell " + std::to_string(i)));
  }
  return {};
}

Status FillRequest(proto::ChangeEvent* from, Request* to) {
  if (from->version() != kRequestVersion) {
    return InvalidArgument("the request has version " + std::to_string(from->version()) +
                           ", and this fensi reads version " + std::to_string(kRequestVersion) +
                           ". Run the same version of fensi for the daemons and the commands");
  }
  FENSI_ASSIGN_OR_RETURN(const Request::Kind kind, KindOf(*from));
  to->kind = kind;
  to->table = CanonicalTableName(from->table());
  to->row.swap(*from->mutable_row());
  to->incarnation = from->incarnation();
  to->job = from->job();
  to->read_time = from->read_time();
  to->partial = from->partial();
  for (proto::Suspect& suspect : *from->mutable_suspects()) {
    to->suspects.push_back({std::string(CanonicalTableName(suspect.table())), suspect.row(), suspect.family(),
                            suspect.qualifier(), suspect.timestamp()});
  }
  for (proto::Column& column : *from->mutable_columns()) to->columns.push_back({column.family(), column.qualifier()});
  return FillCells(from, to);
}

}  // namespace

std::string EncodeRequest(const Request& request) {
  proto::ChangeEvent message;
  message.set_version(kRequestVersion);
  message.set_kind(request.kind == Request::Kind::kImage ? proto::ChangeEvent::IMAGE : proto::ChangeEvent::RECHECK);
  message.set_table(request.table);
  message.set_row(request.row);
  for (const Cell& cell : request.cells) FillMessageCell(cell, message.add_cells());
  message.set_incarnation(request.incarnation);
  message.set_job(request.job);
  message.set_read_time(request.read_time);
  message.set_partial(request.partial);
  for (const Suspect& suspect : request.suspects) {
    proto::Suspect* to = message.add_suspects();
    to->set_table(suspect.table);
    to->set_row(suspect.row);
    to->set_family(suspect.family);
    to->set_qualifier(suspect.qualifier);
    to->set_timestamp(suspect.timestamp);
  }
  for (const RequestedColumn& column : request.columns) {
    proto::Column* to = message.add_columns();
    to->set_family(column.family);
    to->set_qualifier(column.qualifier);
  }
  return message.SerializeAsString();
}

bool IsRequest(std::string_view value) {
  proto::ChangeEvent message;
  return ParseMessage(value, "a request", &message).ok() && KindOf(message).ok();
}

Result<Request> DecodeRequest(std::string_view key, std::string_view value) {
  proto::ChangeEvent message;
  FENSI_RETURN_IF_ERROR(ParseMessage(value, "a request", &message));
  Request request;
  FENSI_RETURN_IF_ERROR(FillRequest(&message, &request));
  FENSI_RETURN_IF_ERROR(CheckRequest(request));
  FENSI_RETURN_IF_ERROR(
      CheckKey(key, request.row, "request", "A daemon that does not own the row would read the request"));
  return request;
}

}  // namespace fensi::consumer
