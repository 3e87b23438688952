// Goes through a table page by page. How many rows a page has follows from what the last ones took, so that what is in
// memory stays small; how fast it goes is bounded, too.
//
// Blocks on the store and on the clock; one thread.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/clock.h"
#include "store/store.h"

namespace fensi::sweep {

class PageReader {
 public:
  /// Cells of a page at most, but for those of one column more.
  static constexpr size_t kMostCells = 10'000;

  /// Borrows the store. What the request says of its pages is overwritten.
  PageReader(store::Store* store, std::string table, store::ScanRequest request);

  /// False: that was the end, and `page` has the last rows, perhaps none.
  Result<bool> Next(std::vector<store::Row>* page);

 private:
  void Adapt(const std::vector<store::Row>& page);

  store::Store* const store_;
  const std::string table_;
  store::ScanRequest request_;
};

/// At most so many rows a second.
class Pace {
 public:
  /// 0: as fast as it goes. Borrows the clock.
  Pace(int64_t rows_per_second, Clock* clock)
      : rows_per_second_(rows_per_second), clock_(clock), begin_(clock->SinceBoot()) {}
  /// How long to wait now that so many rows more were read.
  std::chrono::milliseconds Took(int64_t rows);

 private:
  const int64_t rows_per_second_;
  Clock* const clock_;
  std::chrono::milliseconds begin_;
  int64_t rows_ = 0;  // since then
};

}  // namespace fensi::sweep
