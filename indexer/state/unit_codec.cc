#include "indexer/state/unit_codec.h"

#include <algorithm>
#include <climits>
#include <tuple>
#include <type_traits>

#include "base/field_reader.h"
#include "base/format_version.h"
#include "indexer/state/field_writer.h"
#include "proto/state.pb.h"

namespace fensi::indexer {
namespace {

/// The first format in which a column unit that was ambiguous has markers of its own.
constexpr uint32_t kOwnFamiliesFormat = 2;

/// How a number is encoded in a message.
enum class As {
  kItself,
  kPlusOne,      // times, so that kNoTime costs nothing
  kUnlessNever,  // left out where it is INT64_MAX
};

/// A field of a message: its number, and the member of the struct that has its value. A string is bytes, a vector a
/// repeated field, a struct with fields of its own a message.
template <typename Struct, typename Value>
struct Field {
  constexpr Field(int field_number, Value Struct::*of_struct, As stored = As::kItself)
      : number(field_number), member(of_struct), as(stored) {}
  int number;
  Value Struct::*member;
  As as;
};

/// The fields of a struct in the order of their numbers, which is that of their bytes.
template <typename Struct>
constexpr int kFields = 0;

using Put = proto::ColumnState::Put;
template <>
constexpr auto kFields<PutRegister> = std::tuple(Field(Put::kTimestampFieldNumber, &PutRegister::timestamp),
                                                 Field(Put::kSequenceIdFieldNumber, &PutRegister::sequence_id),
                                                 Field(Put::kValueFieldNumber, &PutRegister::value),
                                                 Field(Put::kExpiresAtFieldNumber, &PutRegister::expires_at,
                                                       As::kUnlessNever),
                                                 Field(Put::kDroppedFieldNumber, &PutRegister::dropped));

using Column = proto::ColumnState;
template <>
constexpr auto kFields<ColumnState> =
    std::tuple(Field(Column::kFamilyFieldNumber, &ColumnState::family),
               Field(Column::kQualifierFieldNumber, &ColumnState::qualifier),
               Field(Column::kNewestFieldNumber, &ColumnState::newest),
               Field(Column::kColumnMarkerFieldNumber, &ColumnState::marker, As::kPlusOne),
               Field(Column::kVersionMarkerFieldNumber, &ColumnState::version_marker, As::kPlusOne),
               Field(Column::kKeptFieldNumber, &ColumnState::kept),
               Field(Column::kDeletedVersionsFieldNumber, &ColumnState::deleted_versions),
               Field(Column::kColumnMarkerSequenceFieldNumber, &ColumnState::marker_sequence),
               Field(Column::kForgottenFieldNumber, &ColumnState::forgotten, As::kPlusOne),
               Field(Column::kUnsureFieldNumber, &ColumnState::unsure, As::kPlusOne),
               Field(Column::kToldFieldNumber, &ColumnState::told));

using Family = proto::FamilyState;
template <>
constexpr auto kFields<FamilyState> =
    std::tuple(Field(Family::kFamilyFieldNumber, &FamilyState::family),
               Field(Family::kMarkerFieldNumber, &FamilyState::marker, As::kPlusOne),
               Field(Family::kVersionMarkerFieldNumber, &FamilyState::version_marker, As::kPlusOne),
               Field(Family::kMarkerSequenceFieldNumber, &FamilyState::marker_sequence),
               Field(Family::kDeletedVersionsFieldNumber, &FamilyState::deleted_versions),
               Field(Family::kUnsureFieldNumber, &FamilyState::unsure, As::kPlusOne));

// A UnitState has both, and a format: of a unit all, of the markers that the columns of a row share only these.
using State = proto::UnitState;
template <>
constexpr auto kFields<FamilyStates> = std::tuple(Field(State::kFamiliesFieldNumber, &FamilyStates::families));
template <>
constexpr auto kFields<Unit> = std::tuple(Field(State::kColumnsFieldNumber, &Unit::columns),
                                          Field(State::kDoubtedFieldNumber, &Unit::doubted),
                                          Field(State::kReservedFieldNumber, &Unit::reserved),
                                          Field(State::kForgottenFieldNumber, &Unit::forgotten, As::kPlusOne));

/// As protobuf writes a number of any type.
template <typename Value>
uint64_t Stored(Value value, As as) {
  const auto number = static_cast<uint64_t>(value);
  if (as == As::kUnlessNever && number == INT64_MAX) return 0;
  return as == As::kPlusOne ? number + 1 : number;
}

template <typename Value>
Value Read(uint64_t stored, As as) {
  if (as == As::kUnlessNever && stored == 0) stored = INT64_MAX;
  return static_cast<Value>(as == As::kPlusOne ? stored - 1 : stored);
}

/// The fields with numbers from `first` to `last`.
template <typename Struct>
void Write(const Struct& from, FieldWriter* out, int first = 0, int last = INT_MAX);

template <typename Struct, typename Value>
void WriteField(const Struct& from, const Field<Struct, Value>& field, FieldWriter* out) {
  const Value& value = from.*field.member;
  if constexpr (std::is_arithmetic_v<Value>) {
    out->Number(field.number, Stored(value, field.as));
  } else if constexpr (std::is_same_v<Value, std::string>) {
    out->Bytes(field.number, value);
  } else if constexpr (std::is_same_v<Value, std::vector<int64_t>>) {
    out->Numbers(field.number, value);
  } else if constexpr (std::is_same_v<Value, PutRegister>) {
    if (value.timestamp != kNoTime) out->Message(field.number, [&] { Write(value, out); });
  } else {
    for (const auto& each : value) out->Message(field.number, [&] { Write(each, out); });
  }
}

template <typename Struct>
void Write(const Struct& from, FieldWriter* out, int first, int last) {
  const auto write = [&](const auto& field) {
    if (field.number >= first && field.number <= last) WriteField(from, field, out);
  };
  std::apply([&](const auto&... field) { (write(field), ...); }, kFields<Struct>);
}

template <typename Struct>
bool Read(std::string_view bytes, Struct* to);

bool ReadNumbers(std::string_view bytes, std::vector<int64_t>* numbers) {
  FieldReader in(bytes);
  while (in.NextPacked()) numbers->push_back(static_cast<int64_t>(in.number()));
  return in.ok();
}

/// Passes over a field with another number. False: its bytes are no message.
template <typename Struct, typename Value>
bool ReadField(const FieldReader& in, const Field<Struct, Value>& field, Struct* to) {
  Value& value = to->*field.member;
  const bool is_number = in.tag() == FieldReader::Number(field.number);
  const bool is_bytes = in.tag() == FieldReader::Length(field.number);
  if constexpr (std::is_arithmetic_v<Value>) {
    if (is_number) value = Read<Value>(in.number(), field.as);
  } else if constexpr (std::is_same_v<Value, std::string>) {
    if (is_bytes) value = in.bytes();
  } else if constexpr (std::is_same_v<Value, std::vector<int64_t>>) {
    if (is_number) value.push_back(static_cast<int64_t>(in.number()));
    if (is_bytes) return ReadNumbers(in.bytes(), &value);
  } else if constexpr (std::is_same_v<Value, PutRegister>) {
    if (is_bytes) return Read(in.bytes(), &value);
  } else {
    if (is_bytes) return Read(in.bytes(), &value.emplace_back());
  }
  return true;
}

/// The field that was read last, if the struct has it.
template <typename Struct>
bool ReadInto(const FieldReader& in, Struct* to) {
  return std::apply([&](const auto&... field) { return (ReadField(in, field, to) && ...); }, kFields<Struct>);
}

template <typename Struct>
bool Read(std::string_view bytes, Struct* to) {
  if constexpr (std::is_same_v<Struct, PutRegister>) {
    if (to->timestamp == kNoTime) to->timestamp = 0;  // there is a put
  }
  FieldReader in(bytes);
  while (in.Next()) {
    if (!ReadInto(in, to)) return false;
  }
  if constexpr (requires { to->deleted_versions; }) {  // they were kept unsorted once
    if (!std::is_sorted(to->deleted_versions.begin(), to->deleted_versions.end())) {
      std::sort(to->deleted_versions.begin(), to->deleted_versions.end());
    }
  }
  return in.ok();
}

/// A UnitState: of a unit, or of the markers of a row (`unit` is null).
struct StateRead {
  uint32_t format = 0;
  FamilyStates families;
  std::string_view doubt;
};

bool ReadState(std::string_view bytes, StateRead* state, Unit* unit) {
  FieldReader in(bytes);
  while (in.Next()) {
    if (in.tag() == FieldReader::Number(State::kFormatFieldNumber)) state->format = static_cast<uint32_t>(in.number());
    if (in.tag() == FieldReader::Length(State::kDoubtFieldNumber)) state->doubt = in.bytes();
    if (!ReadInto(in, &state->families) || (unit != nullptr && !ReadInto(in, unit))) return false;
  }
  return in.ok();
}

/// For a unit without older puts, as nearly all are.
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
  if (!decoded || of_no_format) return Status(StatusCode::kInternal, "the bytes of the cell cannot be decoded");
  return CheckFormat("a state cell", format, kStateFormat, "build the index again under another name");
}

}  // namespace

