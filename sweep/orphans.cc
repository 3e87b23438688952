#include "sweep/orphans.h"

#include <algorithm>

namespace fensi::sweep {
namespace {

constexpr size_t kMostSuspectBytes = size_t{512} << 20;
constexpr size_t kAroundSuspect = 64;

}  // namespace

Orphans::Orphans(size_t max_suspects) : max_suspects_(max_suspects) {}

bool Orphans::AddSuspect(const mapping::Entry& cell, int64_t timestamp) {
  Suspect suspect{IndexCell::Of(cell), timestamp};
  held_bytes_ += kAroundSuspect + suspect.cell.HeldBytes();
  if (suspects_.size() >= max_suspects_ || held_bytes_ > kMostSuspectBytes) return false;
  suspects_.emplace(CellHash(cell).low, std::move(suspect));
  return true;
}

bool Orphans::Has(const mapping::Entry& cell) const {
  const auto [first, last] = suspects_.equal_range(CellHash(cell).low);
  return std::any_of(first, last, [&](const auto& suspect) { return SameCell(suspect.second.cell.View(), cell); });
}

void Orphans::Strike(const mapping::Entry& entry) {
  const auto [first, last] = suspects_.equal_range(CellHash(entry).low);
  for (auto suspect = first; suspect != last;) {
    suspect = SameCell(suspect->second.cell.View(), entry) ? suspects_.erase(suspect) : std::next(suspect);
  }
}

std::vector<Orphans::Suspect> Orphans::Left() const {
  std::vector<Suspect> left;
  for (const auto& [hash, suspect] : suspects_) left.push_back(suspect);
  return left;
}

}  // namespace fensi::sweep
