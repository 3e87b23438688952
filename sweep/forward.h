// From the source to the index: every entry that a source row gives is there, with its value.
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
#include "sweep/cell_reader.h"
#include "sweep/derivation.h"
#include "sweep/digest.h"
#include "sweep/entry_times.h"
#include "sweep/finding.h"
#include "sweep/judge.h"
#include "sweep/source_unit.h"
#include "sweep/table_list.h"
#include "sweep/walker.h"

namespace fensi::sweep {

/// What all that compare one index have in common.
struct Sweep {
  const mapping::Index* index;
  store::Store* store;
  Clock* clock;
  FindingSink* sink;
  Counts* counts;
  Judge* judge;
  Walker* walker;
  TableList* tables;
  store::ScanRequest source_rows;  // those that are compared
  int64_t as_of = INT64_MAX;       // what is younger is left out
  NewestPut newest_put = {};       // empty: times of entries are not compared
  const Digest* digest = nullptr;  // both sides are counted and summed: what is even there is not looked up
};

class Forward {
 public:
  explicit Forward(Sweep* sweep);

  using UseEntry = std::function<void(const mapping::Entry&)>;
  /// Compares all entries; `derived` is called with each of them.
  Status Compare(const UseEntry& derived);
  /// Counts as Compare does, tells which rows cannot be compared, and looks nothing up.
  using UseTimedEntry = std::function<void(const mapping::Entry&, int64_t newest)>;  // of the unit that gives it
  Status Sum(const UseTimedEntry& derived);
  using UseDerived = std::function<void(const SourceUnit&, const mapping::Entry&)>;
  /// Calls `derived` for all entries, and compares none.
  Status Derive(const UseDerived& derived);
  /// Derive met a unit that is younger than what is compared.
  bool met_younger() const { return met_younger_; }

 private:
  Status Walk(const Walker::Use& use);
  using UseUnit = std::function<Status(const Derived&)>;
  Status WalkUnits(const UseUnit& use);
  Status CountUnit(const Derived& derived);
  Status CompareUnit(const Derived& derived, const UseEntry& use);
  /// Looked up with others, soon.
  Status Await(const SourceUnit& unit, int64_t newest, const mapping::Entry& entry);
  Status ReportProblem(const Derived& derived);
  /// Right, but newer than their source unit.
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
  // Entries that are looked up in one go, and their units.
  mapping::EntryList entries_;
  std::vector<size_t> unit_of_;
  std::vector<int64_t> newest_;  // cell of their units
  std::vector<SourceUnit> units_;
  size_t bytes_ = 0;
  bool met_younger_ = false;
};

}  // namespace fensi::sweep
