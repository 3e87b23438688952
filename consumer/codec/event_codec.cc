#include "consumer/codec/event_codec.h"

#include "base/field_reader.h"
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

bool ReadTagMessage(std::string_view bytes, Tag* tag) {
  FieldReader in(bytes);
  while (in.Next()) {
    if (in.tag() == FieldReader::Number(proto::CellTag::kTypeFieldNumber) && in.number() <= UINT8_MAX) {
      tag->type = static_cast<uint8_t>(in.number());
    } else if (in.tag() == FieldReader::Length(proto::CellTag::kValueFieldNumber)) {
      tag->value = in.bytes();
    } else {
      return false;
    }
  }
  return in.ok();
}

bool ReadCellMessage(std::string_view bytes, Cell* cell) {
  using Field = proto::Cell;
  Result<CellType> type = CellTypeFromCode(0);
  FieldReader in(bytes);
  while (in.Next()) {
    switch (in.tag()) {
      case FieldReader::Length(Field::kFamilyFieldNumber):
        cell->family = in.bytes();
        break;
      case FieldReader::Length(Field::kQualifierFieldNumber):
        cell->qualifier = in.bytes();
        break;
      case FieldReader::Number(Field::kTimestampFieldNumber):
        cell->timestamp = static_cast<int64_t>(in.number());
        break;
      case FieldReader::Number(Field::kTypeFieldNumber):
        if (in.number() > UINT8_MAX) return false;
        type = CellTypeFromCode(static_cast<int>(in.number()));
        break;
      case FieldReader::Length(Field::kValueFieldNumber):
        cell->value = in.bytes();
        break;
      case FieldReader::Length(Field::kTagsFieldNumber):
        if (!ReadTagMessage(in.bytes(), &cell->tags.emplace_back())) return false;
        break;
      default:
        return false;
    }
  }
  if (type.ok()) cell->type = *type;
  return in.ok() && type.ok();
}

bool ReadNumberField(const FieldReader& in, ChangeEvent* event, EventPart* part) {
  using Field = proto::ChangeEvent;
  switch (in.tag()) {
    case FieldReader::Number(Field::kVersionFieldNumber):
      return in.number() <= INT32_MAX && ReadsFormat(static_cast<int64_t>(in.number()), kEventVersion);
    case FieldReader::Number(Field::kSequenceIdFieldNumber):
      event->sequence_id = in.number();
      return true;
    case FieldReader::Number(Field::kWriteTimeFieldNumber):
      event->write_time = static_cast<int64_t>(in.number());
      return true;
    case FieldReader::Number(Field::kPartFieldNumber):
      part->number = static_cast<uint32_t>(in.number());
      return in.number() <= UINT32_MAX;
    case FieldReader::Number(Field::kPartsFieldNumber):
      part->count = static_cast<uint32_t>(in.number());
      return in.number() <= UINT32_MAX;
    default:
      return false;
  }
}

/// A mutation as nearly all messages are one, without an object of it. False: it is none, or has something that is not
/// known here, and protobuf says what it is.
bool ReadMutation(std::string_view value, ChangeEvent* event, EventPart* part) {
  using Field = proto::ChangeEvent;
  *event = ChangeEvent();
  bool has_version = false;
  FieldReader in(value);
  while (in.Next()) {
    switch (in.tag()) {
      case FieldReader::Length(Field::kTableFieldNumber):
        event->table = in.bytes();
        break;
      case FieldReader::Length(Field::kRowFieldNumber):
        event->row = in.bytes();
        break;
      case FieldReader::Length(Field::kRegionFieldNumber):
        event->region = in.bytes();
        break;
      case FieldReader::Length(Field::kCellsFieldNumber):
        if (!ReadCellMessage(in.bytes(), &event->cells.emplace_back())) return false;
        break;
      default:
        has_version |= in.tag() == FieldReader::Number(Field::kVersionFieldNumber);
        if (!ReadNumberField(in, event, part)) return false;
    }
  }
  return in.ok() && has_version;
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
  return TakeEvent(to);
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
  message->set_whole_row(part.whole_row);
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

Status EventCodec::CheckPart() const {
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
  if (ReadMutation(value, event, &part_)) {
    FENSI_RETURN_IF_ERROR(TakeEvent(event));
    return CheckPart();
  }
  part_ = {};
  Status status = ParseMessage(value, "a ChangeEvent", message_.get());
  if (status.ok()) status = FillEvent(message_.get(), event);
  if (status.ok()) {
    part_ = {message_->part(), message_->parts(), message_->attempt(), message_->whole_row()};
    status = CheckPart();
  }
  if (value.size() > kKeepMessageBelowBytes) message_ = std::make_unique<proto::ChangeEvent>();
  return status;
}

}  // namespace fensi::consumer
