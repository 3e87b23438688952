#include "indexer/state/state_writes.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <utility>

#include "indexer/state/state_table.h"
#include "indexer/state/unit_codec.h"

namespace fensi::indexer {
namespace {

/// The mutation of each bucket that takes more cells. No mutation is large by its number of rows: a call has room for
/// several, and a store is asked for no more in one of them than in those of single rows.
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

std::vector<store::RowMutation> StateWrites::States(const std::vector<RowWork*>& rows) const {
  return layout_.buckets() ? InBuckets(rows) : InRows(rows);
}

std::vector<store::RowMutation> StateWrites::InRows(const std::vector<RowWork*>& rows) const {
  std::vector<store::RowMutation> mutations;
  mutations.reserve(rows.size());
  for (const RowWork* row : rows) {
    if (row->complete()) AddStateMutation(*row, row_units_, ttl_millis_, &mutations);
  }
  return mutations;
}

std::vector<store::RowMutation> StateWrites::InBuckets(const std::vector<RowWork*>& rows) const {
  std::vector<store::RowMutation> mutations;
  BucketFiller filler(&mutations);
  for (const RowWork* row : rows) {
    if (!row->complete()) continue;
    for (const auto& [key, work] : row->units) {
      if (!work.dirty && !work.doubt_dirty) continue;
      Cell cell{.family = kStateFamily,
                .qualifier = row->row,
                .timestamp = StateVersion(work.unit),
                .type = CellType::kPut,
                .value = EncodeWhole(work.unit)};
      if (ttl_millis_) cell.tags.push_back(MakeTtlTag(*ttl_millis_));
      filler.Add(BucketOf(row->row, *layout_.bucket_bits), std::move(cell));
    }
  }
  return mutations;
}

void StateWrites::AddIntent(const std::string& nonce, std::vector<Snapshot> shown, int64_t version, UnitWork* work,
                            std::vector<store::RowMutation>* puts) const {
  const std::string& row = work->unit.row;
  Cell intent = IntentCell(nonce, work->unit, std::move(shown), version);
  work->intents.push_back({intent.family, intent.qualifier, intent.timestamp});
  puts->push_back({row, {std::move(intent)}});
  if (!layout_.buckets()) return;
  puts->push_back({BucketOf(row, *layout_.bucket_bits), {NoteCell(row, version, CellType::kPut)}});
}

void StateWrites::AddSettled(RowWork* row, std::vector<store::RowMutation>* deletes) const {
  store::RowMutation mutation{row->row, {}};
  for (auto& [unit_key, work] : row->units) {
    if (work.unit.doubt.intent) continue;  // they still count
    for (Cell& intent : work.intents) {
      intent.type = CellType::kDeleteColumn;
      intent.value.clear();
      mutation.cells.push_back(std::move(intent));
    }
    work.intents.clear();
  }
  const bool noted = std::exchange(row->noted, kNoTime) != kNoTime || !mutation.cells.empty();
  if (!mutation.cells.empty()) deletes->push_back(std::move(mutation));
  if (layout_.buckets() && noted) AddSettledNote(*row, deletes);
}

/// Up to the state, and not to what was noted: another attempt may stand between them whose intents nobody has settled.
void StateWrites::AddSettledNote(const RowWork& row, std::vector<store::RowMutation>* deletes) const {
  const Unit& unit = row.units.begin()->second.unit;
  if (unit.version == kNoTime || unit.doubt.intent) return;
  Cell note = NoteCell(row.row, StateVersion(unit), CellType::kDeleteColumn);
  deletes->push_back({BucketOf(row.row, *layout_.bucket_bits), {std::move(note)}});
}

}  // namespace fensi::indexer
