#include "consumer/codec/event_codec.h"

#include <limits>

#include "consumer/codec/event_check.h"
#include "proto/change_event.pb.h"

namespace fensi::consumer {
namespace {

// A reused message keeps the memory of the largest event it has seen; above this size it is thrown away.
constexpr size_t kKeepMessageBelowBytes = 256 * 1024;

Status FillCell(proto::Cell* from, Cell* to) {
  const Result<CellType> type = CellTypeFromCode(from->type());
  if (!type.ok()) return type.status();
  to->type = *type;
  to->timestamp = from->timestamp();
  to->family.swap(*from->mutable_family());
  to->qualifier.swap(*from->mutable_qualifier());
  to->value.swap(*from->mutable_value());
  to->tags.clear();
  for (proto::CellTag& tag : *from->mutable_tags()) {
    if (tag.type() > std::numeric_limits<uint8_t>::max()) {
      return Status(StatusCode::kInvalidArgument, "the tag type " + std::to_string(tag.type()) + " is above 255");
    }
    to->tags.push_back({static_cast<uint8_t>(tag.type()), std::move(*tag.mutable_value())});
  }
  return {};
}

Status FillEvent(proto::ChangeEvent* from, ChangeEvent* to) {
  if (from->version() != kEventVersion) {
    return Status(StatusCode::kInvalidArgument, "the event has version " + std::to_string(from->version()) +
                                                    "; this program reads version " + std::to_string(kEventVersion));
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

void FillMessageCell(const Cell& from, proto::Cell* to) {
  to->set_family(from.family);
  to->set_qualifier(from.qualifier);
  to->set_timestamp(from.timestamp);
  to->set_type(static_cast<proto::Cell::Type>(from.type));
  to->set_value(from.value);
  for (const Tag& tag : from.tags) {
    proto::CellTag* to_tag = to->add_tags();
    to_tag->set_type(tag.type);
    to_tag->set_value(tag.value);
  }
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
  const bool whole = value.size() <= static_cast<size_t>(std::numeric_limits<int>::max()) &&
                     message_->ParseFromArray(value.data(), static_cast<int>(value.size()));
  part_ = {};
  Status status = whole ? FillEvent(message_.get(), event)
                        : Status(StatusCode::kInvalidArgument,
                                 "the message's " + std::to_string(value.size()) + " bytes are not a ChangeEvent");
  if (status.ok()) status = ReadPart();
  if (value.size() > kKeepMessageBelowBytes) message_ = std::make_unique<proto::ChangeEvent>();
  return status;
}

}  // namespace fensi::consumer
