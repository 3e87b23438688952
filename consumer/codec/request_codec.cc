#include "consumer/codec/request_codec.h"

#include "base/format_version.h"
#include "base/table_name.h"
#include "consumer/codec/cell_codec.h"
#include "consumer/codec/message.h"
#include "proto/change_event.pb.h"

namespace fensi::consumer {
namespace {

Result<Request::Kind> KindOf(const proto::ChangeEvent& message) {
  if (message.kind() == proto::ChangeEvent::IMAGE) return Request::Kind::kImage;
  if (message.kind() == proto::ChangeEvent::RECHECK) return Request::Kind::kRecheck;
  return InvalidArgument("the message is of kind " + std::to_string(message.kind()) + ", no image and no recheck");
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
                           "; this program reads version " + std::to_string(kRequestVersion));
  }
  const Result<Request::Kind> kind = KindOf(*from);
  FENSI_RETURN_IF_ERROR(kind.status());
  to->kind = *kind;
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
  FENSI_RETURN_IF_ERROR(CheckKey(key, request.row, "request", "it would reach who does not own the row"));
  return request;
}

}  // namespace fensi::consumer
