// How many cells to ask for at once, where nobody knows how large cells are, nor how many one column has: so many that
// a column is complete, and so few that the answer is not too large. Pure; one thread.
#pragma once

#include <cstddef>
#include <optional>

namespace fensi::store {

class CellSearch {
 public:
  /// So many did not fit into an answer: what to ask for next, or nothing: the column is larger than an answer.
  std::optional<size_t> Fewer(size_t asked);
  /// So many were all of one column, and not all that it has: what to ask for next.
  size_t More(size_t asked);
  /// The column is through; the next one is another.
  void Found() { too_few_ = too_many_ = 0; }

 private:
  size_t too_few_ = 0;   // 0: not known
  size_t too_many_ = 0;  // 0: not known
};

}  // namespace fensi::store
