#include "consumer/codec/event_codec.h"

#include "base/field_reader.h"
#include "consumer/codec/message.h"
#include "proto/change_event.pb.h"

namespace fensi::consumer {
namespace {

// A reused message keeps the memory of the largest event it has seen; above this size it is thrown away.
constexpr size_t kKeepMessageBelowBytes = 256 * 1024;

Status CheckKind(int kind) {
  if (kind == proto::ChangeEvent::MUTATION || kind == proto::ChangeEvent::MARK) return {};
  if (kind == proto::ChangeEvent::BULK_LOAD) return {};
  if (kind == proto::ChangeEvent::IMAGE || kind == proto::ChangeEvent::RECHECK) {
    return InvalidArgument(
        "the message is a request of 'fensi backfill' or 'fensi repair', and no change event. Write requests to the "
        "topic INDEX.requests only");
  }
  return UnknownKind("event", kind);
}

/// These return false for bytes that are no message, as protobuf does. `fault` gets the first other error of a message.
bool ReadTagMessage(std::string_view bytes, Tag* tag, Status* fault) {
  uint32_t type = 0;
  FieldReader in(bytes);
  while (in.Next()) {
    if (in.tag() == FieldReader::Number(proto::CellTag::kTypeFieldNumber)) type = static_cast<uint32_t>(in.number());
    if (in.tag() == FieldReader::Length(proto::CellTag::kValueFieldNumber)) tag->value = in.bytes();
  }
  tag->type = static_cast<uint8_t>(type);
  if (type > UINT8_MAX && fault->ok()) *fault = InvalidTagType(type);
  return in.ok();
}

bool ReadCellMessage(std::string_view bytes, Cell* cell, Status* fault) {
  using Field = proto::Cell;
  int code = 0;
  Status of_tags;
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
        code = static_cast<int>(in.number());
        break;
      case FieldReader::Length(Field::kValueFieldNumber):
        cell->value = in.bytes();
        break;
      case FieldReader::Length(Field::kTagsFieldNumber):
        if (!ReadTagMessage(in.bytes(), &cell->tags.emplace_back(), &of_tags)) return false;
        break;
    }
  }
  const Result<CellType> type = CellTypeFromCode(code);
  if (type.ok()) cell->type = *type;
  *fault = type.ok() ? of_tags : type.status();
  return in.ok();
}

/// Fields of a message besides the event and its part.
struct Head {
  uint32_t version = 0;
  int kind = 0;
  Status of_cells;
};

void ReadNumber(const FieldReader& in, Head* head, ChangeEvent* event, EventPart* part) {
  using Field = proto::ChangeEvent;
  switch (in.tag()) {
    case FieldReader::Number(Field::kVersionFieldNumber):
      head->version = static_cast<uint32_t>(in.number());
      break;
    case FieldReader::Number(Field::kKindFieldNumber):
      head->kind = static_cast<int>(in.number());
      break;
    case FieldReader::Number(Field::kSequenceIdFieldNumber):
      event->sequence_id = in.number();
      break;
    case FieldReader::Number(Field::kWriteTimeFieldNumber):
      event->write_time = static_cast<int64_t>(in.number());
      break;
    case FieldReader::Number(Field::kPartFieldNumber):
      part->number = static_cast<uint32_t>(in.number());
      break;
    case FieldReader::Number(Field::kPartsFieldNumber):
      part->count = static_cast<uint32_t>(in.number());
      break;
    case FieldReader::Fixed64(Field::kAttemptFieldNumber):
      part->attempt = in.number();
      break;
    case FieldReader::Number(Field::kWholeRowFieldNumber):
      part->whole_row = in.number() != 0;
      break;
  }
}

bool AddCell(std::string_view bytes, std::vector<Cell>* cells, Status* fault) {
  Status of_cell;
  if (!ReadCellMessage(bytes, &cells->emplace_back(), &of_cell)) return false;
  if (!of_cell.ok() && fault->ok()) *fault = of_cell.WithContext("cell " + std::to_string(cells->size() - 1));
  return true;
}

/// Reads a message without a message object. Skips fields of newer writers, and those of requests and watermarks.
bool ReadEventMessage(std::string_view value, Head* head, ChangeEvent* event, EventPart* part) {
  using Field = proto::ChangeEvent;
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
      case FieldReader::Length(Field::kLoadedFamiliesFieldNumber):
        event->families.emplace_back(in.bytes());
        break;
      case FieldReader::Length(Field::kCellsFieldNumber):
        if (!AddCell(in.bytes(), &event->cells, &head->of_cells)) return false;
        break;
      default:
        ReadNumber(in, head, event, part);
    }
  }
  return in.ok();
}

Status CheckPart(const EventPart& part) {
  if ((part.number == 0) == (part.count == 0) && part.number <= part.count) return {};
  return InvalidPart(part.number, part.count);
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
  if (event.kind == EventKind::kBulkLoad) message->set_kind(proto::ChangeEvent::BULK_LOAD);
  for (const std::string& family : event.families) message->add_loaded_families(family);
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

Status EventCodec::Decode(std::string_view value, ChangeEvent* event) {
  *event = ChangeEvent();
  part_ = {};
  Head head;
  if (!ReadEventMessage(value, &head, event, &part_) || head.version == 0) return NotAMessage(value, "a ChangeEvent");
  FENSI_RETURN_IF_ERROR(CheckKind(head.kind));
  FENSI_RETURN_IF_ERROR(CheckMessageFormat("the event", head.version));
  if (head.kind == proto::ChangeEvent::MARK) {
    const bool changes = !event->table.empty() || !event->row.empty() || !event->cells.empty();
    *event = ChangeEvent();  // watermarks are no changes: an event of no table, which every reader skips as another
                             // table's
    return CheckIsOnlyMark(!changes && part_.number == 0 && part_.count == 0);
  }
  FENSI_RETURN_IF_ERROR(head.of_cells);
  if (head.kind == proto::ChangeEvent::BULK_LOAD) event->kind = EventKind::kBulkLoad;
  FENSI_RETURN_IF_ERROR(TakeEvent(event));
  if (event->kind == EventKind::kBulkLoad && part_.count > 0)
    return InvalidArgument("a bulk load comes in one message");
  return CheckPart(part_);
}

}  // namespace fensi::consumer
