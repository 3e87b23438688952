#include "sweep/page_reader.h"

#include <algorithm>
#include <utility>

namespace fensi::sweep {
namespace {

constexpr size_t kPageBytes = size_t{2} << 20;
constexpr size_t kFirstRows = 64;
constexpr size_t kMostRows = 1000;

}  // namespace

PageReader::PageReader(store::Store* store, std::string table, store::ScanRequest request)
    : store_(store), table_(std::move(table)), request_(std::move(request)) {
  request_.max_rows = kFirstRows;
  request_.max_cells = kMostCells;
}

Result<bool> PageReader::Next(std::vector<store::Row>* page) {
  Result<std::vector<store::Row>> read = store_->Scan(table_, request_);
  FENSI_RETURN_IF_ERROR(read.status());
  const bool more = store::ToNextPage(*read, &request_);
  Adapt(*read);
  *page = std::move(*read);
  return more;
}

void PageReader::Adapt(const std::vector<store::Row>& page) {
  if (page.empty()) return;
  size_t bytes = 1;
  for (const store::Row& row : page) bytes += store::HeldBytes(row);
  const size_t fits = std::max<size_t>(1, kPageBytes / std::max<size_t>(1, bytes / page.size()));
  request_.max_rows = std::min({request_.max_rows * 2, fits, kMostRows});
}

std::chrono::milliseconds Pace::Took(int64_t rows) {
  using std::chrono::milliseconds;
  if (rows_per_second_ == 0) return milliseconds(0);
  rows_ += rows;
  const milliseconds due = begin_ + milliseconds(1000 * rows_ / rows_per_second_);
  const milliseconds now = clock_->SinceBoot();
  if (now - due < milliseconds(1000)) return std::max(due - now, milliseconds(0));
  begin_ = now;  // what was not used is not made up for
  rows_ = 0;
  return milliseconds(0);
}

}  // namespace fensi::sweep
