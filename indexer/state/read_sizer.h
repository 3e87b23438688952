// Chooses how many states a batch reads at once. Their size is known only afterwards: the number follows from the last
// sizes, and starts small. It only avoids requests for states that are not taken; the store enforces the bound
// (Store::GetSome).
#pragma once

#include <algorithm>
#include <cstddef>

namespace fensi::indexer {

/// Not thread-safe.
class ReadSizer {
 public:
  static constexpr size_t kBytes = size_t{8} << 20;

  /// `bytes`: target size of the states of one piece of a batch.
  explicit ReadSizer(size_t bytes = kBytes) : bytes_(bytes) {}

  /// Units, and whole rows with an unknown number of units.
  size_t units() const { return units_; }
  size_t rows() const { return rows_; }

  void NoteUnits(size_t count, size_t bytes) { Adapt(count, bytes, kMostUnits, &units_); }
  void NoteRows(size_t count, size_t bytes) { Adapt(count, bytes, kMostRows, &rows_); }

 private:
  static constexpr size_t kMostUnits = 16'384;
  static constexpr size_t kMostRows = 256;

  void Adapt(size_t count, size_t bytes, size_t most, size_t* pace) const {
    if (count == 0) return;
    const size_t fits = std::max<size_t>(1, bytes_ / std::max<size_t>(1, bytes / count));
    // Little was read: that says little.
    *pace = count * 2 < *pace ? std::min(*pace, fits) : std::min({*pace * 2, fits, most});
  }

  const size_t bytes_;
  size_t units_ = 64;
  size_t rows_ = 8;
};

}  // namespace fensi::indexer
