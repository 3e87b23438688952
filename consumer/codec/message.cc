#include "consumer/codec/message.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/field_reader.h"
#include "base/format_version.h"
#include "base/hbase_limits.h"
#include "proto/change_event.pb.h"

namespace fensi::consumer {
namespace {

constexpr std::array kTypes = {CellType::kPut,          CellType::kDelete,       CellType::kDeleteFamilyVersion,
                               CellType::kDeleteColumn, CellType::kDeleteFamily, CellType::kUnknownDelete};

Status CheckCell(const Cell& cell) {
  if (cell.family.empty()) return InvalidArgument("has no family");
  if (cell.family.size() > kMaxFamilyBytes || cell.family.find(':') != std::string::npos) {
    return InvalidArgument("has a family with a colon or more than 127 bytes, which HBase refuses");
  }
  if (cell.timestamp < 0)
    return InvalidArgument("has the timestamp " + std::to_string(cell.timestamp) + ", and it must be at least 0");
  if (cell.type != CellType::kPut && !cell.value.empty())
    return InvalidArgument("is a delete and has a value: leave the value out");
  if (IsFamilyMarker(cell.type) && !cell.qualifier.empty())
    return InvalidArgument("is a delete of a family and has a qualifier: leave the qualifier out");
  return {};
}

/// A bulk load has families in place of cells; a mutation has none.
Status CheckLoad(const ChangeEvent& event) {
  if (event.kind == EventKind::kMutation && event.families.empty()) return {};
  if (event.kind == EventKind::kMutation) return InvalidArgument("the event names loaded families and is no bulk load");
  if (!event.cells.empty()) return InvalidArgument("the bulk load has cells, and its cells are in HBase's files only");
  FENSI_RETURN_IF_ERROR(CheckCount(event.families.size(), kMostLoadedFamilies, "bulk load", "families"));
  const bool valid = std::all_of(event.families.begin(), event.families.end(), IsFamilyOfHBase);
  return valid ? Status() : InvalidArgument("the bulk load names a family that HBase refuses: leave the families out");
}

}  // namespace

bool IsFamilyOfHBase(std::string_view family) {
  return !family.empty() && family.size() <= kMaxFamilyBytes && family.find(':') == std::string_view::npos;
}

Status CheckEvent(const ChangeEvent& event) {
  if (event.table.empty())
    return InvalidArgument("the event has an empty table name: its writer must name the source table");
  if (event.row.empty() || event.row.size() > kMaxRowBytes) {
    return InvalidArgument("the row key of the event has " + RowSizeText(event.row));
  }
  // fensi remembers the regions of a table.
  if (event.region.size() > kMaxRegionBytes) {
    return InvalidArgument("the region name of the event has " + std::to_string(event.region.size()) +
                           " bytes, and an encoded name has at most " + std::to_string(kMaxRegionBytes));
  }
  FENSI_RETURN_IF_ERROR(CheckLoad(event));
  if (event.kind == EventKind::kBulkLoad) return {};
  if (event.cells.empty()) return InvalidArgument("the event has no cells: every change has at least one");
  for (size_t i = 0; i < event.cells.size(); ++i) {
    if (const Status cell = CheckCell(event.cells[i]); !cell.ok()) {
      return InvalidArgument("cell " + std::to_string(i) + " of row " + Escape(event.row) + " " + cell.message());
    }
  }
  return {};
}

Status TakeEvent(ChangeEvent* event) {
  if (CanonicalTableName(event->table) != event->table) event->table = CanonicalTableName(event->table);
  return CheckEvent(*event);
}

Result<CellType> CellTypeFromCode(int code) {
  for (const CellType type : kTypes) {
    if (static_cast<int>(type) == code) return type;
  }
  return InvalidArgument("the cell type " + std::to_string(code) +
                         " is unknown: HBase has 4 (put), 8, 10, 12 and 14 (deletes)");
}

Result<CellType> CellTypeFromName(std::string_view name) {
  for (const CellType type : kTypes) {
    if (CellTypeName(type) == name) return type;
  }
  return InvalidArgument("\"" + std::string(name) +
                         "\" is not a cell type (put, delete, delete_column, delete_family, delete_family_version, "
                         "unknown_delete)");
}

std::string RowSizeText(std::string_view row) {
  return std::to_string(row.size()) + " bytes, and HBase takes 1 to " + std::to_string(kMaxRowBytes);
}

Status UnknownKind(const char* what, int kind) {
  return InvalidArgument("the " + std::string(what) + " has the unknown kind " + std::to_string(kind) +
                         ". Upgrade fensi");
}

Status InvalidPart(uint32_t number, uint32_t count) {
  return InvalidArgument("the event says that it is part " + std::to_string(number) + " of " + std::to_string(count) +
                         ". The parts of an event are counted from 1");
}

Status InvalidTagType(uint32_t type) {
  return InvalidArgument("the tag type " + std::to_string(type) + " is above 255, the largest of HBase");
}

namespace {

/// A reason must fit into a dead letter whatever its message was; the dead letter has the whole message.
constexpr size_t kShown = 200;

/// False for groups, which protobuf still skips: the decoder of events, which reads the same messages, refuses them.
bool HasFieldsOnly(std::string_view value) {
  FieldReader fields(value);
  while (fields.Next()) {
  }
  return fields.ok();
}

}  // namespace

Status ParseMessage(std::string_view value, const char* expected, proto::ChangeEvent* message) {
  if (value.size() <= static_cast<size_t>(std::numeric_limits<int>::max()) &&
      message->ParseFromArray(value.data(), static_cast<int>(value.size())) && HasFieldsOnly(value)) {
    return {};
  }
  return NotAMessage(value, expected);
}

Status NotAMessage(std::string_view value, const char* expected) {
  return InvalidArgument("the message's " + std::to_string(value.size()) + " bytes are not " + expected +
                         ": another program wrote the message, or it was cut");
}

Status CheckIsOnlyMark(bool only) {
  if (only) return {};
  return InvalidArgument("the message is a watermark, and must have no table, row, cells or parts. " +
                         std::string(kOnlyCapture));
}

Status CheckIsOnlyMark(const proto::ChangeEvent& message) {
  return CheckIsOnlyMark(message.table().empty() && message.row().empty() && message.cells_size() == 0 &&
                         message.part() == 0 && message.parts() == 0);
}

Status CheckMessageFormat(const char* what, int64_t version) {
  if (ReadsFormat(version, kEventVersion)) return {};
  return InvalidArgument(std::string(what) + " has version " + std::to_string(version) +
                         ", and this fensi reads version " + FormatsRead(kEventVersion) +
                         ". Upgrade this fensi to the version of the writer");
}

Status CheckCount(size_t count, size_t most, const char* what, const char* of) {
  if (count <= most) return {};
  return InvalidArgument("the " + std::string(what) + " has " + std::to_string(count) + " " + of +
                         ", and may have at most " + std::to_string(most));
}

Status CheckKey(std::string_view key, std::string_view row, const char* what, const char* why) {
  // M12: the key decides the partition, so it must be the row.
  if (key == row) return {};
  const std::string has = "the message key '" + EscapeSome(key, kShown) + "' ";
  if (row.empty()) return InvalidArgument(has + "must be empty, because the message is a watermark. " + kOnlyCapture);
  return InvalidArgument(has + "is not the row '" + EscapeSome(row, kShown) + "' of the " + what + ". " + why);
}

Status FillCell(proto::Cell* from, Cell* to) {
  FENSI_ASSIGN_OR_RETURN(const CellType type, CellTypeFromCode(from->type()));
  to->type = type;
  to->timestamp = from->timestamp();
  to->family.swap(*from->mutable_family());
  to->qualifier.swap(*from->mutable_qualifier());
  to->value.swap(*from->mutable_value());
  to->tags.clear();
  for (proto::CellTag& tag : *from->mutable_tags()) {
    if (tag.type() > UINT8_MAX) return InvalidTagType(tag.type());
    to->tags.push_back({static_cast<uint8_t>(tag.type()), std::move(*tag.mutable_value())});
  }
  return {};
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

}  // namespace fensi::consumer
