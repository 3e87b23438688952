#include "indexer/changelog/row_image.h"

#include <algorithm>

namespace fensi::indexer {

bool IsEmpty(const RowImage& image) {
  return std::none_of(image.begin(), image.end(), [](const auto& shown) { return shown.has_value(); });
}

FieldIndex::FieldIndex(const mapping::ChangelogSpec& spec) {
  for (size_t i = 0; i < spec.fields.size(); ++i) fields_[{spec.fields[i].family, spec.fields[i].qualifier}] = i;
}

std::optional<size_t> FieldIndex::Find(const Cell& cell) const {
  const auto found = fields_.find({cell.family, cell.qualifier});
  return found == fields_.end() ? std::nullopt : std::optional(found->second);
}

RowImage FieldIndex::ImageOf(const store::Row& row) const {
  RowImage image(fields_.size());
  for (const Cell& cell : row.cells) Put(cell, &image);
  return image;
}

void FieldIndex::Put(const Cell& cell, RowImage* image) const {
  const std::optional<size_t> field = Find(cell);
  if (!field) return;
  std::optional<ShownCell>& shown = (*image)[*field];
  if (!shown || cell.timestamp >= shown->version) shown = ShownCell{cell.timestamp, cell.value};
}

void FieldIndex::Remove(const Cell& cell, RowImage* image) const {
  const std::optional<size_t> field = Find(cell);
  if (!field) return;
  std::optional<ShownCell>& shown = (*image)[*field];
  if (shown && shown->version <= cell.timestamp) shown.reset();
}

}  // namespace fensi::indexer
