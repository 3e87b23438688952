// Derives from a source row the entries that an index must have, unit by unit as `fensi run` does. Reuses its memory;
// one thread. The index outlives it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/scan/source_unit.h"

namespace fensi::sweep {

/// Entries of one unit; valid during the callback.
struct Derived {
  const SourceUnit* unit = nullptr;
  const mapping::EntryList* entries = nullptr;
  const std::vector<mapping::Unmappable>* problems = nullptr;
  int64_t newest = INT64_MIN;  // timestamp of its newest watched cell
  bool too_large = false;      // larger than a state can hold: entries unknown, `problems` has the reason
};

class Derivation {
 public:
  explicit Derivation(const mapping::Index* index) : index_(index) {}

  using Use = std::function<Status(const Derived&)>;
  /// `row` has the newest version of each column: of all watched columns, or with column units of any.
  Status Derive(const store::Row& row, const Use& use);

  /// Derives the entries of all units together. False: a unit was too large.
  bool DeriveAll(const store::Row& row, mapping::EntryList* entries);

 private:
  /// Watched cells of a unit, and cells above kMaxSourceTime, whose columns count as empty.
  struct Seen {
    std::span<const mapping::VisibleCell> cells;
    std::span<const mapping::VisibleCell> too_new;
  };
  Status DeriveUnit(const store::Row& row, const Seen& seen, const Use& use);

  const mapping::Index* const index_;
  SourceUnit unit_;
  std::vector<mapping::VisibleCell> cells_;
  mapping::EntryList entries_;
  std::vector<mapping::Unmappable> problems_;
};

// Checks whether a correct entry has a time at which its index can have put it. A newer entry hides what partition
// owners put for its source row later, and stays when the row is deleted.
//
// Blocks on `newest_put`; one thread. Everything that is handed in outlives it.

/// Per unit the newest time at which partition owners may have put an entry, by their row states. INT64_MAX: unknown.
using NewestPut = std::function<Result<std::vector<int64_t>>(std::span<const SourceUnit>)>;

class EntryTimes {
 public:
  /// `newest_put` is empty: no entry is too new.
  EntryTimes(const mapping::Index* index, NewestPut newest_put) : index_(index), newest_put_(std::move(newest_put)) {}

  /// False: the entry is not too new. `newest_source`: the newest watched cell of the unit. No I/O.
  bool MayBeTooNew(const SourceUnit& unit, const mapping::Entry& entry, int64_t timestamp, int64_t newest_source) const;

  Result<std::vector<int64_t>> NewestPuts(std::span<const SourceUnit> units) const;

 private:
  const mapping::Index* const index_;
  const NewestPut newest_put_;
};

/// The reason text of a finding with this time.
std::string TooNewText(int64_t timestamp, int64_t newest_put);

}  // namespace fensi::sweep
