#include "indexer/state/state_memory.h"

#include <xxhash.h>

#include <algorithm>

namespace fensi::indexer {
namespace {

constexpr int kProbes = 4;

size_t ApproximateBytes(const RowWork& row) {
  size_t bytes = 200 + row.row.size();
  for (const auto& [key, work] : row.units) {
    bytes += 350 + 2 * key.size();
    for (const ColumnRegisters& column : work.unit.columns) {
      bytes += sizeof(ColumnRegisters) + column.newest.value.size();
      for (const PutRegister& put : column.kept) bytes += sizeof(PutRegister) + put.value.size();
    }
    for (const Snapshot& snapshot : work.unit.doubt.snapshots) {
      for (const Snapshot::Cell& cell : snapshot.cells) bytes += sizeof(Snapshot::Cell) + cell.value.size();
    }
  }
  return bytes;
}

}  // namespace

bool StateCache::Take(const std::string& row, RowWork* out) {
  for (auto* generation : {&young_, &old_}) {
    if (auto found = generation->find(row); found != generation->end()) {
      *out = std::move(found->second);
      generation->erase(found);
      return true;
    }
  }
  return false;
}

void StateCache::Put(RowWork row) {
  young_bytes_ += ApproximateBytes(row);
  std::string key = row.row;
  young_.insert_or_assign(std::move(key), std::move(row));
  if (young_bytes_ < max_bytes_ / 2) return;
  old_ = std::move(young_);
  young_.clear();
  young_bytes_ = 0;
}

bool SeenFilter::MayContain(uint64_t hash) const {
  const uint64_t step = hash >> 32 | 1;
  for (int probe = 0; probe < kProbes; ++probe, hash += step) {
    if ((words_[(hash >> 6) % words_.size()] >> (hash & 63) & 1) == 0) return false;
  }
  return true;
}

void SeenFilter::Add(uint64_t hash) {
  const uint64_t step = hash >> 32 | 1;
  for (int probe = 0; probe < kProbes; ++probe, hash += step) {
    words_[(hash >> 6) % words_.size()] |= uint64_t{1} << (hash & 63);
  }
}

StateMemoryShare ShareOf(size_t total, size_t partitions, bool fresh) {
  const size_t share = total / std::max<size_t>(1, partitions);
  const size_t filter = fresh ? std::clamp(share / 2, sizeof(uint64_t), SeenFilter::kDefaultBytes) : 0;
  return {share - std::min(share, filter), filter};
}

uint64_t SeenHash(std::string_view row) { return XXH3_64bits(row.data(), row.size()); }

uint64_t SeenHash(std::string_view row, std::string_view unit_key) {
  return XXH3_64bits_withSeed(unit_key.data(), unit_key.size(), SeenHash(row) | 1);
}

}  // namespace fensi::indexer
