#include "consumer/codec/event_codec.h"

#include "base/format_version.h"
#include "consumer/codec/cell_codec.h"
#include "consumer/codec/event_check.h"
#include "consumer/codec/message.h"
#include "proto/change_event.pb.h"

namespace fensi::consumer {
namespace {

// A reused message keeps the memory of the largest event it has seen; above this size it is thrown away.
constexpr size_t kKeepMessageBelowBytes = 256 * 1024;

Status CheckKind(const proto::ChangeEvent& event) {
  const auto kind = event.kind();
  if (kind == proto::ChangeEvent::MUTATION || kind == proto::ChangeEvent::MARK) return {};
  if (kind == proto::ChangeEvent::IMAGE || kind == proto::ChangeEvent::RECHECK) {
    return InvalidArgument(
        "the event is a request to the owner of its row, no change; requests stand in a topic of their own");
  }
  return InvalidArgument("the event is of kind " + std::to_string(kind) + ", which this program does not know");
}

Status FillEvent(proto::ChangeEvent* from, ChangeEvent* to) {
  FENSI_RETURN_IF_ERROR(CheckKind(*from));
  if (!ReadsFormat(from->version(), kEventVersion)) {
    return Status(StatusCode::kInvalidArgument, "the event has version " + std::to_string(from->version()) +
                                                    "; this program reads version " + FormatsRead(kEventVersion));
  }
  if (from->kind() == proto::ChangeEvent::MARK) {
    *to = ChangeEvent();  // marks are no changes: an event of no table, which every reader skips as another table's
    return CheckIsOnlyMark(*from);
  }
  to->table.swap(*from->mutable_table());
  to->row.swap(*from->mutable_row());
  to->region.swap(*from->mutable_region());
  to->sequence_id = from->sequence_id();
  to->write_time = from->write_time();
  to->cells.resize(static_cast<size_t>(from->cells_size()));
  for (int i = 0; i < from->cells_size(); ++i) {
    FENSI_RETURN_IF_ERROR(
        FillCell(from->mutable_cells(i), &to->cells[static_cast<size_t>(i)]).WithContext("cell " + std::to_string(i)));
  }
  return CheckEvent(*to);
}

/// `message` is empty.
void FillMessage(const ChangeEvent& event, const EventPart& part, proto::ChangeEvent* message) {
  message->set_version(kEventVersion);
  message->set_table(event.table);
  message->set_row(event.row);
  message->set_sequence_id(event.sequence_id);
  message->set_region(event.region);
  message->set_write_time(event.write_time);
  message->set_part(part.number);
  message->set_parts(part.count);
  message->set_attempt(part.attempt);
  for (const Cell& cell : event.cells) FillMessageCell(cell, message->add_cells());
}

}  // namespace

std::string EncodeEvent(const ChangeEvent& event) {
  proto::ChangeEvent message;
  FillMessage(event, {}, &message);
  return message.SerializeAsString();
}

EventEncoder::EventEncoder() : message_(std::make_unique<proto::ChangeEvent>()) {}
EventEncoder::~EventEncoder() = default;

void EventEncoder::Encode(const ChangeEvent& event, const EventPart& part, std::string* value) {
  message_->Clear();
  FillMessage(event, part, message_.get());
  message_->SerializeToString(value);
  if (value->size() > kKeepMessageBelowBytes) message_ = std::make_unique<proto::ChangeEvent>();
}

Status EventCodec::ReadPart() {
  part_ = {message_->part(), message_->parts(), message_->attempt()};
  if ((part_.number == 0) == (part_.count == 0) && part_.number <= part_.count) return {};
  return Status(StatusCode::kInvalidArgument,
                "the event is part " + std::to_string(part_.number) + " of " + std::to_string(part_.count));
}

EventCodec::EventCodec() : message_(std::make_unique<proto::ChangeEvent>()) {}
EventCodec::~EventCodec() = default;
EventCodec::EventCodec(EventCodec&&) noexcept = default;
EventCodec& EventCodec::operator=(EventCodec&&) noexcept = default;

Status EventCodec::Decode(std::string_view value, ChangeEvent* event) {
  part_ = {};
  Status status = ParseMessage(value, "a ChangeEvent", message_.get());
  if (status.ok()) status = FillEvent(message_.get(), event);
  if (status.ok()) status = ReadPart();
  if (value.size() > kKeepMessageBelowBytes) message_ = std::make_unique<proto::ChangeEvent>();
  return status;
}

}  // namespace fensi::consumer
