#include "indexer/plan/image_doubt.h"

#include <algorithm>
#include <tuple>

namespace fensi::indexer {
namespace {

bool Shows(const Cell& image, const mapping::VisibleCell& now, const Unit& unit) {
  if (image.family != now.family || image.qualifier != now.qualifier || image.timestamp != now.timestamp) return false;
  return image.value == now.value || unit.Find(now.family, now.qualifier)->newest.dropped;
}

std::vector<const Cell*> PutsInOrder(std::span<const Cell* const> image) {
  std::vector<const Cell*> puts;
  std::copy_if(image.begin(), image.end(), std::back_inserter(puts),
               [](const Cell* cell) { return cell->type == CellType::kPut; });
  std::sort(puts.begin(), puts.end(), [](const Cell* a, const Cell* b) {
    return std::tie(a->family, a->qualifier) < std::tie(b->family, b->qualifier);
  });
  return puts;
}

}  // namespace

ColumnNames NamesOf(const Visible& visible) {
  ColumnNames names;
  for (const mapping::VisibleCell& cell : visible.cells) names.emplace_back(cell.family, cell.qualifier);
  return names;
}

bool ImageLeavesDoubt(std::span<const Cell* const> image, bool whole, const ColumnNames& shown, const Visible& now,
                      const Unit& unit) {
  const ColumnNames names = NamesOf(now);
  if (!std::includes(names.begin(), names.end(), shown.begin(), shown.end())) return true;
  if (!whole) return false;
  const std::vector<const Cell*> puts = PutsInOrder(image);
  return !std::equal(puts.begin(), puts.end(), now.cells.begin(), now.cells.end(),
                     [&](const Cell* put, const mapping::VisibleCell& cell) { return Shows(*put, cell, unit); });
}

}  // namespace fensi::indexer
