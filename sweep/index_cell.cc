#include "sweep/index_cell.h"

#include <xxhash.h>

#include <cstring>

namespace fensi::sweep {

IndexCell IndexCell::Of(const mapping::Entry& entry) {
  return {std::string(entry.table), std::string(entry.row), std::string(entry.family), std::string(entry.qualifier)};
}

mapping::Entry IndexCell::View() const {
  mapping::Entry entry;
  entry.table = table;
  entry.row = row;
  entry.family = family;
  entry.qualifier = qualifier;
  return entry;
}

size_t IndexCell::HeldBytes() const {
  return sizeof(IndexCell) + table.size() + row.size() + family.size() + qualifier.size();
}

void Hasher::Add(std::string_view bytes) {
  const XXH128_hash_t part = XXH3_128bits_withSeed(bytes.data(), bytes.size(), bytes.size());
  const uint64_t chain[] = {hash_.low, hash_.high, part.low64, part.high64};
  const XXH128_hash_t all = XXH3_128bits(chain, sizeof chain);
  hash_ = {all.low64, all.high64};
}

void Hasher::Add(int64_t number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  Add(std::string_view(bytes, sizeof bytes));
}

Hash CellHash(const mapping::Entry& entry) {
  Hasher hasher;
  for (const std::string_view part : {entry.table, entry.row, entry.family, entry.qualifier}) hasher.Add(part);
  return hasher.hash();
}

}  // namespace fensi::sweep
