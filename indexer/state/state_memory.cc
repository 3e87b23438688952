#include "indexer/state/state_memory.h"

#include <xxhash.h>

#include <algorithm>
#include <utility>

namespace fensi::indexer {
namespace {

constexpr int kProbes = 4;

/// What a string takes besides itself.
size_t HeapBytes(const std::string& text) { return text.capacity() < sizeof(text) / 2 ? 0 : text.capacity() + 17; }

size_t BytesOf(const PutRegister& put) { return sizeof put + HeapBytes(put.value); }

size_t BytesOf(const ColumnState& column) {
  size_t bytes =
      sizeof column + HeapBytes(column.family) + HeapBytes(column.qualifier) + HeapBytes(column.newest.value);
  for (const PutRegister& put : column.kept) bytes += BytesOf(put);
  return bytes + column.deleted_versions.capacity() * sizeof(int64_t);
}

size_t BytesOf(const FamilyStates& families) {
  size_t bytes = sizeof families + 64;
  for (const FamilyState& family : families.families) {
    bytes += sizeof family + HeapBytes(family.family) + family.deleted_versions.capacity() * sizeof(int64_t);
  }
  return bytes;
}

size_t BytesOf(const Unit& unit) {
  size_t bytes = sizeof unit + 64;  // a node of the map has pointers, a hash and malloc's own
  for (const ColumnState& column : unit.columns) bytes += BytesOf(column);
  for (const Snapshot& snapshot : unit.doubt.snapshots) {
    for (const Snapshot::Cell& cell : snapshot.cells) {
      bytes += sizeof cell + HeapBytes(cell.family) + HeapBytes(cell.qualifier) + HeapBytes(cell.value);
    }
  }
  return unit.families == nullptr ? bytes : bytes + BytesOf(*unit.families);
}

/// `kind` tells units from families.
void MakeKey(char kind, std::string_view row, std::string_view unit_key, std::string* key) {
  const auto length = static_cast<uint32_t>(row.size());
  key->assign(1, kind).append(reinterpret_cast<const char*>(&length), sizeof length).append(row).append(unit_key);
}

}  // namespace

bool StateCache::Take(Unit* out) {
  for (auto* generation : {&young_, &old_}) {
    const auto found = generation->find(key_);
    if (found == generation->end()) continue;
    *out = std::move(found->second.unit);
    if (generation == &young_) young_bytes_ -= found->second.bytes;
    generation->erase(found);
    return true;
  }
  return false;
}

void StateCache::Put(Unit unit) {
  Kept kept{std::move(unit)};
  kept.bytes = sizeof kept + sizeof key_ + HeapBytes(key_) + BytesOf(kept.unit);
  const auto [place, added] = young_.try_emplace(key_);
  if (!added) young_bytes_ -= place->second.bytes;
  young_bytes_ += kept.bytes;
  place->second = std::move(kept);
  if (young_bytes_ < max_bytes_ / 2) return;
  old_ = std::exchange(young_, {});
  young_bytes_ = 0;
}

bool StateCache::TakeUnit(std::string_view row, std::string_view unit_key, Unit* out) {
  MakeKey('u', row, unit_key, &key_);
  Unit kept{.families = nullptr};
  if (!Take(&kept)) return false;
  kept.row = std::move(out->row);
  kept.family = std::move(out->family);
  kept.qualifier = std::move(out->qualifier);
  if (kept.families == nullptr) kept.families = std::move(out->families);
  *out = std::move(kept);
  return true;
}

bool StateCache::TakeFamilies(std::string_view row, std::shared_ptr<FamilyStates>* out) {
  MakeKey('f', row, {}, &key_);
  Unit kept{.families = nullptr};
  if (!Take(&kept)) return false;
  *out = std::move(kept.families);
  return true;
}

void StateCache::PutUnit(std::string_view row, std::string_view unit_key, Unit unit) {
  MakeKey('u', row, unit_key, &key_);
  // What the key says already is not kept twice; markers that units share have a place of their own.
  for (std::string* name : {&unit.row, &unit.family, &unit.qualifier}) std::string().swap(*name);
  if (!unit_key.empty() && !unit.own_families) unit.families = nullptr;
  Put(std::move(unit));
}

void StateCache::PutFamilies(std::string_view row, std::shared_ptr<FamilyStates> families) {
  MakeKey('f', row, {}, &key_);
  Unit kept{.families = nullptr};
  kept.families = std::move(families);
  Put(std::move(kept));
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
