// What a reader asks of an index, and what answers it: tables and ranges to scan, and which of the cells there are
// meant.
//
// A range holds every entry that fits, and perhaps others: Hits decides, by the bytes of the row key's parts, or by
// what is read back from them. Pure; immutable, so any thread may use it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "mapping/entry_list.h"
#include "mapping/index.h"

namespace fensi::mapping {

/// The first parts of the row key (KeyPartNames), and bounds of the part behind them. Of a period table the bounds
/// are those of the time that its tables are named after.
struct LookupRequest {
  std::vector<std::string> parts;
  std::string from;  // numbers, or instants such as 2016-12-19 and 2016-12-19T08:00+08:00; itself included
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

class PlannedLookup;

/// Made by PlanLookup.
class Lookup {
 public:
  explicit Lookup(std::unique_ptr<const PlannedLookup> plan);
  ~Lookup();

  /// The index table, or those of all periods between the bounds; none when a period table was asked without bounds.
  const std::vector<std::string>& tables() const;
  /// In the order of their keys; no key lies in two.
  const std::vector<KeyRange>& ranges() const;
  /// Does everything in the ranges fit?
  bool ranges_suffice() const;

  /// A cell that fits, with what row key, qualifier and value tell of the source.
  struct Hit {
    size_t cell = 0;
    std::vector<KnownPart> known;
  };
  /// Those of the cells of one index row.
  std::vector<Hit> Hits(std::span<const Entry> row) const;

 private:
  const std::unique_ptr<const PlannedLookup> plan_;
};

/// References of the row template behind its salt, in order of first use: "f1:from", "row". Where the key holds several
/// pieces of a value and never the whole, each is a part: "f1:doc | json city".
std::vector<std::string> KeyPartNames(const Index& index);

/// A part of KeyPartNames as people write it: digits are the bytes of their number where the source holds a number in
/// bytes ("| i64"), a time (mapping/instant.h) those of its number where some template reads it as one ("| from_ms"),
/// anything else is taken as it is. kInvalidArgument: the number does not fit, or the time lies between two numbers.
Result<std::string> PartBytes(const Index& index, size_t part, std::string_view typed);
/// The number that these bytes of a part are, as people read it; nothing: they are text.
std::optional<int64_t> PartNumber(const Index& index, const KnownPart& part);

/// The time in milliseconds that these bytes of a part are, where some template reads them as one and people can write
/// it so.
std::optional<int64_t> PartTime(const Index& index, const KnownPart& part);

struct KeyPrefix {
  std::vector<std::string> prefixes;  // more than one: the key begins with a salt
  bool complete = false;              // the prefix is a whole row key
};
/// Encodes the first parts of the row key into the longest prefix that they decide. kInvalidArgument: wrong number or
/// value.
Result<KeyPrefix> EncodeKey(const Index& index, std::span<const std::string> parts);

/// What a reader scans, and which of it is meant. The index outlives it. kInvalidArgument: wrong parts or bounds, or
/// the row keys do not tell what fits.
Result<std::shared_ptr<const Lookup>> PlanLookup(const Index& index, LookupRequest request);

/// What row key, qualifier and value of a cell tell of the source, as far as templates can be read backwards.
std::vector<KnownPart> Decode(const Index& index, const Entry& cell);
/// The same by row key and column alone, whatever value the cell has.
std::vector<KnownPart> DecodeKey(const Index& index, const Entry& cell);

/// Could a table of this name be one of the index? Of a period table: plain text, times and whatever else a name holds
/// are where its template has them.
bool MayBeTable(const Index& index, std::string_view name);

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
/// `to_millis`. A table whose period cannot be told is left out. Takes up to some seconds where names do not say which
/// instant is meant. kInvalidArgument: names do not follow from the time alone, or the time from `from_millis` on has
/// too many periods.
Result<std::vector<EndedPeriod>> EndedPeriods(const Index& index, const std::vector<std::string>& tables,
                                              int64_t from_millis, int64_t to_millis);

}  // namespace fensi::mapping
