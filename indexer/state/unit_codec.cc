#include "indexer/state/unit_codec.h"

#include <algorithm>

#include "base/format_version.h"
#include "proto/state.pb.h"

namespace fensi::indexer {
namespace {

/// The first one in which a column unit that was in doubt has markers of its own.
constexpr uint32_t kOwnFamiliesFormat = 2;

// Times are stored plus one, so that "none" costs nothing.

void ToProto(const PutRegister& put, proto::ColumnState::Put* out) {
  out->set_timestamp(put.timestamp);
  out->set_sequence_id(put.sequence_id);
  out->set_value(put.value);
  out->set_dropped(put.dropped);
  if (put.expires_at != INT64_MAX) out->set_expires_at(put.expires_at);
}

PutRegister FromProto(proto::ColumnState::Put&& put) {
  return {put.timestamp(), put.sequence_id(), put.expires_at() == 0 ? INT64_MAX : put.expires_at(), put.dropped(),
          std::move(*put.mutable_value())};
}

void ToProto(const ColumnState& column, proto::ColumnState* out) {
  out->set_family(column.family);
  out->set_qualifier(column.qualifier);
  if (column.newest.timestamp != kNoTime) ToProto(column.newest, out->mutable_newest());
  out->set_column_marker(column.marker + 1);
  out->set_column_marker_sequence(column.marker_sequence);
  out->set_version_marker(column.version_marker + 1);
  for (const PutRegister& put : column.kept) ToProto(put, out->add_kept());
  for (int64_t time : column.deleted_versions) out->add_deleted_versions(time);
  out->set_forgotten(column.forgotten + 1);
  out->set_unsure(column.unsure + 1);
  out->set_told(column.told);
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

void ToProto(const FamilyStates& families, proto::UnitState* out) {
  for (const FamilyState& family : families.families) {
    proto::FamilyState* state = out->add_families();
    state->set_family(family.family);
    state->set_marker(family.marker + 1);
    state->set_marker_sequence(family.marker_sequence);
    state->set_version_marker(family.version_marker + 1);
    for (int64_t time : family.deleted_versions) state->add_deleted_versions(time);
    state->set_unsure(family.unsure + 1);
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

std::string EncodeUnit(const Unit& unit, bool with_families) {
  proto::UnitState state;
  state.set_format(kStateFormat);
  for (const ColumnState& column : unit.columns) ToProto(column, state.add_columns());
  if (with_families) ToProto(*unit.families, &state);
  state.set_doubted(unit.doubted);
  state.set_forgotten(unit.forgotten + 1);
  state.set_reserved(unit.reserved);
  return state.SerializeAsString();
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
  proto::UnitState state;
  state.set_format(kStateFormat);
  ToProto(families, &state);
  return state.SerializeAsString();
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
