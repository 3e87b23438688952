// Looks entries up as `fensi lookup` does, without a store.
#pragma once

#include <string>
#include <vector>

#include "mapping/index.h"
#include "mapping/lookup.h"

namespace fensi::mapping {

/// An index's tables in memory.
class Shelf {
 public:
  explicit Shelf(const Index& index) : index_(&index) {}

  /// Adds the entries of a source row.
  void Put(const RowView& row);

  struct Owned {
    std::string table, row, family, qualifier, value;
    auto operator<=>(const Owned&) const = default;
    Entry View() const { return {table, row, family, qualifier, value}; }
  };
  const std::vector<Owned>& entries() const { return entries_; }

  static bool IsIn(const std::vector<Owned>& found, const Owned& entry);
  /// Those that a lookup finds: in its tables (of a period table without bounds: in all), in its ranges, and meant.
  std::vector<Owned> Find(const Lookup& lookup) const;

  /// Row keys found, escaped, in their order, each as often as it has cells; or the message of the refusal.
  std::vector<std::string> Rows(const LookupRequest& request) const;
  /// What is known of the cells found: "f:x=a row~b".
  std::vector<std::string> Known(const LookupRequest& request) const;

 private:
  std::vector<Lookup::Hit> Hits(const Lookup& lookup, const Owned& row) const;
  std::vector<Entry> CellsOf(const Owned& row) const;

  const Index* index_;
  std::vector<Owned> entries_;  // sorted, each cell once
};

}  // namespace fensi::mapping
