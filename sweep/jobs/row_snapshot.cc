#include "sweep/jobs/row_snapshot.h"

#include <algorithm>
#include <utility>

#include "base/hbase_limits.h"
#include "consumer/codec/request.h"
#include "sweep/scan/page_reader.h"
#include "sweep/scan/source_unit.h"

namespace fensi::sweep {
namespace {

using consumer::Request;

/// Maximum size of a cell in a message.
size_t MessageBytes(const Cell& cell) {
  size_t bytes = cell.family.size() + cell.qualifier.size() + cell.value.size() + consumer::kRequestPieceRoom;
  for (const Tag& tag : cell.tags) bytes += tag.value.size() + consumer::kRequestPieceRoom;
  return bytes;
}

}  // namespace

RowSnapshotBuilder::RowSnapshotBuilder(const mapping::Index* index, RowSnapshotOptions options, Use use)
    : index_(index), options_(std::move(options)), use_(std::move(use)) {}

Status RowSnapshotBuilder::Take(const store::Row& piece, int64_t read_time) {
  const bool same = goes_on_ && piece.row == row_;
  if (!same) BeginRow(piece.row);
  sent_ = sent_ || same;
  goes_on_ = piece.goes_on;
  image_.read_time = read_time;
  for (const Cell& cell : piece.cells) FENSI_RETURN_IF_ERROR(TakeCell(cell));
  return Send(!goes_on_ && !sent_);
}

void RowSnapshotBuilder::BeginRow(const std::string& row) {
  row_ = row;
  sent_ = false;
  family_markers_.clear();
  family_.clear();
  image_ = RequestOf(Request::Kind::kImage);
  bytes_ = 0;
}

Status RowSnapshotBuilder::TakeCell(const Cell& cell) {
  // M15: the newest visible put of each watched column, and all markers.
  if (IsHidden(cell) || !IsWatched(cell)) return {};
  const size_t bytes = MessageBytes(cell);
  if (bytes > options_.most_cell) return SendRecheck(cell);
  if (bytes_ + bytes > options_.most_bytes && !image_.cells.empty()) FENSI_RETURN_IF_ERROR(Send(false));
  image_.cells.push_back(cell);
  bytes_ += bytes;
  return {};
}

bool RowSnapshotBuilder::IsWatched(const Cell& cell) const {
  return IsFamilyMarker(cell.type) ? index_->WatchesFamily(cell.family) : index_->Watches(cell.family, cell.qualifier);
}

bool RowSnapshotBuilder::IsHidden(const Cell& cell) {
  if (cell.family != family_ || cell.qualifier != qualifier_) {
    family_ = cell.family;
    qualifier_ = cell.qualifier;
    column_marker_ = -1;
  }
  if (cell.type == CellType::kDeleteFamily) {
    const auto [at, added] = family_markers_.emplace(cell.family, cell.timestamp);
    at->second = std::max(at->second, cell.timestamp);
  }
  if (cell.type == CellType::kDeleteColumn) column_marker_ = std::max(column_marker_, cell.timestamp);
  if (cell.type != CellType::kPut) return false;
  const auto family = family_markers_.find(cell.family);
  return cell.timestamp <= column_marker_ || (family != family_markers_.end() && cell.timestamp <= family->second);
}

Status RowSnapshotBuilder::Send(bool whole) {
  if (image_.cells.empty()) return {};
  // M15: a part must not be compared with the whole unit.
  image_.partial = !whole;
  FENSI_RETURN_IF_ERROR(use_(image_));
  image_.cells.clear();
  bytes_ = 0;
  sent_ = true;
  return {};
}

Status RowSnapshotBuilder::SendRecheck(const Cell& cell) {
  sent_ = true;  // the image lacks it
  Request recheck = RequestOf(Request::Kind::kRecheck);
  if (index_->state_scope() == mapping::StateScope::kColumn) recheck.columns = {{cell.family, cell.qualifier}};
  return use_(recheck);
}

Request RowSnapshotBuilder::RequestOf(Request::Kind kind) const {
  return {.kind = kind,
          .table = index_->source_table(),
          .row = row_,
          .incarnation = options_.incarnation,
          .job = options_.job};
}

RowSnapshotScan::RowSnapshotScan(const mapping::Index* index, store::Store* store, Clock* clock,
                                 std::optional<store::ScanRequest::Times> times, RowSnapshotOptions options,
                                 RowSnapshotBuilder::Use use)
    : index_(index), store_(store), clock_(clock), times_(times), images_(index, std::move(options), std::move(use)) {}

store::ScanRequest RowSnapshotScan::Request(const RowRange& range) const {
  return {.start_row = range.start, .stop_row = range.stop, .columns = WatchedColumns(*index_), .raw = true};
}

Status RowSnapshotScan::Run(const RowRange& range, const std::function<Status(const Page&)>& passed) {
  store::ScanRequest request = Request(range);
  request.keys_only = times_.has_value();
  if (times_) request.times = *times_;
  PageReader reader(store_, index_->source_table(), std::move(request));
  std::vector<store::Row> rows;
  last_row_.clear();
  for (;;) {
    const int64_t read_time = clock_->WallMillis();
    FENSI_ASSIGN_OR_RETURN(const bool more, reader.Next(&rows));
    Page page{.last = !more};
    FENSI_RETURN_IF_ERROR(TakeRows(rows, read_time, &page));
    if (!rows.empty()) page.next = rows.back().goes_on ? rows.back().row : RowAfter(rows.back().row);
    FENSI_RETURN_IF_ERROR(passed(page));
    if (page.last) return {};
  }
}

Status RowSnapshotScan::TakeRows(const std::vector<store::Row>& rows, int64_t read_time, Page* page) {
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

Status RowSnapshotScan::ReadWhole(const std::string& row, Page* page) {
  PageReader reader(store_, index_->source_table(), Request({row, RowAfter(row)}));
  std::vector<store::Row> pieces;
  for (;;) {
    const int64_t read_time = clock_->WallMillis();
    FENSI_ASSIGN_OR_RETURN(const bool more, reader.Next(&pieces));
    for (const store::Row& piece : pieces) {
      page->bytes += static_cast<int64_t>(store::HeldBytes(piece));
      FENSI_RETURN_IF_ERROR(images_.Take(piece, read_time));
    }
    if (!more) return {};
  }
}

}  // namespace fensi::sweep
