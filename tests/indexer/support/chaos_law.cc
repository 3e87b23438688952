#include "tests/indexer/support/chaos_law.h"

#include <algorithm>

namespace fensi::testing {
namespace {

int64_t NewestOf(const ChangeEvent& event) {
  int64_t newest = 0;
  for (const Cell& cell : event.cells) newest = std::max(newest, cell.timestamp);
  return newest;
}

bool SameColumn(const Cell& one, const Cell& other) {
  return one.qualifier == other.qualifier || IsFamilyMarker(one.type) || IsFamilyMarker(other.type);
}

/// Is the cell newer than all cells of its column before?
bool IsNewest(const Cell& cell, const std::vector<Cell>& before) {
  return std::all_of(before.begin(), before.end(),
                     [&](const Cell& other) { return !SameColumn(cell, other) || cell.timestamp > other.timestamp; });
}

}  // namespace

ChaosLaw::Row* ChaosLaw::RowOf(const std::string& row) {
  const auto [place, added] = rows_.try_emplace(row);
  if (added && setting_.ttl_s > 0) place->second.model.set_ttl(int64_t{1000} * setting_.ttl_s);
  if (added) place->second.model.set_uncovers(!setting_.exact);
  return &place->second;
}

bool ChaosLaw::Take(const ChaosStep& step) {
  const ChangeEvent& event = step.event;
  Row row = *RowOf(event.row);
  if (!InOrder(row, event) || !WithoutTies(row, event) || !NearTheClock(step)) return false;
  if (setting_.kind->keys == ChaosKind::Keys::kShared && !SharedApart(event)) return false;
  ++row.events;
  row.may_be_ambiguous |= !setting_.numbered || !setting_.ordered || setting_.ttl_s > 0;
  for (const Cell& cell : event.cells) {
    row.may_be_ambiguous |= cell.type == CellType::kDelete || !IsNewest(cell, row.cells);
  }
  row.cells.insert(row.cells.end(), event.cells.begin(), event.cells.end());
  row.model.Apply(event.row, event.cells);
  Keys keys = keys_;
  if (setting_.kind->keys == ChaosKind::Keys::kUnique && !PassKeys(step, row, &keys)) return false;
  keys_ = std::move(keys);
  rows_[event.row] = std::move(row);
  if (newest_ > 0) least_apart_ = std::min(least_apart_, NewestOf(event) - newest_);
  newest_ = std::max(newest_, NewestOf(event));
  return true;
}

/// Unique indexes: "Events of one row arrive out of order. If the index watches several columns of the row, the index
/// may be affected. If one of the events is a version delete, or a put below a delete or a newer put, any index may be
/// affected." https://…/docs/consistency.md#unique-indexes
bool ChaosLaw::InOrder(const Row& row, const ChangeEvent& event) const {
  if (setting_.ordered || setting_.kind->keys == ChaosKind::Keys::kPlain) return true;
  if (setting_.kind->several_columns) return false;
  return std::all_of(event.cells.begin(), event.cells.end(),
                     [&](const Cell& cell) { return cell.type != CellType::kDelete && IsNewest(cell, row.cells); });
}

/// Deletes, late puts and ambiguous events: "Without a source table, a reordered stream may leave two writes of one
/// cell in one millisecond, without sequence ids, in the wrong order. If Kafka delivers the events again while a call
/// of the previous owner is in flight, the same may happen." Shared indexes: "If two values of a source cell have the
/// same timestamp and no sequence ids, … an entry … may then remain." docs/consistency.md
bool ChaosLaw::WithoutTies(const Row& row, const ChangeEvent& event) const {
  const bool reads = setting_.with_source && setting_.kind->keys != ChaosKind::Keys::kShared;
  if (setting_.numbered || reads) return true;
  return std::none_of(event.cells.begin(), event.cells.end(), [&](const Cell& cell) {
    return std::any_of(row.cells.begin(), row.cells.end(),
                       [&](const Cell& other) { return SameColumn(cell, other) && cell.timestamp == other.timestamp; });
  });
}

/// Unique indexes: "The index has a TTL and no `expire: exact`, a cell of a row has expired, and the next event of the
/// row has a timestamp more than 5 s ahead of the clock." docs/consistency.md#unique-indexes
/// Period tables: the window of `retention:` ends 25 hours from now. docs/maintenance.md#m26-period-tables
bool ChaosLaw::NearTheClock(const ChaosStep& step) const {
  if (!setting_.kind->rule.period_tables.empty() && NewestOf(step.event) > step.clock + kDayMillis) return false;
  const bool free = setting_.ttl_s == 0 || setting_.exact || setting_.kind->keys != ChaosKind::Keys::kUnique;
  return free || NewestOf(step.event) <= step.clock + 5000;
}

/// Shared indexes: "the changes of two rows that give one cell must be more than 1 ms apart, plus 1 ms for each later
/// change of either row without a newer timestamp." docs/consistency.md#shared-indexes
bool ChaosLaw::SharedApart(const ChangeEvent& event) const { return NewestOf(event) > newest_ + 1; }

Entries ChaosLaw::EntriesOf(const std::string& row, const Row& of, int64_t clock) const {
  Entries entries;
  setting_.kind->rule.expect(row, of.model.Visible(row, setting_.ttl_s > 0 ? clock : 0), &entries);
  return entries;
}

/// Unique indexes: "a key belongs to one source row", and the limits "The new row gets the key too soon" and "The key
/// returns to the first row". docs/consistency.md#unique-indexes
bool ChaosLaw::PassKeys(const ChaosStep& step, const Row& row, Keys* keys) const {
  const std::string& name = step.event.row;
  const int64_t newest = NewestOf(step.event);
  for (auto& [key, holders] : keys->before) {
    for (Holder& holder : holders) {
      if (holder.row == name && newest <= holder.newest) ++holder.later;
      if (!holder.IsSafe(0)) return false;
    }
  }
  const Entries entries = EntriesOf(name, row, step.clock);
  int64_t put = INT64_MAX;  // of the key, or older
  for (const auto& [column, value] : row.model.Visible(name, setting_.ttl_s > 0 ? step.clock : 0)) {
    put = std::min(put, value.timestamp);
  }
  for (const auto& [key, value] : entries) {
    if (!GiveKey(key, step, put, keys)) return false;
  }
  for (auto had = keys->now.begin(); had != keys->now.end();) {
    if (had->second.row != name || entries.contains(had->first)) {
      ++had;
      continue;
    }
    if (newest <= had->second.newest) ++had->second.later;
    keys->before[had->first].push_back(had->second);
    had = keys->now.erase(had);
  }
  return true;
}

bool ChaosLaw::GiveKey(const Key& key, const ChaosStep& step, int64_t put, Keys* keys) const {
  const std::string& name = step.event.row;
  const int64_t newest = NewestOf(step.event);
  const auto had = keys->now.find(key);
  if (had != keys->now.end() && had->second.row == name) {
    had->second.later += newest <= had->second.newest;
    had->second.newest = std::max(had->second.newest, newest);
    return true;
  }
  std::vector<Holder>& before = keys->before[key];
  if (had != keys->now.end()) {
    const std::string& other = had->second.row;
    if (EntriesOf(other, rows_.at(other), step.clock).contains(key)) return false;  // else its end has passed
    before.push_back(had->second);
    ++keys->passed_at_end;
  }
  keys->passed += !before.empty() && before.back().row != name;
  for (Holder& holder : before) {
    if (holder.row != name) holder.next = std::min(holder.next, put);
    if (!holder.IsSafe(0)) return false;
  }
  keys->now[key] = {.row = name, .newest = std::max(put, newest)};
  return true;
}

/// Unique indexes: "After an ambiguous event or a repair of the old row, two more kinds of events count. Each
/// redelivered event of the old row adds 2 ms, in each redelivery. Each event that is newer than the one before by only
/// 1 ms adds 1 ms." Shared indexes: "A put counts as such a change if it comes from a backfill, and afterwards from the
/// stream."
bool ChaosLaw::Promises(const std::map<std::string, ChaosRepeats>& repeats) const {
  int64_t all = 0;
  for (const auto& [row, repeated] : repeats) all += repeated.times;
  if (setting_.kind->keys == ChaosKind::Keys::kShared) return least_apart_ > 1 + all;
  for (const auto& [key, holders] : keys_.before) {
    for (const Holder& holder : holders) {
      const Row& row = rows_.at(holder.row);
      const auto found = repeats.find(holder.row);
      const ChaosRepeats repeated = found == repeats.end() ? ChaosRepeats() : found->second;
      const bool counts = setting_.with_source && (row.may_be_ambiguous || repeated.requested);
      if (!holder.IsSafe(counts ? kMargin * repeated.times + row.events : 0)) return false;
    }
  }
  return true;
}

bool IsPromised(const ChaosHistory& history) {
  ChaosLaw law(history.setting);
  return std::all_of(history.steps.begin(), history.steps.end(),
                     [&](const ChaosStep& step) { return step.kind != ChaosStep::kHappen || law.Take(step); });
}

}  // namespace fensi::testing
