#include "store/hbase/cell_search.h"

#include <algorithm>

namespace fensi::store {

std::optional<size_t> CellSearch::Fewer(size_t asked) {
  too_many_ = asked;
  const size_t fewer = too_few_ > 0 ? (too_few_ + too_many_) / 2 : std::max<size_t>(too_many_ / 8, 1);
  if (fewer == too_few_ || fewer == too_many_) return std::nullopt;
  return fewer;
}

size_t CellSearch::More(size_t asked) {
  too_few_ = asked;
  return too_many_ > too_few_ ? std::max((too_few_ + too_many_) / 2, too_few_ + 1) : 2 * asked;
}

}  // namespace fensi::store
