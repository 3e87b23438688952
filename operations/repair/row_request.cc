#include "operations/repair/row_request.h"

#include <algorithm>
#include <utility>

#include "base/hbase_limits.h"
#include "consumer/codec/request.h"

namespace fensi::operations {
namespace {

// Small ones keep an owner's batches small.
constexpr size_t kMostRequestBytes = size_t{256} << 10;

size_t BytesOf(const consumer::Suspect& suspect) {
  return suspect.table.size() + suspect.row.size() + suspect.family.size() + suspect.qualifier.size() +
         consumer::kRequestPieceRoom;
}

}  // namespace

RowRequest::RowRequest(std::string table, std::string incarnation, std::string row)
    : table_(std::move(table)), incarnation_(std::move(incarnation)), row_(std::move(row)) {}

void RowRequest::Add(const sweep::CheckedUnit& unit) {
  const auto& column = unit.named->unit.column;
  if (column) columns_.push_back({column->family, column->qualifier});
  all_units_ |= !column;
  for (const sweep::MismatchedCell& wrong : unit.wrong) {
    // A column is looked at by itself and with all of its row.
    const sweep::Hash name = sweep::CellHash(wrong.cell.View());
    if (!met_.emplace(name.low, name.high).second) continue;
    missing_ += wrong.kind == sweep::Finding::Kind::kMissing ? 1 : 0;
    orphan_ += wrong.kind == sweep::Finding::Kind::kOrphan ? 1 : 0;
    differs_ += wrong.kind == sweep::Finding::Kind::kContentDiffers ? 1 : 0;
    // M14: a cell that does not identify its row may be another row's by now, so it is not named as a suspect. A
    // removal above kMaxPassedVersion would hide every later put, so no partition owner accepts it.
    if (wrong.kind == sweep::Finding::Kind::kMissing || !wrong.own || wrong.timestamp > kMaxPassedVersion) continue;
    suspects_.push_back({wrong.cell.table, wrong.cell.row, wrong.cell.family, wrong.cell.qualifier, wrong.timestamp});
  }
}

std::string RowRequest::Text() const {
  std::string text;
  const std::pair<int64_t, const char*> kinds[] = {
      {missing_, "missing"}, {differs_, "with another value"}, {orphan_, "orphan"}};
  for (const auto& [count, kind] : kinds) {
    if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + kind;
  }
  return text.empty() ? "named" : text;
}

consumer::Request RowRequest::Empty() const {
  consumer::Request request;
  request.kind = consumer::Request::Kind::kRecheck;
  request.table = table_;
  request.row = row_;
  request.incarnation = incarnation_;
  return request;
}

std::vector<consumer::Request> RowRequest::Requests(size_t most_bytes) const {
  const size_t most = std::min(most_bytes, kMostRequestBytes);
  std::vector<consumer::Request> requests = {Empty()};
  size_t bytes = 0;
  const auto make_room = [&](size_t more, size_t count) {
    if (count < consumer::kMostOfARequest && bytes + more <= most) return;
    requests.push_back(Empty());
    bytes = 0;
  };
  for (const consumer::RequestedColumn& column : columns_) {
    if (all_units_) break;
    const size_t more = column.family.size() + column.qualifier.size() + consumer::kRequestPieceRoom;
    make_room(more, requests.back().columns.size());
    requests.back().columns.push_back(column);
    bytes += more;
  }
  for (const consumer::Suspect& suspect : suspects_) {
    make_room(BytesOf(suspect), requests.back().suspects.size());
    // A request without columns is about all of the row, which costs all of a wide one: the first of them is enough.
    const bool whole = all_units_ && requests.size() == 1;
    if (!whole && !columns_.empty() && requests.back().columns.empty()) {
      requests.back().columns.push_back(columns_.front());
    }
    requests.back().suspects.push_back(suspect);
    bytes += BytesOf(suspect);
  }
  return requests;
}

}  // namespace fensi::operations
