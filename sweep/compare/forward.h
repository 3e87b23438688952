// Compares from the source to the index: checks that every entry that a source row gives is in the index, with its
// value.
//
// Blocks on the store; one thread. Everything that is handed in outlives it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/compare/digest.h"
#include "sweep/compare/finding.h"
#include "sweep/compare/judge.h"
#include "sweep/compare/table_scanner.h"
#include "sweep/scan/derivation.h"
#include "sweep/scan/page_reader.h"
#include "sweep/scan/source_unit.h"
#include "sweep/scan/table_list.h"

namespace fensi::sweep {

/// The context that all comparisons of one index share.
struct Sweep {
  const mapping::Index* index;
  store::Store* store;
  Clock* clock;
  FindingSink* sink;
  Counts* counts;
  Judge* judge;
  TableScanner* walker;
  TableList* tables;
  store::ScanRequest source_rows;  // source rows that are compared
  int64_t as_of = INT64_MAX;       // younger units are left out
  NewestPut newest_put = {};       // empty: times of entries are not compared
  const Digest* digest = nullptr;  // both sides are counted and summed: even buckets are not looked up
};

class Forward {
 public:
  explicit Forward(Sweep* sweep);

  using UseEntry = std::function<void(const mapping::Entry&)>;
  /// Compares all entries, and calls `derived` with each of them.
  Status Compare(const UseEntry& derived);
  /// Counts as Compare does, reports rows that cannot be compared, and looks nothing up.
  using UseTimedEntry = std::function<void(const mapping::Entry&, int64_t newest)>;  // newest cell of the entry's unit
  Status Sum(const UseTimedEntry& derived);
  using UseDerived = std::function<void(const SourceUnit&, const mapping::Entry&)>;
  /// Calls `derived` for all entries, and compares none.
  Status Derive(const UseDerived& derived);
  /// True if Derive met a unit that is younger than `as_of`.
  bool met_younger() const { return met_younger_; }

 private:
  Status Walk(const TableScanner::Use& use);
  using UseUnit = std::function<Status(const Derived&)>;
  Status WalkUnits(const UseUnit& use);
  Status CountUnit(const Derived& derived);
  Status CompareUnit(const Derived& derived, const UseEntry& use);
  /// Queues the entry for a lookup with others.
  Status Await(const SourceUnit& unit, int64_t newest, const mapping::Entry& entry);
  Status ReportProblem(const Derived& derived);
  /// An entry that is right, but newer than its source unit.
  struct Late {
    size_t place = 0;
    int64_t timestamp = 0;
  };
  Status CheckTimes(const std::vector<Late>& late, std::vector<size_t>* wrong);
  Status Flush();

  Sweep* const sweep_;
  Derivation derivation_;
  CellReader cells_;
  const EntryTimes times_;
  std::string last_row_;
  // Entries of the next lookup, and their units.
  mapping::EntryList entries_;
  std::vector<size_t> unit_of_;
  std::vector<int64_t> newest_;  // newest cell of their units
  std::vector<SourceUnit> units_;
  size_t bytes_ = 0;
  bool met_younger_ = false;
};

}  // namespace fensi::sweep
