// Which periods may get entries now, for an index with a table per period: so that bad data cannot make tables without
// end. Looks at what is put only; an entry that is there stays until its source goes, or a person drops its table.
#pragma once

#include <vector>

#include "indexer/plan/letter.h"
#include "mapping/entry_list.h"
#include "mapping/index.h"

namespace fensi::indexer {

class PeriodWindow {
 public:
  /// Everything may be put.
  PeriodWindow() = default;
  /// From now - keep to now + one day, for an index that has `keep:`.
  PeriodWindow(const mapping::Index& index, int64_t now_millis);

  /// Takes out of `after` what is not in `before` as it is and lies outside, and reports it.
  void Refuse(size_t record, const mapping::EntryList& before, mapping::EntryList* after, std::vector<Letter>* letters);

  bool limited() const { return from_ != INT64_MIN; }
  bool Inside(const mapping::Entry& entry) const;
  /// `entry` lies outside and stays as it is: it may not be put, and need not be.
  bool LeavesAlone(const mapping::Entry& entry, const mapping::EntryList& after) const;
  /// `entry` may be put now, and the same one of `before` may have been refused: it lies outside.
  bool CameInside(const mapping::Entry& entry, const mapping::EntryList& before) const;

 private:
  int64_t from_ = INT64_MIN;
  int64_t to_ = INT64_MAX;
  mapping::EntryList kept_;  // reused
};

}  // namespace fensi::indexer
