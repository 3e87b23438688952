#include "indexer/state/state_table.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/quoted.h"
#include "indexer/state/layout.h"
#include "indexer/state/unit_codec.h"

namespace fensi::indexer {
namespace {

constexpr char kFinished = 'd';
constexpr char kIntent = 'i';
constexpr size_t kNonceBytes = 8;

/// The unit of a doubt cell, if it is among those that are needed.
UnitWork* UnitOfDoubt(std::string_view key, bool row_units, RowWork* row) {
  if (const auto found = row->units.find(key); found != row->units.end()) return &found->second;
  if (row_units || !row->all_units) return nullptr;
  const ColumnName column = SplitColumn(key);
  return row->FindOrAdd(column.family, column.qualifier);
}

std::string DamageText(const std::string& row, const Cell& cell, const Status& why) {
  return "the state of row " + Escape(row) + " is damaged: column " + ColumnText(cell.family, cell.qualifier) +
         ", version " + std::to_string(cell.timestamp) + ": " + why.message();
}

/// Bytes that fensi did not write are damage of the unit, and of no other. A format that this version does not read is
/// a failure.
Status NoteDamage(const Status& decoded, const Cell& cell, const std::string& row, std::string* damage) {
  if (decoded.code() != StatusCode::kInternal) return decoded;
  if (damage->empty()) *damage = DamageText(row, cell, decoded);
  return {};
}

Status TakeDoubt(const Cell& cell, bool row_units, RowWork* row) {
  const Result<DoubtName> name = ParseDoubtName(cell.qualifier);
  if (!name.ok()) return {};  // of no unit: a stranger put it
  UnitWork* work = UnitOfDoubt(name->unit, row_units, row);
  if (work == nullptr || work->known) return {};
  if (!name->intent) return NoteDamage(DecodeDoubt(cell.value, &work->unit.doubt), cell, row->row, &work->damage);
  work->intents.push_back(cell);
  return {};
}

/// Of its cell only the timestamp is known. Its version may be one above that.
void ForgetAll(Unit* unit) {
  unit->columns.clear();
  unit->doubt = {};
  if (unit->family.empty()) unit->families->families.clear();
  unit->own_families = false;
  unit->reserved = true;
}

/// M8: nothing that the registers say is sure, and the source is read with the next step. Of columns that come back
/// nothing is known up to the state's version.
void DoubtAll(UnitWork* work) {
  Unit& unit = work->unit;
  unit.doubted = true;
  work->AddSeen({}, unit.version);
  unit.forgotten = std::max(unit.forgotten, StateVersion(unit));
}

Status TakeCell(const Cell& cell, bool row_units, RowWork* row) {
  if (cell.family == kMarkerFamily) {
    row->families->version = cell.timestamp;
    const Status decoded = DecodeFamilies(cell.value, row->families.get());
    if (!decoded.ok()) row->families->families.clear();
    return NoteDamage(decoded, cell, row->row, &row->families_damage);
  }
  if (cell.family == kDoubtFamily) return TakeDoubt(cell, row_units, row);
  const ColumnName column = SplitColumn(cell.qualifier);
  UnitWork* work = row_units ? row->FindOrAdd("", "") : row->FindOrAdd(column.family, column.qualifier);
  if (work->known) return {};  // of the cache, where it is the same
  const Status decoded = DecodeUnit(cell.value, &work->unit);
  if (!decoded.ok()) ForgetAll(&work->unit);
  work->unit.version = cell.timestamp + (work->unit.reserved ? 1 : 0);
  return NoteDamage(decoded, cell, row->row, &work->damage);
}

/// M8.1: intents at or below the unit's state are settled; every other may have been acted upon.
Status TakeIntents(UnitWork* work) {
  const int64_t settled = StateVersion(work->unit);
  work->NoteLoaded();
  work->looked = work->unit.doubt.active();
  for (const Cell& cell : work->intents) {
    if (cell.timestamp <= settled) continue;
    work->unit.version = std::max(work->unit.version, cell.timestamp);
    Doubt intent;
    const Status decoded = DecodeDoubt(cell.value, &intent);
    if (!decoded.ok()) {
      FENSI_RETURN_IF_ERROR(NoteDamage(decoded, cell, work->unit.row, &work->damage));
      continue;
    }
    work->unit.doubt.intent = true;
    for (Snapshot& read : intent.snapshots) work->AddSeen(std::move(read), cell.timestamp);
  }
  return {};
}

Cell StateCell(const char* family, const std::string& key, int64_t version, std::string value) {
  return {.family = family, .qualifier = key, .timestamp = version, .type = CellType::kPut, .value = std::move(value)};
}

}  // namespace

std::string DoubtQualifier() { return {kFinished}; }

Result<DoubtName> ParseDoubtName(std::string_view qualifier) {
  if (qualifier.empty()) return Status(StatusCode::kInternal, "a doubt cell without a qualifier");
  const bool intent = qualifier.front() == kIntent;
  const size_t head = intent ? 1 + kNonceBytes : 1;
  return DoubtName{intent, qualifier.substr(std::min(head, qualifier.size()))};
}

int64_t StateVersion(const Unit& unit) { return unit.version - (unit.reserved ? 1 : 0); }

bool MissingState(const RowWork& row, bool row_units, store::GetRequest* request) {
  request->row = row.row;
  request->columns.clear();
  if (row.all_units && !row_units) {
    for (const char* family : {kStateFamily, kDoubtFamily, kMarkerFamily}) request->columns.push_back({family, {}});
    return true;
  }
  for (const auto& [key, work] : row.units) {
    if (!work.known) request->columns.push_back({kStateFamily, key});
  }
  if (!request->columns.empty()) request->columns.push_back({kDoubtFamily, {}});
  if (!row_units && !row.families_known) request->columns.push_back({kMarkerFamily, ""});
  return !request->columns.empty();
}

Status TakeStateCell(const Cell& cell, bool row_units, RowWork* row) {
  const Status taken = TakeCell(cell, row_units, row);
  if (taken.ok()) return taken;
  return taken.WithContext("state of row " + QuotedBytes(row->row) + ", column " +
                           QuotedColumn(cell.family, cell.qualifier));
}

Status TakeState(const store::Row& answer, bool row_units, RowWork* row) {
  for (const Cell& cell : answer.cells) {
    if (cell.family == kMarkerFamily && row->families_known) continue;
    FENSI_RETURN_IF_ERROR(TakeStateCell(cell, row_units, row));
  }
  row->families_known = true;
  for (auto& [key, work] : row->units) {
    if (work.known) continue;
    if (Status taken = TakeIntents(&work); !taken.ok()) {
      return taken.WithContext("intents of row " + QuotedBytes(row->row) + ", unit '" + QuotedBytes(key) + "'");
    }
    if (work.damage.empty() && !work.unit.own_families) work.damage = row->families_damage;
    if (!work.damage.empty()) DoubtAll(&work);
    work.known = true;
  }
  row->loaded = true;
  return {};
}

void AddStateMutation(const RowWork& row, bool row_units, std::optional<int64_t> ttl_millis,
                      std::vector<store::RowMutation>* mutations) {
  store::RowMutation mutation{row.row, {}};
  for (const auto& [key, work] : row.units) {
    const Unit& unit = work.unit;
    if (work.dirty) {
      mutation.cells.push_back(
          StateCell(kStateFamily, key, StateVersion(unit), EncodeUnit(unit, row_units || unit.own_families)));
    }
    if (work.doubt_dirty) {
      mutation.cells.push_back(StateCell(kDoubtFamily, kFinished + key, StateVersion(unit), EncodeDoubt(unit.doubt)));
    }
  }
  if (row.families_dirty) {
    mutation.cells.push_back(StateCell(kMarkerFamily, "", row.families->version, EncodeFamilies(*row.families)));
  }
  if (ttl_millis) {
    for (Cell& cell : mutation.cells) cell.tags.push_back(MakeTtlTag(*ttl_millis));
  }
  if (!mutation.cells.empty()) mutations->push_back(std::move(mutation));
}

Cell IntentCell(const std::string& nonce, const Unit& unit, std::vector<Snapshot> shown, int64_t version) {
  const std::string key = kIntent + nonce + UnitKey(unit.family, unit.qualifier);
  return StateCell(kDoubtFamily, key, version, EncodeDoubt({.intent = true, .snapshots = std::move(shown)}));
}

}  // namespace fensi::indexer
