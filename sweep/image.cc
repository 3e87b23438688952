#include "sweep/image.h"

#include <algorithm>
#include <utility>

#include "consumer/codec/request_limits.h"

namespace fensi::sweep {
namespace {

using consumer::Request;

/// What a cell takes in a message, at most.
size_t MessageBytes(const Cell& cell) {
  size_t bytes = cell.family.size() + cell.qualifier.size() + cell.value.size() + consumer::kRequestPieceRoom;
  for (const Tag& tag : cell.tags) bytes += tag.value.size() + consumer::kRequestPieceRoom;
  return bytes;
}

}  // namespace

ImageMaker::ImageMaker(const mapping::Index* index, ImageOptions options, Use use)
    : index_(index), options_(std::move(options)), use_(std::move(use)) {}

Status ImageMaker::Take(const store::Row& piece, int64_t read_time) {
  const bool same = goes_on_ && piece.row == row_;
  if (!same) BeginRow(piece.row);
  sent_ = sent_ || same;
  goes_on_ = piece.goes_on;
  image_.read_time = read_time;
  for (const Cell& cell : piece.cells) FENSI_RETURN_IF_ERROR(TakeCell(cell));
  return Send(!goes_on_ && !sent_);
}

void ImageMaker::BeginRow(const std::string& row) {
  row_ = row;
  sent_ = false;
  family_markers_.clear();
  family_.clear();
  image_ = RequestOf(Request::Kind::kImage);
  bytes_ = 0;
}

Status ImageMaker::TakeCell(const Cell& cell) {
  if (IsHidden(cell) || !IsWatched(cell)) return {};
  const size_t bytes = MessageBytes(cell);
  if (bytes > options_.most_cell) return SendRecheck(cell);
  if (bytes_ + bytes > options_.most_bytes && !image_.cells.empty()) FENSI_RETURN_IF_ERROR(Send(false));
  image_.cells.push_back(cell);
  bytes_ += bytes;
  return {};
}

bool ImageMaker::IsWatched(const Cell& cell) const {
  return IsFamilyMarker(cell.type) ? index_->WatchesFamily(cell.family) : index_->Watches(cell.family, cell.qualifier);
}

bool ImageMaker::IsHidden(const Cell& cell) {
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

Status ImageMaker::Send(bool whole) {
  if (image_.cells.empty()) return {};
  image_.partial = !whole;
  FENSI_RETURN_IF_ERROR(use_(image_));
  image_.cells.clear();
  bytes_ = 0;
  sent_ = true;
  return {};
}

Status ImageMaker::SendRecheck(const Cell& cell) {
  sent_ = true;  // the image lacks it
  Request recheck = RequestOf(Request::Kind::kRecheck);
  if (index_->state_scope() == mapping::StateScope::kColumn) recheck.columns = {{cell.family, cell.qualifier}};
  return use_(recheck);
}

Request ImageMaker::RequestOf(Request::Kind kind) const {
  return {.kind = kind,
          .table = index_->source_table(),
          .row = row_,
          .incarnation = options_.incarnation,
          .job = options_.job};
}

}  // namespace fensi::sweep
