// The periods that may get entries at one moment, for an index with period tables: from now - `retention:` to now + one
// day, so that bad data cannot create tables without end. Limits puts only; an existing entry stays until its source is
// deleted, or a person drops its table. Pure, not thread-safe.
#pragma once

#include <cstdint>
#include <functional>

#include "mapping/entry_list.h"
#include "mapping/index.h"

namespace fensi::mapping {

class PeriodWindow {
 public:
  /// Everything may be put.
  PeriodWindow() = default;
  /// All periods for an index without `retention:`.
  PeriodWindow(const Index& index, int64_t now_millis);

  bool limited() const { return from_ != INT64_MIN; }
  int64_t from() const { return from_; }
  int64_t to() const { return to_; }
  bool Inside(const Entry& entry) const { return entry.period >= from_ && entry.period <= to_; }

  /// Removes from `after` the entries outside the window that are not in `before` unchanged, and calls `refuse` with
  /// each.
  void Refuse(const EntryList& before, EntryList* after, const std::function<void(const Entry&)>& refuse);
  /// Outside the window but still wanted: neither put nor removed.
  bool LeavesAlone(const Entry& entry, const EntryList& after) const;
  /// True if `entry` may be put now, and the same entry of `before`, outside the window, may have been refused.
  bool CameInside(const Entry& entry, const EntryList& before) const;

 private:
  int64_t from_ = INT64_MIN;
  int64_t to_ = INT64_MAX;
  EntryList kept_;  // reused
};

}  // namespace fensi::mapping
