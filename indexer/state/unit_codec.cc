#include "indexer/state/unit_codec.h"

#include <algorithm>

#include "base/field_reader.h"
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

/// A time that is stored plus one.
int64_t Time(const FieldReader& in) { return static_cast<int64_t>(in.number() - 1); }

bool Read(std::string_view bytes, PutRegister* put) {
  using Put = proto::ColumnState::Put;
  if (put->timestamp == kNoTime) put->timestamp = 0;  // there is a put
  FieldReader in(bytes);
  while (in.Next()) {
    switch (in.tag()) {
      case FieldReader::Number(Put::kTimestampFieldNumber):
        put->timestamp = static_cast<int64_t>(in.number());
        break;
      case FieldReader::Number(Put::kSequenceIdFieldNumber):
        put->sequence_id = in.number();
        break;
      case FieldReader::Length(Put::kValueFieldNumber):
        put->value = in.bytes();
        break;
      case FieldReader::Number(Put::kExpiresAtFieldNumber):
        put->expires_at = in.number() == 0 ? INT64_MAX : static_cast<int64_t>(in.number());
        break;
      case FieldReader::Number(Put::kDroppedFieldNumber):
        put->dropped = in.number() != 0;
        break;
    }
  }
  return in.ok();
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

bool ReadNumbers(std::string_view bytes, std::vector<int64_t>* numbers) {
  FieldReader in(bytes);
  while (in.NextPacked()) numbers->push_back(static_cast<int64_t>(in.number()));
  return in.ok();
}

/// They were kept unsorted once.
void Sort(std::vector<int64_t>* versions) {
  if (!std::is_sorted(versions->begin(), versions->end())) std::sort(versions->begin(), versions->end());
}

/// A field of the column that is no number; passes over what it does not know.
bool ReadBytes(const FieldReader& in, ColumnState* column) {
  using Column = proto::ColumnState;
  switch (in.tag()) {
    case FieldReader::Length(Column::kFamilyFieldNumber):
      column->family = in.bytes();
      return true;
    case FieldReader::Length(Column::kQualifierFieldNumber):
      column->qualifier = in.bytes();
      return true;
    case FieldReader::Length(Column::kNewestFieldNumber):
      return Read(in.bytes(), &column->newest);
    case FieldReader::Length(Column::kKeptFieldNumber):
      return Read(in.bytes(), &column->kept.emplace_back());
    case FieldReader::Length(Column::kDeletedVersionsFieldNumber):
      return ReadNumbers(in.bytes(), &column->deleted_versions);
  }
  return true;
}

void ReadNumber(const FieldReader& in, ColumnState* column) {
  using Column = proto::ColumnState;
  switch (in.tag()) {
    case FieldReader::Number(Column::kColumnMarkerFieldNumber):
      column->marker = Time(in);
      break;
    case FieldReader::Number(Column::kColumnMarkerSequenceFieldNumber):
      column->marker_sequence = in.number();
      break;
    case FieldReader::Number(Column::kVersionMarkerFieldNumber):
      column->version_marker = Time(in);
      break;
    case FieldReader::Number(Column::kDeletedVersionsFieldNumber):
      column->deleted_versions.push_back(static_cast<int64_t>(in.number()));
      break;
    case FieldReader::Number(Column::kForgottenFieldNumber):
      column->forgotten = Time(in);
      break;
    case FieldReader::Number(Column::kUnsureFieldNumber):
      column->unsure = Time(in);
      break;
    case FieldReader::Number(Column::kToldFieldNumber):
      column->told = in.number() != 0;
      break;
  }
}

bool Read(std::string_view bytes, ColumnState* column) {
  FieldReader in(bytes);
  while (in.Next()) {
    if (!ReadBytes(in, column)) return false;
    ReadNumber(in, column);
  }
  Sort(&column->deleted_versions);
  return in.ok();
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

bool Read(std::string_view bytes, FamilyState* family) {
  using Family = proto::FamilyState;
  FieldReader in(bytes);
  while (in.Next()) {
    switch (in.tag()) {
      case FieldReader::Length(Family::kFamilyFieldNumber):
        family->family = in.bytes();
        break;
      case FieldReader::Number(Family::kMarkerFieldNumber):
        family->marker = Time(in);
        break;
      case FieldReader::Number(Family::kMarkerSequenceFieldNumber):
        family->marker_sequence = in.number();
        break;
      case FieldReader::Number(Family::kVersionMarkerFieldNumber):
        family->version_marker = Time(in);
        break;
      case FieldReader::Length(Family::kDeletedVersionsFieldNumber):
        if (!ReadNumbers(in.bytes(), &family->deleted_versions)) return false;
        break;
      case FieldReader::Number(Family::kDeletedVersionsFieldNumber):
        family->deleted_versions.push_back(static_cast<int64_t>(in.number()));
        break;
      case FieldReader::Number(Family::kUnsureFieldNumber):
        family->unsure = Time(in);
        break;
    }
  }
  Sort(&family->deleted_versions);
  return in.ok();
}

/// What a UnitState says of a unit alone.
bool ReadUnit(const FieldReader& in, Unit* unit) {
  using State = proto::UnitState;
  switch (in.tag()) {
    case FieldReader::Length(State::kColumnsFieldNumber):
      return Read(in.bytes(), &unit->columns.emplace_back());
    case FieldReader::Number(State::kDoubtedFieldNumber):
      unit->doubted = in.number() != 0;
      return true;
    case FieldReader::Number(State::kReservedFieldNumber):
      unit->reserved = in.number() != 0;
      return true;
    case FieldReader::Number(State::kForgottenFieldNumber):
      unit->forgotten = Time(in);
      return true;
  }
  return true;
}

/// A UnitState: of a unit, or of the markers of a row (`unit` is null).
struct StateRead {
  uint32_t format = 0;
  std::vector<FamilyState> families;
  std::string_view doubt;
};

bool ReadState(std::string_view bytes, StateRead* state, Unit* unit) {
  using State = proto::UnitState;
  FieldReader in(bytes);
  while (in.Next()) {
    bool good = true;
    if (in.tag() == FieldReader::Number(State::kFormatFieldNumber)) state->format = static_cast<uint32_t>(in.number());
    if (in.tag() == FieldReader::Length(State::kFamiliesFieldNumber)) {
      good = Read(in.bytes(), &state->families.emplace_back());
    }
    if (in.tag() == FieldReader::Length(State::kDoubtFieldNumber)) state->doubt = in.bytes();
    if (unit != nullptr) good &= ReadUnit(in, unit);
    if (!good) return false;
  }
  return in.ok();
}

/// Of a unit without older puts, as nearly all are.
size_t MostBytes(const Unit& unit) {
  constexpr size_t kNumbers = 64;
  size_t bytes = kNumbers;
  for (const ColumnState& column : unit.columns) {
    bytes += kNumbers + column.family.size() + column.qualifier.size() + column.newest.value.size();
  }
  return bytes;
}

Status Checked(bool decoded, uint32_t format) {
  const bool of_no_format = format == 0;  // every format writes its number
  if (!decoded || of_no_format) return Status(StatusCode::kInternal, "a state cell cannot be decoded");
  return CheckFormat("a state cell", format, kStateFormat, "build the index anew under another name");
}

}  // namespace

// Of each event a unit is written and remembered, and many are read: no message is made of it.
void EncodeUnit(const Unit& unit, bool with_families, std::string* bytes) {
  using State = proto::UnitState;
  bytes->reserve(bytes->size() + MostBytes(unit));
  FieldWriter out(bytes);
  out.Number(State::kFormatFieldNumber, kStateFormat);
  for (const ColumnState& column : unit.columns) out.Message(State::kColumnsFieldNumber, [&] { Write(column, &out); });
  if (with_families) Write(*unit.families, &out);
  out.Number(State::kDoubtedFieldNumber, unit.doubted);
  out.Number(State::kReservedFieldNumber, unit.reserved);
  out.Number(State::kForgottenFieldNumber, Unsigned(unit.forgotten + 1));
}

std::string EncodeUnit(const Unit& unit, bool with_families) {
  std::string bytes;
  EncodeUnit(unit, with_families, &bytes);
  return bytes;
}

std::string EncodeWhole(const Unit& unit) {
  std::string bytes;
  EncodeUnit(unit, /*with_families=*/true, &bytes);
  if (unit.doubt.active()) FieldWriter(&bytes).Bytes(proto::UnitState::kDoubtFieldNumber, EncodeDoubt(unit.doubt));
  return bytes;
}

Status DecodeUnit(std::string_view bytes, Unit* unit) {
  unit->columns.clear();
  unit->doubted = unit->reserved = false;
  unit->forgotten = kNoTime;
  StateRead state;
  const bool decoded = ReadState(bytes, &state, unit);
  FENSI_RETURN_IF_ERROR(Checked(decoded, state.format));
  unit->own_families = unit->doubted && !unit->family.empty() && state.format >= kOwnFamiliesFormat;
  if (unit->own_families) unit->families = std::make_shared<FamilyStates>();
  if (!state.families.empty()) unit->families->families = std::move(state.families);
  return state.doubt.empty() ? Status() : DecodeDoubt(state.doubt, &unit->doubt);
}

void EncodeFamilies(const FamilyStates& families, std::string* bytes) {
  FieldWriter out(bytes);
  out.Number(proto::UnitState::kFormatFieldNumber, kStateFormat);
  Write(families, &out);
}

std::string EncodeFamilies(const FamilyStates& families) {
  std::string bytes;
  EncodeFamilies(families, &bytes);
  return bytes;
}

Status DecodeFamilies(std::string_view bytes, FamilyStates* families) {
  StateRead state;
  const bool decoded = ReadState(bytes, &state, nullptr);
  FENSI_RETURN_IF_ERROR(Checked(decoded, state.format));
  families->families = std::move(state.families);
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
  const bool decoded = state.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
  FENSI_RETURN_IF_ERROR(Checked(decoded, state.format()));
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
