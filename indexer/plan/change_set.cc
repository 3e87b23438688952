#include "indexer/plan/change_set.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "indexer/state/row_work.h"

namespace fensi::indexer {
namespace {

/// The first bytes after `skip`, as a number with the same order.
uint64_t HeadOf(std::string_view row, size_t skip) {
  unsigned char bytes[8] = {};
  row.copy(reinterpret_cast<char*>(bytes), sizeof bytes, std::min(skip, row.size()));
  uint64_t head = 0;
  for (const unsigned char byte : bytes) head = head << 8 | byte;
  return head;
}

bool SameEntry(const mapping::Entry& a, const mapping::Entry& b) {
  return SameCell(a, b) && a.value == b.value && a.expires_at == b.expires_at;
}

/// The entry of a list that has the same cell as another one. A list of many is put in order once.
class CellFinder {
 public:
  explicit CellFinder(const mapping::EntryList& list) : list_(list) {
    if (list.size() <= kWalk) return;
    order_.resize(list.size());
    for (size_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::sort(order_.begin(), order_.end(), [this](size_t a, size_t b) { return Less(list_[a], list_[b]); });
  }

  bool Find(const mapping::Entry& wanted, mapping::Entry* found) const {
    if (order_.empty()) {
      for (size_t i = 0; i < list_.size(); ++i) {
        if (*found = list_[i]; SameCell(*found, wanted)) return true;
      }
      return false;
    }
    const auto place = std::lower_bound(order_.begin(), order_.end(), wanted,
                                        [this](size_t i, const mapping::Entry& e) { return Less(list_[i], e); });
    if (place == order_.end()) return false;
    *found = list_[*place];
    return SameCell(*found, wanted);
  }

 private:
  static constexpr size_t kWalk = 8;
  static bool Less(const mapping::Entry& a, const mapping::Entry& b) {
    return std::tie(a.row, a.qualifier, a.family, a.table) < std::tie(b.row, b.qualifier, b.family, b.table);
  }
  const mapping::EntryList& list_;
  std::vector<size_t> order_;
};

void AddTtl(int64_t put_version, int64_t expires_at, Cell* cell) {
  if (expires_at == INT64_MAX) return;
  cell->tags.push_back(MakeTtlTag(expires_at - put_version));
}

}  // namespace

/// Adds cells to their tables and rows; cells of one row come one after the other.
class ChangeSet::Giver {
 public:
  explicit Giver(Changes* changes) : changes_(changes) {}

  void Give(const mapping::Entry& place, Cell cell, Origin origin) {
    if (table_ == nullptr || name_ != place.table) {
      name_ = place.table;
      table_ = &(*changes_)[std::string(name_)];
    }
    table_->newest_period = std::max(table_->newest_period, place.period);
    cell.family = place.family;
    cell.qualifier = place.qualifier;
    RowFor(place.row, cell.tags)->cells.push_back(std::move(cell));
    table_->origins.push_back(origin);
  }

 private:
  /// The last one if it is the same and its cells expire alike.
  store::RowMutation* RowFor(std::string_view row, const std::vector<Tag>& tags) {
    std::vector<store::RowMutation>* rows = &table_->rows;
    if (rows->empty() || rows->back().row != row || rows->back().cells.back().tags != tags) {
      rows->push_back({std::string(row), {}});
    }
    return &rows->back();
  }

