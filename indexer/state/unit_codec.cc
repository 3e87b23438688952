#include "indexer/state/unit_codec.h"

#include <algorithm>

#include "base/format_version.h"
#include "indexer/state/field_writer.h"
#include "proto/state.pb.h"

namespace fensi::indexer {
namespace {

/// The first one in which a column unit that was in doubt has markers of its own.
constexpr uint32_t kOwnFamiliesFormat = 2;

// Times are stored plus one, so that "none" costs nothing.

/// As protobuf writes an int64.
uint64_t Unsigned(int64_t value) { return static_cast<uint64_t>(value); }

void Write(const PutRegister& put, FieldWriter* out) {
  using Put = proto::ColumnState::Put;
  out->Number(Put::kTimestampFieldNumber, Unsigned(put.timestamp));
  out->Number(Put::kSequenceIdFieldNumber, put.sequence_id);
  out->Bytes(Put::kValueFieldNumber, put.value);
  if (put.expires_at != INT64_MAX) out->Number(Put::kExpiresAtFieldNumber, Unsigned(put.expires_at));
  out->Number(Put::kDroppedFieldNumber, put.dropped);
}

PutRegister FromProto(proto::ColumnState::Put&& put) {
  return {put.timestamp(), put.sequence_id(), put.expires_at() == 0 ? INT64_MAX : put.expires_at(), put.dropped(),
          std::move(*put.mutable_value())};
}

void Write(const ColumnState& column, FieldWriter* out) {
  using Column = proto::ColumnState;
  out->Bytes(Column::kFamilyFieldNumber, column.family);
  out->Bytes(Column::kQualifierFieldNumber, column.qualifier);
  if (column.newest.timestamp != kNoTime) {
    out->Message(Column::kNewestFieldNumber, [&] { Write(column.newest, out); });
  }
  out->Number(Column::kColumnMarkerFieldNumber, Unsigned(column.marker + 1));
  out->Number(Column::kVersionMarkerFieldNumber, Unsigned(column.version_marker + 1));
  for (const PutRegister& put : column.kept) out->Message(Column::kKeptFieldNumber, [&] { Write(put, out); });
  out->Numbers(Column::kDeletedVersionsFieldNumber, column.deleted_versions);
  out->Number(Column::kColumnMarkerSequenceFieldNumber, column.marker_sequence);
  out->Number(Column::kForgottenFieldNumber, Unsigned(column.forgotten + 1));
  out->Number(Column::kUnsureFieldNumber, Unsigned(column.unsure + 1));
  out->Number(Column::kToldFieldNumber, column.told);
}

ColumnState FromProto(proto::ColumnState&& column) {
  ColumnState out;
  out.family = std::move(*column.mutable_family());
  out.qualifier = std::move(*column.mutable_qualifier());
  if (column.has_newest()) out.newest = FromProto(std::move(*column.mutable_newest()));
  out.marker = column.column_marker() - 1;
  out.marker_sequence = column.column_marker_sequence();
  out.version_marker = column.version_marker() - 1;
  for (auto& put : *column.mutable_kept()) out.kept.push_back(FromProto(std::move(put)));
  out.deleted_versions.assign(column.deleted_versions().begin(), column.deleted_versions().end());
  std::sort(out.deleted_versions.begin(), out.deleted_versions.end());  // they were kept unsorted once
  out.forgotten = column.forgotten() - 1;
  out.unsure = column.unsure() - 1;
  out.told = column.told();
  return out;
}

void Write(const FamilyState& family, FieldWriter* out) {
  using Family = proto::FamilyState;
  out->Bytes(Family::kFamilyFieldNumber, family.family);
  out->Number(Family::kMarkerFieldNumber, Unsigned(family.marker + 1));
  out->Number(Family::kVersionMarkerFieldNumber, Unsigned(family.version_marker + 1));
  out->Number(Family::kMarkerSequenceFieldNumber, family.marker_sequence);
  out->Numbers(Family::kDeletedVersionsFieldNumber, family.deleted_versions);
  out->Number(Family::kUnsureFieldNumber, Unsigned(family.unsure + 1));
}

void Write(const FamilyStates& families, FieldWriter* out) {
  for (const FamilyState& family : families.families) {
    out->Message(proto::UnitState::kFamiliesFieldNumber, [&] { Write(family, out); });
  }
}

void FromProto(const proto::UnitState& state, FamilyStates* families) {
  families->families.clear();
  for (const proto::FamilyState& family : state.families()) {
    families->families.push_back({family.family(),
                                  family.marker() - 1,
                                  family.marker_sequence(),
                                  family.version_marker() - 1,
                                  {family.deleted_versions().begin(), family.deleted_versions().end()},
                                  family.unsure() - 1});
    std::sort(families->families.back().deleted_versions.begin(), families->families.back().deleted_versions.end());
  }
}

template <typename Message>
Status Parse(std::string_view bytes, Message* message) {
  if (!message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return Status(StatusCode::kInternal, "a state cell cannot be decoded");
  }
  return CheckFormat("a state cell", message->format(), kStateFormat, "build the index anew under another name");
}

}  // namespace

// Of each event a unit is written, so that no message is made of it.
std::string EncodeUnit(const Unit& unit, bool with_families) {
  using State = proto::UnitState;
  std::string bytes;
  FieldWriter out(&bytes);
  out.Number(State::kFormatFieldNumber, kStateFormat);
  for (const ColumnState& column : unit.columns) out.Message(State::kColumnsFieldNumber, [&] { Write(column, &out); });
  if (with_families) Write(*unit.families, &out);
  out.Number(State::kDoubtedFieldNumber, unit.doubted);
  out.Number(State::kReservedFieldNumber, unit.reserved);
  out.Number(State::kForgottenFieldNumber, Unsigned(unit.forgotten + 1));
  return bytes;
}

Status DecodeUnit(std::string_view bytes, Unit* unit) {
  proto::UnitState state;
  FENSI_RETURN_IF_ERROR(Parse(bytes, &state));
  unit->columns.clear();
  for (auto& column : *state.mutable_columns()) unit->columns.push_back(FromProto(std::move(column)));
  unit->doubted = state.doubted();
  unit->own_families = unit->doubted && !unit->family.empty() && state.format() >= kOwnFamiliesFormat;
  if (unit->own_families) unit->families = std::make_shared<FamilyStates>();
  if (state.families_size() > 0) FromProto(state, unit->families.get());
  unit->forgotten = state.forgotten() - 1;
  unit->reserved = state.reserved();
  return {};
}

std::string EncodeFamilies(const FamilyStates& families) {
  std::string bytes;
  FieldWriter out(&bytes);
  out.Number(proto::UnitState::kFormatFieldNumber, kStateFormat);
  Write(families, &out);
  return bytes;
}

Status DecodeFamilies(std::string_view bytes, FamilyStates* families) {
  proto::UnitState state;
  FENSI_RETURN_IF_ERROR(Parse(bytes, &state));
  FromProto(state, families);
  return {};
}

std::string EncodeDoubt(const Doubt& doubt) {
  proto::DoubtState state;
  state.set_format(kStateFormat);
  state.set_intent(doubt.intent);
  for (const Snapshot& snapshot : doubt.snapshots) {
    proto::Snapshot* out = state.add_snapshots();
    out->set_dropped(snapshot.dropped);
    for (const Snapshot::Cell& cell : snapshot.cells) {
      proto::Snapshot::Cell* made = out->add_cells();
      made->set_family(cell.family);
      made->set_qualifier(cell.qualifier);
      made->set_timestamp(cell.timestamp);
      made->set_value(cell.value);
    }
  }
  return state.SerializeAsString();
}

Status DecodeDoubt(std::string_view bytes, Doubt* doubt) {
  proto::DoubtState state;
  FENSI_RETURN_IF_ERROR(Parse(bytes, &state));
  doubt->intent = state.intent();
  doubt->snapshots.clear();
  for (const proto::Snapshot& snapshot : state.snapshots()) {
    Snapshot& made = doubt->snapshots.emplace_back();
    made.dropped = snapshot.dropped();
    for (const proto::Snapshot::Cell& cell : snapshot.cells()) {
      made.cells.push_back({cell.family(), cell.qualifier(), cell.timestamp(), cell.value()});
    }
  }
  return {};
}

}  // namespace fensi::indexer
