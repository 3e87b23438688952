#include "indexer/state/state_table.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/bytes.h"
#include "base/quoted.h"
#include "indexer/state/layout.h"
#include "indexer/state/unit_codec.h"

namespace fensi::indexer {
namespace {

constexpr char kFinished = 'd';
constexpr char kIntent = 'i';
constexpr size_t kNonceBytes = 8;

/// The unit of a cell of kDoubtFamily, if the unit is needed.
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

/// A damaged cell tells only its timestamp. Its version may be one above that.
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
    // M8.4: each snapshot reaches up to the version of its own intent.
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
  if (qualifier.empty()) return Status(StatusCode::kInternal, "the qualifier is empty");
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
    // M8: a state that cannot be decoded is unknown, so the source row decides.
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
  // M8.1: a cell per attempt, so a late write of a paused owner replaces no other intent.
  const std::string key = kIntent + nonce + UnitKey(unit.family, unit.qualifier);
  return StateCell(kDoubtFamily, key, version, EncodeDoubt({.intent = true, .snapshots = std::move(shown)}));
}

namespace {

// Cells of a page of unknown size: as many as took little the last time.
constexpr size_t kFewestCells = 20;
constexpr size_t kMostCells = 2'000;
constexpr size_t kPageBytes = size_t{4} << 20;

size_t CellsOfNextPage(size_t cells, const std::vector<store::Row>& page) {
  size_t bytes = 0;
  for (const store::Row& row : page) bytes += store::HeldBytes(row);
  return std::clamp(bytes > kPageBytes ? cells / 8 : cells * 2, kFewestCells, kMostCells);
}

store::ScanRequest AllStates() {
  store::ScanRequest request;
  for (const char* family : {kStateFamily, kDoubtFamily, kMarkerFamily}) request.columns.push_back({family, {}});
  request.max_cells = kFewestCells;
  return request;
}

/// A value for which a state has no room has no entry; a stateless index has no such bound.
bool LeftSomethingOut(const Unit& unit) {
  const auto dropped = [](const ColumnState& column) { return column.newest.dropped; };
  return unit.forgotten != kNoTime || std::any_of(unit.columns.begin(), unit.columns.end(), dropped);
}

/// One marker of each family, up to the newest cell: of a bucket, too.
void AddRemovals(const store::Row& row, std::vector<store::RowMutation>* removals) {
  std::map<std::string, int64_t> newest;
  for (const Cell& cell : row.cells) {
    const auto [place, added] = newest.try_emplace(cell.family, cell.timestamp);
    if (!added) place->second = std::max(place->second, cell.timestamp);
  }
  for (const auto& [family, timestamp] : newest) {
    removals->push_back({row.row, {{.family = family, .timestamp = timestamp, .type = CellType::kDeleteFamily}}});
  }
}

}  // namespace

StateScan::StateScan(const mapping::Index* index, store::Store* store, const StateLayout& layout)
    : index_(index), store_(store), layout_(layout), request_(AllStates()) {}

Result<bool> StateScan::Next(std::vector<StoredState>* page) {
  page->clear();
  while (more_ && page->empty()) {
    FENSI_ASSIGN_OR_RETURN(const std::vector<store::Row> rows, store_->Scan(index_->state_table(), request_));
    for (const store::Row& row : rows) {
      for (const Cell& cell : row.cells) {
        const Status taken = Take(row.row, cell, page);
        if (taken.ok()) continue;
        return taken.WithContext("state table " + index_->state_table() + ", row " + QuotedBytes(row.row) +
                                 ", column " + QuotedColumn(cell.family, cell.qualifier));
      }
    }
    request_.max_cells = CellsOfNextPage(request_.max_cells, rows);
    more_ = store::ToNextPage(rows, &request_);
  }
  return !page->empty();
}

Status StateScan::Take(const std::string& row, const Cell& cell, std::vector<StoredState>* page) const {
  StoredState found{.row = row, .timestamp = cell.timestamp};
  // A large state is in a row of its own, where its qualifier is empty.
  const bool in_bucket = layout_.buckets() && cell.family != kDoubtFamily && !cell.qualifier.empty();
  if (in_bucket) found.row = cell.qualifier;
  if (cell.family == kMarkerFamily) {
    found.kind = StoredState::Kind::kMarkers;
  } else if (cell.family == kDoubtFamily) {
    FENSI_RETURN_IF_ERROR(TakeDoubt(cell, &found));
  } else {
    if (!in_bucket) found.unit = cell.qualifier;
    Unit unit;
    const Status decoded = DecodeUnit(cell.value, &unit);
    if (!decoded.ok() && decoded.code() != StatusCode::kInternal) return decoded;
    found.open = !decoded.ok() || unit.doubt.active() || unit.reserved || LeftSomethingOut(unit);
  }
  page->push_back(std::move(found));
  return {};
}

Status StateScan::TakeDoubt(const Cell& cell, StoredState* found) const {
  found->kind = StoredState::Kind::kDoubt;
  FENSI_ASSIGN_OR_RETURN(const DoubtName name, ParseDoubtName(cell.qualifier));
  found->unit = name.unit;
  Doubt doubt;
  const Status decoded = DecodeDoubt(cell.value, &doubt);
  if (!decoded.ok() && decoded.code() != StatusCode::kInternal) return decoded;
  found->open = !decoded.ok() || name.intent || doubt.active();
  return {};
}

Status RemoveStates(const mapping::Index& index, store::Store* store) {
  store::ScanRequest request = AllStates();
  request.keys_only = true;
  request.max_cells = kMostCells;
  for (bool more = true; more;) {
    FENSI_ASSIGN_OR_RETURN(const std::vector<store::Row> rows, store->Scan(index.state_table(), request));
    std::vector<store::RowMutation> removals;
    for (const store::Row& row : rows) AddRemovals(row, &removals);
    more = store::ToNextPage(rows, &request);
    if (removals.empty()) continue;
    FENSI_ASSIGN_OR_RETURN(const std::vector<store::RejectedRow> removed, store->Delete(index.state_table(), removals));
    if (!removed.empty()) return removed.front().reason;
  }
  return {};
}

Result<bool> HasStates(const mapping::Index& index, store::Store* store) {
  store::ScanRequest request = AllStates();
  request.max_rows = request.max_cells = 1;
  FENSI_ASSIGN_OR_RETURN(const std::vector<store::Row> rows, store->Scan(index.state_table(), request));
  return !rows.empty();
}

}  // namespace fensi::indexer