  Changes* const changes_;
  std::string_view name_;
  TableChanges* table_ = nullptr;
};

void ChangeSet::Expect(size_t cells) {
  changes_.reserve(cells);
  by_hash_.reserve(cells);
}

ChangeSet::Change* ChangeSet::Find(const mapping::Entry& entry) {
  const auto [place, is_first] = by_hash_.try_emplace(HashOfCell(entry), changes_.size());
  for (size_t i = place->second; !is_first; i = changes_[i].next_alike) {
    if (mapping::SameCell(changes_[i].cell, entry)) {
      changes_[i].cell.period = std::max(changes_[i].cell.period, entry.period);
      return &changes_[i];
    }
    if (changes_[i].next_alike != 0) continue;
    changes_[i].next_alike = changes_.size();
    break;
  }
  const mapping::Entry kept = Kept(entry);
  return &changes_.emplace_back(Change{.cell = kept});
}

/// Most cells of a batch are in one table and family.
mapping::Entry ChangeSet::Kept(const mapping::Entry& entry) {
  const mapping::Entry before = changes_.empty() ? mapping::Entry() : changes_.back().cell;
  mapping::Entry kept;
  const auto keep = [this](std::string_view bytes, std::string_view same) {
    if (bytes == same) return same;
    char* room = Room(bytes.size());
    bytes.copy(room, bytes.size());
    return std::string_view(room, bytes.size());
  };
  kept.table = keep(entry.table, before.table);
  kept.row = keep(entry.row, before.row);
  kept.family = keep(entry.family, before.family);
  kept.qualifier = keep(entry.qualifier, before.qualifier);
  kept.period = entry.period;
  bytes_ += sizeof(Change) + sizeof(Cell);
  return kept;
}

char* ChangeSet::Room(size_t bytes) {
  bytes_ += bytes;
  return static_cast<char*>(memory_.allocate(bytes, 1));
}

void ChangeSet::KeepValue(std::string_view value, Change* change) {
  if (value.size() > change->room.size()) change->room = {Room(value.size()), value.size()};
  value.copy(change->room.data(), value.size());
  change->value = {change->room.data(), value.size()};
}

ChangeSet::Shared* ChangeSet::SharedOf(Change* change) {
  if (change->shared == nullptr) change->shared = std::make_unique<Shared>();
  return change->shared.get();
}

void ChangeSet::Put(const mapping::Entry& entry, int64_t version, size_t record, int64_t replaces) {
  Change* change = Find(entry);
  // M5: each cell keeps one planned put, the newest.
  if (change->put_version > version) return;
  change->put_version = version;
  change->expires_at = entry.expires_at;
  KeepValue(entry.value, change);
  change->put = {record, std::max(change->put.replaces, replaces)};
}

void ChangeSet::PutInstead(const mapping::Entry& entry, int64_t version, size_t record) {
  Put(entry, version, record, version - 1);
  Change* change = Find(entry);
  // M5: nothing at or below the put can show, so the removal is not needed. A removal above the put stays.
  if (change->remove_version <= version) change->remove_version = -1;
  if (entry.expires_at != INT64_MAX) Outlived(version - 1, record, change);
}

void ChangeSet::Outlived(int64_t version, size_t record, Change* change) {
  change->outlives = version;
  change->removed_by = record;
}

void ChangeSet::Remove(const mapping::Entry& entry, int64_t version, size_t record) {
  Change* change = Find(entry);
  change->removed_by = record;
  // M5: one removal per cell, up to the highest version. It is written although its put was planned in the same batch,
  // because another attempt may have written the put.
  change->remove_version = std::max(change->remove_version, version);
  // M5, H11: the removal would delete the planned put at once.
  if (change->put_version <= version) change->put_version = -1;
}

void ChangeSet::Step(const mapping::EntryList& before, const mapping::EntryList& after, int64_t old_version,
                     int64_t new_version, size_t record) {
  const CellFinder in_before(before);
  mapping::Entry other;
  for (size_t i = 0; i < after.size(); ++i) {
    const mapping::Entry entry = after[i];
    const bool replaces = in_before.Find(entry, &other);
    // M23: an entry that stays is put again only if a newer source cell would let it live longer.
    if (replaces && SameEntry(entry, other) && entry.newest <= other.newest) continue;
    Put(entry, new_version, record, replaces ? old_version : Origin::kNoEntry);
    if (replaces && other.expires_at > entry.expires_at) Outlived(old_version, record, Find(entry));
  }
  if (before.empty()) return;
  const CellFinder in_after(after);
  for (size_t i = 0; i < before.size(); ++i) {
    const mapping::Entry entry = before[i];
    // M6: no entry of the unit is younger than the version before the step, and none that is put later is older.
    if (!in_after.Find(entry, &other)) Remove(entry, old_version, record);
  }
}

void ChangeSet::RemoveExactly(const mapping::Entry& entry, int64_t version, size_t record) {
  Change* change = Find(entry);
  change->removed_by = record;
  Shared* shared = SharedOf(change);
  shared->exact_removals.push_back(version);
  bytes_ += sizeof(Cell);
  std::erase_if(shared->puts, [&](const SharedPut& put) { return put.version == version; });
}

void ChangeSet::SharedStep(const mapping::EntryList& before, const mapping::EntryList& after, int64_t old_version,
                           int64_t new_version, size_t record) {
  if (new_version == old_version && after.size() == before.size()) return;
  for (size_t i = 0; i < before.size(); ++i) {
    RemoveExactly(before[i], old_version, record);
  }
  for (size_t i = 0; i < after.size(); ++i) {
    Shared* shared = SharedOf(Find(after[i]));
    bytes_ += sizeof(SharedPut) + after[i].value.size();
    shared->puts.push_back({new_version, after[i].expires_at, std::string(after[i].value), record});
  }
}

void ChangeSet::PutAgain(const mapping::Entry& entry, int64_t version, size_t record) {
  Shared* shared = SharedOf(Find(entry));
  bytes_ += sizeof(SharedPut) + entry.value.size();
  // M14: the row's own version stays although a suspect names it.
  std::erase(shared->exact_removals, version);
  shared->puts.push_back({version, entry.expires_at, std::string(entry.value), record});
}

/// A removal below the put would only repeat what the put's version already settles (M5), unless the put expires and
/// what lies below would show again.
int64_t ChangeSet::Removed(const Change& change) {
  const bool settled = change.put_version > change.remove_version && change.expires_at == INT64_MAX;
  return settled ? change.outlives : std::max(change.outlives, change.remove_version);
}

size_t ChangeSet::BytesThatAllRowsBeginWith() const {
  std::string_view begin = changes_.empty() ? std::string_view() : changes_.front().cell.row;
  for (const Change& change : changes_) {
    const std::string_view row = change.cell.row;
    const auto end = std::mismatch(begin.begin(), begin.end(), row.begin(), row.end()).first;
    begin = {begin.begin(), end};
  }
  return begin.size();
}

bool ChangeSet::Before(const InOrder& a, const InOrder& b) const {
  if (a.head != b.head) return a.head < b.head;
  const Change& left = changes_[a.change];
  const Change& right = changes_[b.change];
  return std::tie(left.cell.row, left.cell.table, left.expires_at, left.cell.family, left.cell.qualifier) <
         std::tie(right.cell.row, right.cell.table, right.expires_at, right.cell.family, right.cell.qualifier);
}

std::vector<ChangeSet::InOrder> ChangeSet::Sorted() const {
  const size_t shared = BytesThatAllRowsBeginWith();
  std::vector<InOrder> sorted(changes_.size());
  for (size_t i = 0; i < sorted.size(); ++i) sorted[i] = {HeadOf(changes_[i].cell.row, shared), i};
  std::sort(sorted.begin(), sorted.end(), [this](const InOrder& a, const InOrder& b) { return Before(a, b); });
  return sorted;
}

void ChangeSet::TakeShared(Change* change, Giver* puts, Giver* deletes) {
  for (SharedPut& shared : change->shared->puts) {
    Cell put{.timestamp = shared.version, .type = CellType::kPut, .value = std::move(shared.value)};
    AddTtl(shared.version, shared.expires_at, &put);
    puts->Give(change->cell, std::move(put), {shared.record});
  }
  for (const int64_t version : change->shared->exact_removals) {
    deletes->Give(change->cell, {.timestamp = version, .type = CellType::kDelete}, {change->removed_by});
  }
}

void ChangeSet::Take(Changes* all_puts, Changes* all_deletes) {
  Giver puts(all_puts), deletes(all_deletes);
  for (const InOrder& next : Sorted()) {
    Change& change = changes_[next.change];
    if (change.put_version >= 0) {
      Cell put{.timestamp = change.put_version, .type = CellType::kPut, .value = std::string(change.value)};
      AddTtl(change.put_version, change.expires_at, &put);
      // The store may refuse the put: then what was to be removed under it must go by itself.
      change.put.replaces = std::max(change.put.replaces, change.remove_version);
      puts.Give(change.cell, std::move(put), change.put);
    }
    if (const int64_t removed = Removed(change); removed >= 0) {
      // M6: all versions up to the old one, because dead attempts may have left older ones.
      deletes.Give(change.cell, {.timestamp = removed, .type = CellType::kDeleteColumn}, {change.removed_by});
    }
    if (change.shared != nullptr) TakeShared(&change, &puts, &deletes);
  }
  changes_.clear();
  by_hash_.clear();
  memory_.release();
  bytes_ = 0;
}

}  // namespace fensi::indexer
