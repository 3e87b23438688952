#include "indexer/state/state_writes.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <utility>

#include "base/quoted.h"
#include "indexer/remedies.h"
#include "indexer/state/state_table.h"
#include "indexer/state/unit_codec.h"

namespace fensi::indexer {
namespace {

/// The mutation of each bucket that takes more cells. None is large by its number of rows: a call has room for several.
class BucketFiller {
 public:
  explicit BucketFiller(std::vector<store::RowMutation>* mutations) : mutations_(mutations) {}

  void Add(std::string bucket, Cell cell) {
    const size_t bytes = cell.qualifier.size() + cell.value.size();
    const auto [place, made] = filling_.try_emplace(std::move(bucket), Filling{mutations_->size(), 0});
    Filling* filling = &place->second;
    const bool full =
        !made && ((*mutations_)[filling->mutation].cells.size() == kMostCells || filling->bytes + bytes > kMostBytes);
    if (full) *filling = {mutations_->size(), 0};
    if (filling->mutation == mutations_->size()) mutations_->push_back({place->first, {}});
    filling->bytes += bytes;
    (*mutations_)[filling->mutation].cells.push_back(std::move(cell));
  }

 private:
  static constexpr size_t kMostCells = 100;
  static constexpr size_t kMostBytes = size_t{256} << 10;
  struct Filling {
    size_t mutation = 0;
    size_t bytes = 0;
  };

  std::vector<store::RowMutation>* const mutations_;
  absl::flat_hash_map<std::string, Filling> filling_;
};

Cell NoteCell(const std::string& row, int64_t version, CellType type) {
  return {.family = kMarkerFamily, .qualifier = row, .timestamp = version, .type = type};
}

}  // namespace

InOrder StateWrites::States(const std::vector<RowWork*>& rows) const {
  return layout_.buckets() ? InBuckets(rows) : InOrder{{}, InRows(rows)};
}

std::vector<store::RowMutation> StateWrites::InRows(const std::vector<RowWork*>& rows) const {
  std::vector<store::RowMutation> mutations;
  mutations.reserve(rows.size());
  for (const RowWork* row : rows) {
    if (row->complete()) AddStateMutation(*row, row_units_, ttl_millis_, &mutations);
  }
  return mutations;
}

InOrder StateWrites::InBuckets(const std::vector<RowWork*>& rows) const {
  InOrder puts;
  BucketFiller filler(&puts.then);
  for (RowWork* row : rows) {
    if (!row->complete()) continue;
    for (const auto& [key, work] : row->units) {
      if (!work.dirty && !work.doubt_dirty) continue;
      std::string state = EncodeWhole(work.unit);
      row->apart = state.size() > layout_.most_in_bucket;
      if (row->apart) {
        AddApart(work.unit, &puts);
        continue;
      }
      // M3: the state's timestamp is the unit's version, so that a late write of an older state loses.
      Cell cell{.family = kStateFamily, .qualifier = row->row, .timestamp = StateVersion(work.unit)};
      cell.value = std::move(state);
      filler.Add(BucketOf(row->row, *layout_.bucket_bits), WithTtl(std::move(cell)));
    }
  }
  return puts;
}

Cell StateWrites::WithTtl(Cell cell) const {
  if (ttl_millis_) cell.tags.push_back(MakeTtlTag(*ttl_millis_));
  return cell;
}

/// Both cells always, so that they are of one version.
void StateWrites::AddApart(const Unit& unit, InOrder* puts) const {
  const int64_t version = StateVersion(unit);
  store::RowMutation own{unit.row, {}};
  own.cells.push_back(WithTtl({kDoubtFamily, DoubtQualifier(), version, CellType::kPut, EncodeDoubt(unit.doubt), {}}));
  own.cells.push_back(WithTtl({kStateFamily, "", version, CellType::kPut, EncodeUnit(unit, true), {}}));
  puts->then.push_back(std::move(own));
  puts->first.push_back({BucketOf(unit.row, *layout_.bucket_bits), {NoteCell(unit.row, version, CellType::kPut)}});
}

void StateWrites::AddIntent(const std::string& nonce, std::vector<Snapshot> shown, int64_t version, UnitWork* work,
                            InOrder* puts) const {
  const std::string& row = work->unit.row;
  Cell intent = IntentCell(nonce, work->unit, std::move(shown), version);
  work->intents.push_back({intent.family, intent.qualifier, intent.timestamp});
  puts->then.push_back({row, {std::move(intent)}});
  if (!layout_.buckets()) return;
  puts->first.push_back({BucketOf(row, *layout_.bucket_bits), {NoteCell(row, version, CellType::kPut)}});
}

void StateWrites::AddSettled(RowWork* row, InOrder* deletes) const {
  store::RowMutation mutation{row->row, {}};
  for (auto& [unit_key, work] : row->units) {
    // M8.1: an intent counts until a state of the unit is stored that settles it.
    if (work.unit.doubt.intent) continue;  // they still count
    for (Cell& intent : work.intents) {
      intent.type = CellType::kDeleteColumn;
      intent.value.clear();
      mutation.cells.push_back(std::move(intent));
    }
    work.intents.clear();
  }
  const bool noted = row->loaded && (std::exchange(row->noted, false) || !mutation.cells.empty());
  if (!mutation.cells.empty()) deletes->first.push_back(std::move(mutation));
  // M8.1: remove the note with the intents, except if the row's state is in a row of its own (M3).
  if (layout_.buckets() && noted && !row->apart) AddSettledNote(*row, deletes);
}

/// M8.1: up to the state, not to the note: unsettled intents of another attempt may be between them.
void StateWrites::AddSettledNote(const RowWork& row, InOrder* deletes) const {
  const Unit& unit = row.units.begin()->second.unit;
  if (unit.version == kNoTime || unit.doubt.intent) return;
  Cell note = NoteCell(row.row, StateVersion(unit), CellType::kDeleteColumn);
  deletes->then.push_back({BucketOf(row.row, *layout_.bucket_bits), {std::move(note)}});
}

Status StateWrites::Refusal(const std::string& table, const std::vector<store::RowMutation>& rows, const char* what,
                            const store::RejectedRow& rejected) const {
  return Status(StatusCode::kConfiguration, "state table " + table + " refuses the " + what + " of row " +
                                                QuotedBytes(SourceRowOf(rows[rejected.index])) + ": " +
                                                rejected.reason.words() + ". " + CompareTableRemedy());
}

const std::string& StateWrites::SourceRowOf(const store::RowMutation& mutation) const {
  const Cell& cell = mutation.cells.front();
  const bool of_bucket = layout_.buckets() && cell.family != kDoubtFamily && !cell.qualifier.empty();
  return of_bucket ? cell.qualifier : mutation.row;
}

}  // namespace fensi::indexer
