#include "indexer/mirror/floor_table.h"

#include <algorithm>
#include <utility>

namespace fensi::indexer {
namespace {

constexpr size_t kFirstSlots = 64;
/// 0 is a free slot.
uint64_t Taken(uint64_t name) { return name == 0 ? 1 : name; }

}  // namespace

FloorTable::FloorTable(size_t most_bytes) : most_used_(std::max<size_t>(1, most_bytes / (4 * sizeof(Slot)))) {}

FloorTable::Slot* FloorTable::SlotOf(uint64_t name, std::vector<Slot>* slots) {
  const size_t mask = slots->size() - 1;
  size_t i = name & mask;
  while ((*slots)[i].name != 0 && (*slots)[i].name != name) i = (i + 1) & mask;
  return &(*slots)[i];
}

int64_t FloorTable::FindIn(uint64_t name, const Generation& generation) {
  if (generation.used == 0) return kNone;
  const size_t mask = generation.slots.size() - 1;
  for (size_t i = name & mask; generation.slots[i].name != 0; i = (i + 1) & mask) {
    if (generation.slots[i].name == name) return generation.slots[i].number;
  }
  return kNone;
}

int64_t FloorTable::Find(uint64_t name) const {
  name = Taken(name);
  return std::max({common_, FindIn(name, young_), FindIn(name, old_)});
}

bool FloorTable::Raise(uint64_t name, int64_t to) {
  if (2 * (young_.used + 1) > young_.slots.size()) Grow();
  Slot* slot = SlotOf(Taken(name), &young_.slots);
  if (slot->name == 0) {
    slot->name = Taken(name);
    ++young_.used;
  }
  if (slot->number >= to) return false;
  slot->number = to;
  young_.highest = std::max(young_.highest, to);
  return true;
}

void FloorTable::Grow() {
  std::vector<Slot> grown(std::max(kFirstSlots, 2 * young_.slots.size()));
  for (const Slot& slot : young_.slots) {
    if (slot.name != 0) *SlotOf(slot.name, &grown) = slot;
  }
  young_.slots = std::move(grown);
}

void FloorTable::Evict() {
  if (young_.used < most_used_) return;
  RaiseAll(old_.highest);
  old_ = std::exchange(young_, {});
}

}  // namespace fensi::indexer
