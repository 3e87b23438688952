#include "sweep/image_scan.h"

#include <utility>

#include "base/row_after.h"
#include "sweep/page_reader.h"
#include "sweep/source_unit.h"

namespace fensi::sweep {

ImageScan::ImageScan(const mapping::Index* index, store::Store* store, Clock* clock,
                     std::optional<store::ScanRequest::Times> times, ImageOptions options, ImageMaker::Use use)
    : index_(index), store_(store), clock_(clock), times_(times), images_(index, std::move(options), std::move(use)) {}

store::ScanRequest ImageScan::Request(const RowRange& range) const {
  return {.start_row = range.start, .stop_row = range.stop, .columns = WatchedColumns(*index_), .raw = true};
}

Status ImageScan::Run(const RowRange& range, const std::function<Status(const Page&)>& passed) {
  store::ScanRequest request = Request(range);
  request.keys_only = times_.has_value();
  if (times_) request.times = *times_;
  PageReader reader(store_, index_->source_table(), std::move(request));
  std::vector<store::Row> rows;
  last_row_.clear();
  for (;;) {
    const int64_t read_time = clock_->WallMillis();
    const Result<bool> more = reader.Next(&rows);
    FENSI_RETURN_IF_ERROR(more.status());
    Page page{.last = !*more};
    FENSI_RETURN_IF_ERROR(TakeRows(rows, read_time, &page));
    if (!rows.empty()) page.next = rows.back().goes_on ? rows.back().row : RowAfter(rows.back().row);
    FENSI_RETURN_IF_ERROR(passed(page));
    if (page.last) return {};
  }
}

Status ImageScan::TakeRows(const std::vector<store::Row>& rows, int64_t read_time, Page* page) {
  for (const store::Row& row : rows) {
    const bool first = row.row != last_row_;
    page->rows += first ? 1 : 0;
    last_row_ = row.row;
    if (!times_) page->bytes += static_cast<int64_t>(store::HeldBytes(row));
    if (!times_) FENSI_RETURN_IF_ERROR(images_.Take(row, read_time));
    if (times_ && first) FENSI_RETURN_IF_ERROR(ReadWhole(row.row, page));
  }
  return {};
}

Status ImageScan::ReadWhole(const std::string& row, Page* page) {
  PageReader reader(store_, index_->source_table(), Request({row, RowAfter(row)}));
  std::vector<store::Row> pieces;
  for (;;) {
    const int64_t read_time = clock_->WallMillis();
    const Result<bool> more = reader.Next(&pieces);
    FENSI_RETURN_IF_ERROR(more.status());
    for (const store::Row& piece : pieces) {
      page->bytes += static_cast<int64_t>(store::HeldBytes(piece));
      FENSI_RETURN_IF_ERROR(images_.Take(piece, read_time));
    }
    if (!*more) return {};
  }
}

}  // namespace fensi::sweep