// Every event writes and caches a unit, and reads many: so no message object is built.
void EncodeUnit(const Unit& unit, bool with_families, std::string* bytes) {
  bytes->reserve(bytes->size() + MostBytes(unit));
  FieldWriter out(bytes);
  out.Number(State::kFormatFieldNumber, kStateFormat);
  Write(unit, &out, 0, State::kFamiliesFieldNumber);
  if (with_families) Write(*unit.families, &out);
  Write(unit, &out, State::kFamiliesFieldNumber);
}

std::string EncodeUnit(const Unit& unit, bool with_families) {
  std::string bytes;
  EncodeUnit(unit, with_families, &bytes);
  return bytes;
}

std::string EncodeWhole(const Unit& unit) {
  std::string bytes;
  EncodeUnit(unit, /*with_families=*/true, &bytes);
  if (unit.doubt.active()) FieldWriter(&bytes).Bytes(State::kDoubtFieldNumber, EncodeDoubt(unit.doubt));
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
  if (!state.families.families.empty()) unit->families->families = std::move(state.families.families);
  return state.doubt.empty() ? Status() : DecodeDoubt(state.doubt, &unit->doubt);
}

void EncodeFamilies(const FamilyStates& families, std::string* bytes) {
  FieldWriter out(bytes);
  out.Number(State::kFormatFieldNumber, kStateFormat);
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
  families->families = std::move(state.families.families);
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
