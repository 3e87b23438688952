// Lists the existing tables of an index: its one table, or for period tables those that the source names and those of
// the time that `keep` allows.
//
// Blocks on the store; one thread. Borrows both.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "mapping/index.h"
#include "mapping/period_window.h"
#include "store/store.h"

namespace fensi::sweep {

/// Tells which entries of a source row must be in the index at one moment: leaves out what a period table takes no
/// longer, and what is about to expire. Pure.
class Expectation {
 public:
  Expectation(const mapping::Index& index, int64_t now_millis);

  /// False: `fensi run` need not have put the entry, nor changed it since.
  bool Inside(const mapping::Entry& entry) const { return periods_.Inside(entry); }
  /// True if the entry expires with its cells now or in a moment. Not if it expired long ago: a source that still shows
  /// these cells keeps them beyond the TTL of `create:`, so the entry is missing.
  bool Expires(const mapping::Entry& entry) const {
    return entry.expires_at >= expires_from_ && entry.expires_at <= expires_to_;
  }

  const mapping::PeriodWindow& periods() const { return periods_; }

 private:
  mapping::PeriodWindow periods_;
  int64_t expires_from_;
  int64_t expires_to_;
};

// The existing tables of an index.

class TableList {
 public:
  TableList(const mapping::Index* index, store::Store* store) : index_(index), store_(store) {}

  /// Adds a table that the source names. kInvalidArgument: more tables than anybody would have.
  Status Note(std::string_view table);
  /// kConfiguration: some of the tables are known only from the source rows. The message has no remedy: what to do
  /// depends on the caller.
  Status CanEnumerateAll(int64_t now_millis) const;
  Result<std::vector<std::string>> Existing(int64_t now_millis) const;

 private:
  const mapping::Index* const index_;
  store::Store* const store_;
  std::set<std::string, std::less<>> noted_;
};

}  // namespace fensi::sweep
