#include "mapping/starter/cost.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/bytes.h"
#include "base/text.h"
#include "mapping/lookup.h"

namespace fensi::mapping {
namespace {

constexpr size_t kMostShown = 40;
constexpr double kTooMuch = 0.01;
constexpr double kChance = 1.0 / 40;  // of healthy tables, that may be warned of
constexpr double kNothing = 1e-15;
/// Entries under one key: one is all of a table of one row, and two may be chance.
constexpr size_t kFewest = 3;

/// The first value that a reader gives; the whole key if it cannot be read back.
std::string FirstPart(const Index& index, const std::vector<std::string>& names, const Entry& entry) {
  for (const KnownPart& part : Decode(index, entry)) {
    if (!names.empty() && part.name == names.front()) return part.value;
  }
  return std::string(entry.row);
}

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

/// Whether chance does not explain the largest of all counts. If no key has more than kTooMuch of the entries, at most
/// 1 / kTooMuch keys have as much, and more keys with less reach `some` more rarely (the tail is convex): so often as
/// 1 / kTooMuch times the tail of one key, at most, the largest of a healthy table reaches it.
bool SurelyTooMuch(size_t some, size_t all) {
  const auto n = static_cast<double>(all);
  if (static_cast<double>(some) <= n * kTooMuch) return false;
  double tail = 0;
  for (size_t count = some; count <= all; ++count) {
    const auto k = static_cast<double>(count);
    const double ways = std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
    const double more = std::exp(ways + k * std::log(kTooMuch) + (n - k) * std::log1p(-kTooMuch));
    tail += more;
    if (more < kNothing) break;  // the rest is smaller still
  }
  return tail / kTooMuch <= kChance;
}

std::string Percent(size_t some, size_t all) {
  const size_t percent = (100 * some + all / 2) / all;
  return std::to_string(std::max<size_t>(1, percent)) + " %";
}

std::string LargestKey(const IndexCost& cost) { return "'" + EscapeSome(cost.largest_key, kMostShown) + "'"; }

}  // namespace

IndexCost CostOf(const Index& index, const TableSample& sample) {
  const std::vector<std::string> names = KeyPartNames(index);
  std::map<std::string, size_t> by_key, by_row;
  IndexCost cost{.rows = sample.rows.size()};
  for (const SampleRow& row : sample.rows) {
    EntryList entries;
    DeriveRow(index, row, &entries);
    for (size_t i = 0; i < entries.size(); ++i) {
      const Entry entry = entries[i];
      ++by_key[FirstPart(index, names, entry)];
      ++by_row[std::string(entry.row)];
      cost.bytes += entry.row.size() + entry.family.size() + entry.qualifier.size() + entry.value.size();
    }
    cost.entries += entries.size();
    cost.rows_indexed += entries.empty() ? 0 : 1;
    cost.most_of_a_row = std::max(cost.most_of_a_row, entries.size());
  }
  for (const auto& [key, count] : by_key) {
    if (count <= cost.entries_of_largest) continue;
    cost.largest_key = key;
    cost.entries_of_largest = count;
  }
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
    lines.push_back("The largest key is " + LargestKey(cost) + ", with " +
                    Percent(cost.entries_of_largest, cost.entries) + " of the entries.");
  }
  if (!SkewText(index, cost).empty()) {
    lines.emplace_back(
        "WARNING: more than one entry in a hundred under one key: one region has their writes, one reader");
    lines.emplace_back("all of them. A further part after the key or a condition ('when') makes it smaller.");
  }
  return lines;
}

std::string SkewText(const Index& index, const IndexCost& cost) {
  if (cost.entries_of_largest < kFewest || !SurelyTooMuch(cost.entries_of_largest, cost.entries)) return "";
  return "index " + index.name() + ": key " + LargestKey(cost) + " would collect about " +
         Percent(cost.entries_of_largest, cost.entries) + " of the entries (" +
         std::to_string(cost.entries_of_largest) + " of " + std::to_string(cost.entries) + " in the sample)";
}

}  // namespace fensi::mapping
