// How many states a batch may ask for at once. What they take is known only when they are there: the pace follows from
// what the last ones took, and begins slowly. It only saves requests for what is not taken: the bound is the store's
// (Store::GetSome).
#pragma once

#include <algorithm>
#include <cstddef>

namespace fensi::indexer {

/// Not thread-safe.
class ReadPace {
 public:
  static constexpr size_t kBytes = size_t{8} << 20;

  /// `bytes`: what the states of one piece of a batch should take.
  explicit ReadPace(size_t bytes = kBytes) : bytes_(bytes) {}

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
