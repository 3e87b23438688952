#include "tests/mapping/lookup_testing.h"

#include <algorithm>

#include "base/bytes.h"
#include "mapping/lookup.h"

namespace fensi::mapping {

void Shelf::Put(const RowView& row) {
  EntryList entries;
  std::vector<Unmappable> problems;
  index_->Derive(row, &entries, &problems);
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry entry = entries[i];
    Owned owned{std::string(entry.table), std::string(entry.row), std::string(entry.family),
                std::string(entry.qualifier), std::string(entry.value)};
    std::erase_if(entries_, [&](const Owned& other) { return SameCell(other.View(), entry); });
    entries_.insert(std::upper_bound(entries_.begin(), entries_.end(), owned), std::move(owned));
  }
}

std::vector<Entry> Shelf::CellsOf(const Owned& row) const {
  std::vector<Entry> cells;
  for (const Owned& entry : entries_) {
    if (entry.table == row.table && entry.row == row.row) cells.push_back(entry.View());
  }
  return cells;
}

bool Shelf::IsIn(const std::vector<Owned>& found, const Owned& entry) {
  return std::find(found.begin(), found.end(), entry) != found.end();
}

std::vector<Shelf::Owned> Shelf::Find(const Lookup& lookup) const {
  std::vector<Owned> found;
  const auto& tables = lookup.tables();
  for (const Owned& entry : entries_) {
    if (!tables.empty() && std::find(tables.begin(), tables.end(), entry.table) == tables.end()) continue;
    const auto holds = [&](const KeyRange& range) {
      return entry.row >= range.start && (range.stop.empty() || entry.row < range.stop);
    };
    if (std::none_of(lookup.ranges().begin(), lookup.ranges().end(), holds)) continue;
    const std::vector<Entry> cells = CellsOf(entry);
    for (const Lookup::Hit& hit : lookup.Hits(cells)) {
      if (SameCell(cells[hit.cell], entry.View())) found.push_back(entry);
    }
  }
  return found;
}

std::vector<std::string> Shelf::Rows(const LookupRequest& request) const {
  const auto lookup = PlanLookup(*index_, request);
  if (!lookup.ok()) return {lookup.status().message()};
  std::vector<std::string> rows;
  for (const Owned& entry : Find(**lookup)) rows.push_back(Escape(entry.row));
  return rows;
}

std::vector<std::string> Shelf::Known(const LookupRequest& request) const {
  const auto lookup = PlanLookup(*index_, request);
  if (!lookup.ok()) return {lookup.status().message()};
  std::vector<std::string> out;
  for (const Owned& entry : Find(**lookup)) {
    const std::vector<Entry> cells = CellsOf(entry);
    for (const Lookup::Hit& hit : (*lookup)->Hits(cells)) {
      if (!SameCell(cells[hit.cell], entry.View())) continue;
      std::string text;
      for (const KnownPart& part : hit.known) {
        text += (text.empty() ? "" : ", ") + part.name + (part.exact ? "=" : "~") + Escape(part.value);
      }
      out.push_back(text);
    }
  }
  return out;
}

}  // namespace fensi::mapping
