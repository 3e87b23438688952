// Whether an entry that is right has a time that its index can have put it at. An entry with a newer time hides what
// the owners put of its source row later, and stays when the row is deleted.
//
// Blocks on what knows the times; one thread. Everything that is handed in outlives it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "mapping/index.h"
#include "sweep/source_unit.h"

namespace fensi::sweep {

/// For each unit the newest time at which owners of the index may have put an entry of it, as their states say.
/// INT64_MAX: nobody knows.
using NewestPut = std::function<Result<std::vector<int64_t>>(std::span<const SourceUnit>)>;

class EntryTimes {
 public:
  /// `newest_put` is empty: no entry is too new.
  EntryTimes(const mapping::Index* index, NewestPut newest_put) : index_(index), newest_put_(std::move(newest_put)) {}

  /// False: the entry is not too new. `newest_source`: the newest watched cell of the unit. Asks nobody.
  bool MayBeTooNew(const SourceUnit& unit, const mapping::Entry& entry, int64_t timestamp, int64_t newest_source) const;

  Result<std::vector<int64_t>> NewestPuts(std::span<const SourceUnit> units) const;

 private:
  const mapping::Index* const index_;
  const NewestPut newest_put_;
};

/// What a finding says of an entry of this time.
std::string TooNewText(int64_t timestamp, int64_t newest_put);

}  // namespace fensi::sweep
