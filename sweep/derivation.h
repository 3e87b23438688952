// From what was read of a source row to the entries that an index must have of it, unit by unit as `fensi run` derives
// them. Reuses its memory; one thread. The index outlives it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "mapping/index.h"
#include "store/store.h"
#include "sweep/source_unit.h"

namespace fensi::sweep {

/// Entries of one unit; valid while the use of it lasts.
struct Derived {
  const SourceUnit* unit = nullptr;
  const mapping::EntryList* entries = nullptr;
  const std::vector<mapping::Unmappable>* problems = nullptr;
  int64_t newest = INT64_MIN;  // timestamp of its newest watched cell
  bool too_large = false;      // to be sure of what the index keeps of it; the only problem says so
};

class Derivation {
 public:
  explicit Derivation(const mapping::Index* index) : index_(index) {}

  using Use = std::function<Status(const Derived&)>;
  /// `row` has the newest version of each column: all that are watched, or where units are columns any of them.
  Status Derive(const store::Row& row, const Use& use);

  /// The entries of all units together. False: one of them was too large.
  bool DeriveAll(const store::Row& row, mapping::EntryList* entries);

 private:
  /// Watched cells of a unit, and those above kMaxSourceTime, whose columns count as empty.
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

}  // namespace fensi::sweep
