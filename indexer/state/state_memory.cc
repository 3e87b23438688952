#include "indexer/state/state_memory.h"

#include <sys/mman.h>
#include <xxhash.h>

#include <algorithm>
#include <new>
#include <utility>

#include "indexer/state/unit_codec.h"

namespace fensi::indexer {
namespace {

constexpr int kProbes = 6;
constexpr int kProbeBits = 9;  // of the 512 of a block

/// Memory of a map entry, while the map is half full.
constexpr size_t kPlaceBytes = 2 * 72;
constexpr size_t kMostBlockBytes = size_t{64} << 10;
constexpr size_t kLargeBytes = size_t{1} << 20;

/// `kind` tells units from families.
void MakeKey(char kind, std::string_view row, std::string_view unit_key, std::string* key) {
  const auto length = static_cast<uint32_t>(row.size());
  key->assign(1, kind).append(reinterpret_cast<const char*>(&length), sizeof length).append(row).append(unit_key);
}

}  // namespace

StateCache::StateCache(size_t max_bytes)
    : max_bytes_(max_bytes), block_bytes_(std::clamp<size_t>(max_bytes / 16, 1, kMostBlockBytes)) {}

const StateCache::Kept* StateCache::Take() {
  for (Generation* generation : {&young_, &old_}) {
    const auto found = generation->kept.find(key_);
    if (found == generation->kept.end()) continue;
    return std::exchange(found->second.taken, true) ? nullptr : &found->second;
  }
  return nullptr;
}

std::span<char> StateCache::Room(size_t bytes) {
  if (bytes > young_.free.size()) {
    const size_t size = std::max(bytes, block_bytes_);
    young_.blocks.push_back(std::make_unique_for_overwrite<char[]>(size));
    young_.free = {young_.blocks.back().get(), size};
    young_.bytes += size;
  }
  const std::span<char> room = young_.free.first(bytes);
  young_.free = young_.free.subspan(bytes);
  return room;
}

/// Reuse the key's old slot if it fits, so that a hot key takes no more memory.
StateCache::Kept* StateCache::Place(size_t bytes) {
  auto found = young_.kept.find(key_);
  if (found == young_.kept.end()) {
    const std::span<char> key = Room(key_.size());
    key_.copy(key.data(), key.size());
    found = young_.kept.try_emplace(std::string_view(key.data(), key.size())).first;
    young_.bytes += kPlaceBytes;
  }
  Kept* kept = &found->second;
  if (kept->room.size() < bytes) kept->room = Room(bytes);
  return kept;
}

void StateCache::Put(int64_t version, size_t doubt_bytes) {
  Kept* kept = Place(bytes_.size());
  bytes_.copy(kept->room.data(), bytes_.size());
  kept->version = version;
  kept->state_bytes = static_cast<uint32_t>(bytes_.size() - doubt_bytes);
  kept->doubt_bytes = static_cast<uint32_t>(doubt_bytes);
  kept->taken = false;
  if (bytes_.capacity() > kLargeBytes) std::string().swap(bytes_);
  if (young_.bytes < max_bytes_ / 2) return;
  old_ = std::exchange(young_, {});
}

bool StateCache::TakeUnit(std::string_view row, std::string_view unit_key, Unit* out) {
  MakeKey('u', row, unit_key, &key_);
  const Kept* kept = Take();
  if (kept == nullptr) return false;
  const std::string_view bytes(kept->room.data(), kept->room.size());
  const std::string_view doubt = bytes.substr(kept->state_bytes, kept->doubt_bytes);
  if (!DecodeUnit(bytes.substr(0, kept->state_bytes), out).ok()) return false;
  out->version = kept->version;
  return doubt.empty() || DecodeDoubt(doubt, &out->doubt).ok();
}

bool StateCache::TakeFamilies(std::string_view row, FamilyStates* out) {
  MakeKey('f', row, {}, &key_);
  const Kept* kept = Take();
  if (kept == nullptr) return false;
  out->version = kept->version;
  return DecodeFamilies({kept->room.data(), kept->state_bytes}, out).ok();
}

void StateCache::PutUnit(std::string_view row, std::string_view unit_key, const Unit& unit) {
  // A state of the first format: its bytes would say that the markers are its own.
  if (unit.doubted && !unit_key.empty() && !unit.own_families) return;
  MakeKey('u', row, unit_key, &key_);
  bytes_.clear();
  EncodeUnit(unit, unit_key.empty() || unit.own_families, &bytes_);
  const size_t state_bytes = bytes_.size();
  if (unit.doubt.active()) bytes_ += EncodeDoubt(unit.doubt);
  Put(unit.version, bytes_.size() - state_bytes);
}

void StateCache::PutFamilies(std::string_view row, const FamilyStates& families) {
  MakeKey('f', row, {}, &key_);
  bytes_.clear();
  EncodeFamilies(families, &bytes_);
  Put(families.version, 0);
}

SeenFilter::SeenFilter(size_t bytes)
    : count_(std::max<size_t>(1, bytes / sizeof(Block))), blocks_(Zeroes(count_ * sizeof(Block))) {}

std::unique_ptr<SeenFilter::Block[], SeenFilter::Unmap> SeenFilter::Zeroes(size_t bytes) {
  void* zeroes = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (zeroes == MAP_FAILED) throw std::bad_alloc();
  return {static_cast<Block*>(zeroes), Unmap{bytes}};
}

void SeenFilter::Unmap::operator()(Block* blocks) const { munmap(blocks, bytes); }

size_t SeenFilter::BlockOf(uint64_t hash) const { return (hash >> 32) * count_ >> 32; }

/// Which bits of the block: a number that all of the hash decides.
uint64_t SeenFilter::BitsOf(uint64_t hash) { return hash * 0x9e3779b97f4a7c15; }

bool SeenFilter::MayContain(uint64_t hash) const {
  const Block& block = blocks_[BlockOf(hash)];
  uint64_t bits = BitsOf(hash);
  for (int probe = 0; probe < kProbes; ++probe, bits >>= kProbeBits) {
    if ((block[bits >> 6 & 7] >> (bits & 63) & 1) == 0) return false;
  }
  return true;
}

void SeenFilter::Add(uint64_t hash) {
  Block& block = blocks_[BlockOf(hash)];
  uint64_t bits = BitsOf(hash);
  for (int probe = 0; probe < kProbes; ++probe, bits >>= kProbeBits) {
    block[bits >> 6 & 7] |= uint64_t{1} << (bits & 63);
  }
}

StateMemoryShare ShareOf(size_t total, size_t partitions, bool fresh) {
  const size_t share = total / std::max<size_t>(1, partitions);
  const size_t filter = fresh ? std::clamp(share / 2, sizeof(uint64_t), SeenFilter::kDefaultBytes) : 0;
  return {share - std::min(share, filter), filter};
}

uint64_t SeenHash(std::string_view row) { return XXH3_64bits(row.data(), row.size()); }

uint64_t SeenHash(uint64_t of_row, std::string_view unit_key) {
  return XXH3_64bits_withSeed(unit_key.data(), unit_key.size(), of_row | 1);
}

}  // namespace fensi::indexer
