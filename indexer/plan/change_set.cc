#include "indexer/plan/change_set.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace fensi::indexer {
namespace {

/// Lengths of table, row and family (4 bytes each) in front of the bytes: equal keys are equal cells, and cells of one
/// row share a prefix.
void AppendLength(size_t length, std::string* key) {
  const auto bytes = static_cast<uint32_t>(length);
  key->append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
}

struct CellKey {
  std::string_view table, row, family, qualifier;
};

CellKey ParseKey(std::string_view key) {
  uint32_t table = 0, row = 0, family = 0;
  std::memcpy(&table, key.data(), 4);
  std::memcpy(&row, key.data() + 4, 4);
  std::memcpy(&family, key.data() + 8, 4);
  key.remove_prefix(12);
  return {key.substr(0, table), key.substr(table, row), key.substr(table + row, family),
          key.substr(table + row + family)};
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

/// The row that the next cell goes to: the last one if it is the same and its cells expire alike.
store::RowMutation* RowFor(const CellKey& key, const std::vector<Tag>& tags, TableChanges* table) {
  if (table->rows.empty() || table->rows.back().row != key.row || table->rows.back().cells.back().tags != tags) {
    table->rows.push_back({std::string(key.row), {}});
  }
  return &table->rows.back();
}

/// Cells come sorted by table: it is the last one, or a new one.
TableChanges* TableFor(std::string_view table, Changes* changes) {
  if (!changes->empty() && changes->rbegin()->first == table) return &changes->rbegin()->second;
  return &(*changes)[std::string(table)];
}

void AddCell(const CellKey& key, Cell cell, Origin origin, Changes* changes) {
  cell.family = key.family;
  cell.qualifier = key.qualifier;
  TableChanges* table = TableFor(key.table, changes);
  RowFor(key, cell.tags, table)->cells.push_back(std::move(cell));
  table->origins.push_back(origin);
}

}  // namespace

ChangeSet::Change* ChangeSet::Find(const mapping::Entry& entry) {
  key_.clear();
  AppendLength(entry.table.size(), &key_);
  AppendLength(entry.row.size(), &key_);
  AppendLength(entry.family.size(), &key_);
  key_.append(entry.table).append(entry.row).append(entry.family).append(entry.qualifier);
  const auto [place, added] = cells_.try_emplace(key_);
  if (added) bytes_ += sizeof *place + key_.size() + sizeof(Cell);
  return &place->second;
}

void ChangeSet::Put(const mapping::Entry& entry, int64_t version, size_t record, int64_t replaces) {
  Change* change = Find(entry);
  if (change->put_version > version) return;
  change->put_version = version;
  change->expires_at = entry.expires_at;
  bytes_ += entry.value.size() - change->value.size();
  change->value = entry.value;
  change->put = {record, std::max(change->put.replaces, replaces)};
}

void ChangeSet::PutInstead(const mapping::Entry& entry, int64_t version, size_t record) {
  Put(entry, version, record, version - 1);
  Change* change = Find(entry);
  change->remove_version = -1;
  if (entry.expires_at != INT64_MAX) Outlived(version - 1, record, change);
}

void ChangeSet::Outlived(int64_t version, size_t record, Change* change) {
  change->outlives = version;
  change->removed_by = record;
}

void ChangeSet::Remove(const mapping::Entry& entry, int64_t version, size_t record) {
  Change* change = Find(entry);
  change->removed_by = record;
  change->remove_version = std::max(change->remove_version, version);
  if (change->put_version <= version) change->put_version = -1;
}

void ChangeSet::Step(const mapping::EntryList& before, const mapping::EntryList& after, int64_t old_version,
                     int64_t new_version, size_t record) {
  const CellFinder in_before(before);
  mapping::Entry other;
  for (size_t i = 0; i < after.size(); ++i) {
    const mapping::Entry entry = after[i];
    const bool replaces = in_before.Find(entry, &other);
    if (replaces && SameEntry(entry, other)) continue;
    Put(entry, new_version, record, replaces ? old_version : Origin::kNoEntry);
    if (replaces && other.expires_at > entry.expires_at) Outlived(old_version, record, Find(entry));
  }
  if (before.empty()) return;
  const CellFinder in_after(after);
  for (size_t i = 0; i < before.size(); ++i) {
    const mapping::Entry entry = before[i];
    if (!in_after.Find(entry, &other)) Remove(entry, old_version, record);
  }
}

void ChangeSet::RemoveExactly(const mapping::Entry& entry, int64_t version, size_t record) {
  Change* change = Find(entry);
  change->removed_by = record;
  change->exact_removals.push_back(version);
  bytes_ += sizeof(Cell);
  std::erase_if(change->shared_puts, [&](const SharedPut& put) { return put.version == version; });
}

void ChangeSet::SharedStep(const mapping::EntryList& before, const mapping::EntryList& after, int64_t old_version,
                           int64_t new_version, size_t record) {
  if (new_version == old_version && after.size() == before.size()) return;
  for (size_t i = 0; i < before.size(); ++i) {
    RemoveExactly(before[i], old_version, record);
  }
  for (size_t i = 0; i < after.size(); ++i) {
    Change* change = Find(after[i]);
    bytes_ += sizeof(SharedPut) + after[i].value.size();
    change->shared_puts.push_back({new_version, after[i].expires_at, std::string(after[i].value), record});
  }
}

void ChangeSet::PutAgain(const mapping::Entry& entry, int64_t version, size_t record) {
  Change* change = Find(entry);
  bytes_ += sizeof(SharedPut) + entry.value.size();
  std::erase(change->exact_removals, version);
  change->shared_puts.push_back({version, entry.expires_at, std::string(entry.value), record});
}

/// A removal below the put would only repeat what the put's version already settles (M5), unless the put expires and
/// what lies below would show again.
int64_t ChangeSet::Removed(const Change& change) {
  const bool settled = change.put_version > change.remove_version && change.expires_at == INT64_MAX;
  return settled ? change.outlives : std::max(change.outlives, change.remove_version);
}

void ChangeSet::Take(Changes* puts, Changes* deletes) {
  std::vector<std::pair<CellKey, Change*>> sorted;
  sorted.reserve(cells_.size());
  for (auto& [key, change] : cells_) sorted.emplace_back(ParseKey(key), &change);
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first.table, a.first.row, a.second->expires_at, a.first.family, a.first.qualifier) <
           std::tie(b.first.table, b.first.row, b.second->expires_at, b.first.family, b.first.qualifier);
  });
  for (const auto& [key, planned] : sorted) {
    Change& change = *planned;
    if (change.put_version >= 0) {
      Cell put{.timestamp = change.put_version, .type = CellType::kPut, .value = std::move(change.value)};
      AddTtl(change.put_version, change.expires_at, &put);
      // The store may refuse the put: then what was to be removed under it must go by itself.
      change.put.replaces = std::max(change.put.replaces, change.remove_version);
      AddCell(key, std::move(put), change.put, puts);
    }
    if (const int64_t removed = Removed(change); removed >= 0) {
      AddCell(key, {.timestamp = removed, .type = CellType::kDeleteColumn}, {change.removed_by}, deletes);
    }
    for (SharedPut& shared : change.shared_puts) {
      Cell put{.timestamp = shared.version, .type = CellType::kPut, .value = std::move(shared.value)};
      AddTtl(shared.version, shared.expires_at, &put);
      AddCell(key, std::move(put), {shared.record}, puts);
    }
    for (int64_t version : change.exact_removals) {
      AddCell(key, {.timestamp = version, .type = CellType::kDelete}, {change.removed_by}, deletes);
    }
  }
  cells_.clear();
  bytes_ = 0;
}

}  // namespace fensi::indexer
