// Reads rows of the source raw, page by page, and makes images of them. Rows may be selected by the time of their
// cells; they are read whole all the same, or an older cell would pass for the newest.
//
// Blocks on the store and on `use`; one thread. Memory is bounded by a page, whatever a row holds. Everything that is
// handed in outlives it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/board.h"
#include "sweep/image.h"

namespace fensi::sweep {

class ImageScan {
 public:
  /// `times`: only rows that have a watched cell of that time.
  ImageScan(const mapping::Index* index, store::Store* store, Clock* clock,
            std::optional<store::ScanRequest::Times> times, ImageOptions options, ImageMaker::Use use);

  struct Page {
    std::string next;  // rows before it are all handed on; empty: there was no row
    int64_t rows = 0;
    int64_t bytes = 0;
    bool last = false;
  };
  /// Goes through the rows of the range; after each page `passed`, whose error ends it.
  Status Run(const RowRange& range, const std::function<Status(const Page&)>& passed);

 private:
  Status TakeRows(const std::vector<store::Row>& rows, int64_t read_time, Page* page);
  Status ReadWhole(const std::string& row, Page* page);
  store::ScanRequest Request(const RowRange& range) const;

  const mapping::Index* const index_;
  store::Store* const store_;
  Clock* const clock_;
  const std::optional<store::ScanRequest::Times> times_;
  ImageMaker images_;
  std::string last_row_;
};

}  // namespace fensi::sweep
