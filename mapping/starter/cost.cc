#include "mapping/starter/cost.h"

#include <algorithm>
#include <map>

#include "base/bytes.h"
#include "base/text.h"
#include "mapping/lookup.h"

namespace fensi::mapping {
namespace {

constexpr size_t kMostShown = 40;

void DeriveRow(const Index& index, const SampleRow& row, EntryList* entries) {
  std::vector<Unmappable> problems;
  std::vector<VisibleCell> cells;
  for (const Cell& cell : row.cells) {
    if (index.Watches(cell.family, cell.qualifier)) {
      cells.push_back({cell.family, cell.qualifier, cell.timestamp, cell.value});
    }
  }
  if (index.state_scope() == StateScope::kRow) return index.Derive({row.row, cells}, entries, &problems);
  for (const VisibleCell& cell : cells) index.Derive({row.row, std::span(&cell, 1)}, entries, &problems);
}

std::string Percent(size_t some, size_t all) {
  const size_t percent = (100 * some + all / 2) / all;
  return std::to_string(std::max<size_t>(1, percent)) + " %";
}

std::string KeyText(std::string_view key) { return "'" + EscapeSome(key, kMostShown) + "'"; }

}  // namespace

IndexCost CostOf(const Index& index, const TableSample& sample) {
  const std::vector<std::string> names = KeyPartNames(index);
  KeyTally keys;
  std::map<std::string, size_t> by_row;
  IndexCost cost{.rows = sample.rows.size()};
  for (size_t number = 0; number < sample.rows.size(); ++number) {
    EntryList entries;
    DeriveRow(index, sample.rows[number], &entries);
    const std::vector<std::string> first = FirstKeyParts(index, names, entries);
    for (size_t i = 0; i < entries.size(); ++i) {
      const Entry entry = entries[i];
      keys.Add(first[i], number);
      ++by_row[std::string(entry.row)];
      cost.bytes += entry.row.size() + entry.family.size() + entry.qualifier.size() + entry.value.size();
    }
    cost.entries += entries.size();
    cost.rows_indexed += entries.empty() ? 0 : 1;
    cost.most_of_a_row = std::max(cost.most_of_a_row, entries.size());
  }
  for (KeyShare& largest : keys.Largest(1)) {
    cost.largest_key = std::move(largest.key);
    cost.entries_of_largest = largest.entries;
  }
  cost.too_large = keys.TooLarge();
  for (const auto& [row, count] : by_row) cost.widest_row = std::max(cost.widest_row, count);
  return cost;
}

std::vector<std::string> CostText(const Index& index, const IndexCost& cost) {
  if (cost.entries == 0) return {};
  const bool by_column = index.state_scope() == StateScope::kColumn;
  const size_t most = by_column ? 1 : cost.most_of_a_row;
  std::vector<std::string> lines = {
      "Costs: " + Counted(static_cast<int64_t>(cost.rows_indexed), "row") + " of " + std::to_string(cost.rows) +
          " of the sample " + (cost.rows_indexed == 1 ? "makes " : "make ") +
          Counted(static_cast<int64_t>(cost.entries), "entry") + " of " + CountedBytes(cost.bytes / cost.entries) +
          ", one row up to " + std::to_string(cost.most_of_a_row) + "; the largest index row has " +
          Counted(static_cast<int64_t>(cost.widest_row), "cell") + ".",
      "A change of a " + std::string(by_column ? "column" : "row") + " puts up to " +
          Counted(static_cast<int64_t>(most), "cell") + ", removes as many, and writes one state."};
  if (cost.entries_of_largest > 1) {
    lines.push_back("The largest key is " + KeyText(cost.largest_key) + ", with " +
                    Percent(cost.entries_of_largest, cost.entries) + " of the entries.");
  }
  if (!SkewText(index, cost).empty()) {
    lines.emplace_back(
        "WARNING: more than one entry in a hundred has the same key, and one region gets all writes of this key.");
    lines.emplace_back("Add a part to the row key, or a condition ('when:'), so that fewer entries have one key.");
  }
  return lines;
}

std::string SkewText(const Index& index, const IndexCost& cost) {
  if (!cost.too_large) return "";
  return "index " + index.name() + ": key " + KeyText(cost.too_large->key) + " would collect about " +
         Percent(cost.too_large->entries, cost.entries) + " of the entries (" +
         std::to_string(cost.too_large->entries) + " of " + std::to_string(cost.entries) +
         " in the sample). Add a part to its row key, or a condition ('when:')";
}

}  // namespace fensi::mapping
