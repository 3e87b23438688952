// Plans the lookups of a reader: tables and ranges to scan, and which of their cells match.
//
// A range has every matching entry, and perhaps others: Hits decides, by the bytes of the row key's parts, or by values
// that are read back from them. Pure; immutable, so any thread may use it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "mapping/area.h"
#include "mapping/entry_list.h"
#include "mapping/index.h"

namespace fensi::mapping {

/// The first parts of the row key (KeyPartNames), and bounds of the next part. Of a period table the bounds are those
/// of the time in its tables' names.
struct LookupRequest {
  std::vector<std::string> parts;
  std::string from;               // numbers, or instants such as 2016-12-19 and 2016-12-19T08:00+08:00; inclusive
  std::string to;                 // exclusive; empty: no bound
  std::optional<Area> area = {};  // instead of bounds: of the next part, which is a geohash
};

/// Row keys from `start`, inclusive, to `stop`, exclusive; no stop: to the end.
struct KeyRange {
  std::string start;
  std::string stop;
  bool operator==(const KeyRange&) const = default;
};

/// A reference that can be read back from an index cell.
struct KnownPart {
  std::string name;
  std::string value;
  bool exact = true;  // no other value of the source gives this cell; else one of several
};

class PlannedLookup;

/// Made by PlanLookup.
class Lookup {
 public:
  explicit Lookup(std::unique_ptr<const PlannedLookup> plan);
  ~Lookup();

  /// The index table, or those of all periods between the bounds; none for a period table without bounds.
  const std::vector<std::string>& tables() const;
  /// In the order of their keys; ranges do not overlap.
  const std::vector<KeyRange>& ranges() const;
  /// True if every cell in the ranges matches.
  bool ranges_suffice() const;
  /// True if the index does not hold the positions: all entries of the cells that touch the area match.
  bool whole_cells() const;

  /// A matching cell, with the source values in its row key, qualifier and value.
  struct Hit {
    size_t cell = 0;
    std::vector<KnownPart> known;
  };
  /// The matching cells of one index row.
  std::vector<Hit> Hits(std::span<const Entry> row) const;

 private:
  const std::unique_ptr<const PlannedLookup> plan_;
};

/// References of the row template after its salt, in order of first use: "f1:from", "row". If the key has several parts
/// of a value and never the whole, each is a part: "f1:doc | json city".
std::vector<std::string> KeyPartNames(const Index& index);
/// The first value that a reader gives to find each entry of a source row. If a cell does not tell it, for example
/// because the row key has only its hash, the other cells of the index row may. Else it is the whole row key. `names`:
/// KeyPartNames.
std::vector<std::string> FirstKeyParts(const Index& index, const std::vector<std::string>& names,
                                       const EntryList& entries);

/// The bytes of a part of KeyPartNames as people type it: digits are the bytes of their number if the source has a
/// number in bytes ("| i64"), a time (mapping/instant.h) those of its number if some template reads it as one ("|
/// from_ms"), anything else is taken as it is. kInvalidArgument: the number does not fit, or the time is between two
/// numbers.
Result<std::string> PartBytes(const Index& index, size_t part, std::string_view typed);
/// The same for a word of a person, in which a byte can be \xNN. With such bytes the word is the part's bytes; or, if a
/// function reads text from the part's bytes, it is that text.
Result<std::string> TypedPart(const Index& index, size_t part, const std::string& word);
/// The number of these bytes of a part, as people read it; absent: they are text.
std::optional<int64_t> PartNumber(const Index& index, const KnownPart& part);

/// The text of these bytes of a part, if a function makes another value than a whole number of them, for instance a
/// double ("| f64"); absent otherwise.
std::optional<std::string> PartValueText(const Index& index, const KnownPart& part);

/// The time in milliseconds of these bytes of a part, if some template reads them as one and people can write it so.
std::optional<int64_t> PartTime(const Index& index, const KnownPart& part);

struct KeyPrefix {
  std::vector<std::string> prefixes;  // more than one: the key begins with a salt
  bool complete = false;              // the prefix is a whole row key
};
/// Encodes the first parts of the row key into the longest prefix that they determine. kInvalidArgument: wrong number
/// or value.
Result<KeyPrefix> EncodeKey(const Index& index, std::span<const std::string> parts);

/// Plans a lookup. The index outlives it. kInvalidArgument: wrong parts or bounds, or the row keys do not determine
/// what matches.
Result<std::shared_ptr<const Lookup>> PlanLookup(const Index& index, LookupRequest request);

/// The source values in row key, qualifier and value of a cell, as far as templates can be read backwards.
std::vector<KnownPart> Decode(const Index& index, const Entry& cell);
/// The same by row key and column alone, whatever the cell's value is.
std::vector<KnownPart> DecodeKey(const Index& index, const Entry& cell);

/// True if a table of this name could be one of the index. For a period table: the name matches its template.
bool CouldBePeriodTable(const Index& index, std::string_view name);

/// Names of the tables of all periods from one time to the other (milliseconds), both included. kInvalidArgument: they
/// do not follow from the time alone, or there can be more than 10,000.
Result<std::vector<std::string>> PeriodTables(const Index& index, int64_t from_millis, int64_t to_millis);

/// A table of a period that is over.
struct EndedPeriod {
  std::string table;
  int64_t last_millis = 0;  // the newest time found that has this name
  bool operator==(const EndedPeriod&) const = default;
};

/// Those of `tables` that the template names exactly: for a time before `from_millis`, and for no time from there to
/// `to_millis`. Leaves out a table whose period is unknown. Takes up to some seconds if names do not determine the
/// instant. kInvalidArgument: names do not follow from the time alone, or the time from `from_millis` on has too many
/// periods.
Result<std::vector<EndedPeriod>> EndedPeriods(const Index& index, const std::vector<std::string>& tables,
                                              int64_t from_millis, int64_t to_millis);

}  // namespace fensi::mapping
