#include "indexer/state/entry_set.h"

#include <xxhash.h>

#include <algorithm>
#include <string_view>

namespace fensi::indexer {
uint64_t HashOfCell(const mapping::Entry& entry) {
  uint64_t hash = 0;
  for (const std::string_view part : {entry.table, entry.row, entry.family, entry.qualifier}) {
    hash = XXH3_64bits_withSeed(part.data(), part.size(), hash);
  }
  return hash;
}

size_t EntrySet::Add(const mapping::Entry& entry, int64_t up_to) {
  const uint64_t hash = HashOfCell(entry);
  const auto [first, last] = by_hash_.equal_range(hash);
  const auto same = [&](const auto& known) { return mapping::SameCell(entries_[known.second], entry); };
  if (const auto known = std::find_if(first, last, same); known != last) {
    up_to_[known->second] = std::max(up_to_[known->second], up_to);
    return 0;
  }
  by_hash_.emplace(hash, entries_.size());
  mapping::Entry cell = entry;
  cell.value = {};  // a removal names no value
  entries_.Add(cell);
  up_to_.push_back(up_to);
  const size_t added = 128 + entry.table.size() + entry.row.size() + entry.family.size() + entry.qualifier.size();
  bytes_ += added;
  return added;
}

}  // namespace fensi::indexer
