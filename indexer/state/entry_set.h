// Index cells, each once, in the order in which they came: what an attempt in doubt may have to remove.
//
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "mapping/entry_list.h"

namespace fensi::indexer {

/// Of table, row and column.
uint64_t HashOfCell(const mapping::Entry& entry);

class EntrySet {
 public:
  /// `up_to`: the newest version at which an attempt may have put it; the highest of all that are told counts. Answers
  /// what the set takes more by it: nothing when the cell is in it.
  size_t Add(const mapping::Entry& entry, int64_t up_to = INT64_MAX);

  size_t size() const { return entries_.size(); }
  mapping::Entry operator[](size_t i) const { return entries_[i]; }
  int64_t up_to(size_t i) const { return up_to_[i]; }
  const mapping::EntryList& list() const { return entries_; }
  size_t bytes() const { return bytes_; }

 private:
  mapping::EntryList entries_;
  std::vector<int64_t> up_to_;
  std::unordered_multimap<uint64_t, size_t> by_hash_;
  size_t bytes_ = 0;
};

}  // namespace fensi::indexer
