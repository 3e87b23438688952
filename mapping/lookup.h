// What a reader asks of an index, and what answers it: tables and ranges to scan, and which of the cells there are
// meant.
//
// A range holds every entry that fits, and perhaps others: Hits decides, by the bytes of the row key's parts, or by
// what is read back from them. Pure; immutable, so any thread may use it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mapping/entry_list.h"

namespace fensi::mapping {

/// The first parts of the row key (Index::key_parts), and bounds of the part behind them. Of a period table the bounds
/// are those of the time that its tables are named after.
struct LookupRequest {
  std::vector<std::string> parts;
  std::string from;  // numbers, or instants such as 2016-12-19 and 2016-12-19T08:00:00Z; itself included
  std::string to;    // itself not included; empty: no bound
};

/// Row keys from `start` on, up to and without `stop`; no stop: to the end.
struct KeyRange {
  std::string start;
  std::string stop;
  bool operator==(const KeyRange&) const = default;
};

/// A reference that can be read back from an index cell.
struct KnownPart {
  std::string name;
  std::string value;
  bool exact = true;  // no other value of the source gives this cell; else one of several that do
};

class Lookup {
 public:
  virtual ~Lookup() = default;

  /// The index table, or those of all periods between the bounds; none when a period table was asked without bounds.
  virtual const std::vector<std::string>& tables() const = 0;
  /// In the order of their keys; no key lies in two.
  virtual const std::vector<KeyRange>& ranges() const = 0;
  /// Does everything in the ranges fit?
  virtual bool ranges_suffice() const = 0;

  /// A cell that fits, with what row key, qualifier and value tell of the source.
  struct Hit {
    size_t cell = 0;
    std::vector<KnownPart> known;
  };
  /// Those of the cells of one index row.
  virtual std::vector<Hit> Hits(std::span<const Entry> row) const = 0;
};

}  // namespace fensi::mapping
