#include "sweep/scan/page_reader.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <tuple>
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
  FENSI_ASSIGN_OR_RETURN(std::vector<store::Row> read, store_->Scan(table_, request_));
  const bool more = store::ToNextPage(read, &request_);
  Adapt(read);
  *page = std::move(read);
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
  const milliseconds now = clock_->MonotonicNow();
  if (now - due < milliseconds(1000)) return std::max(due - now, milliseconds(0));
  begin_ = now;  // what was not used is not made up for
  rows_ = 0;
  return milliseconds(0);
}

namespace {

constexpr size_t kMostColumns = 1000;  // of one request
constexpr size_t kMostRequests = 500;  // of one call

auto Name(const mapping::Entry& cell) { return std::tie(cell.table, cell.row, cell.family, cell.qualifier); }

}  // namespace

Status GetEach(store::Store* store, const std::string& table, std::span<const store::GetRequest> requests,
               const std::function<Status(size_t request, const store::Row&)>& use) {
  for (size_t next = 0; next < requests.size();) {
    const auto some = requests.subspan(next, std::min(kMostRequests, requests.size() - next));
    FENSI_ASSIGN_OR_RETURN(const std::vector<store::Row> rows, store->GetSome(table, some, kAnswerBytes));
    for (const store::Row& row : rows) FENSI_RETURN_IF_ERROR(use(next++, row));
  }
  return Status();
}

Status CellReader::Read(std::span<const mapping::Entry> cells, const Use& use) {
  std::vector<size_t> order(cells.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return Name(cells[a]) < Name(cells[b]); });
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin;
    while (end < order.size() && cells[order[end]].table == cells[order[begin]].table) ++end;
    FENSI_RETURN_IF_ERROR(ReadTable(cells, Places(order).subspan(begin, end - begin), use));
    begin = end;
  }
  return Status();
}

Status CellReader::ReadTable(std::span<const mapping::Entry> cells, Places places, const Use& use) {
  std::vector<store::GetRequest> requests;
  std::vector<Places> asked;
  for (Places left = places; !left.empty();) {
    asked.push_back(left.first(AddRequest(cells, left, &requests)));
    left = left.subspan(asked.back().size());
  }
  size_t answered = 0;
  const Status status =
      GetEach(store_, std::string(cells[places[0]].table), requests, [&](size_t request, const store::Row& row) {
        Match(cells, asked[request], row, use);
        ++answered;
        return Status();
      });
  if (status.code() != StatusCode::kNotFound || !index_->table_is_template()) return status;
  for (; answered < asked.size(); ++answered) {
    for (const size_t place : asked[answered]) use(place, nullptr);
  }
  return Status();
}

size_t CellReader::AddRequest(std::span<const mapping::Entry> cells, Places places,
                              std::vector<store::GetRequest>* requests) {
  const mapping::Entry& first = cells[places[0]];
  store::GetRequest request{.row = std::string(first.row)};
  size_t count = 0;
  for (; count < places.size() && count < kMostColumns; ++count) {
    const mapping::Entry& cell = cells[places[count]];
    if (cell.row != first.row) break;
    const bool again = count > 0 && SameCell(cells[places[count - 1]], cell);
    if (!again) request.columns.push_back({std::string(cell.family), std::string(cell.qualifier)});
  }
  requests->push_back(std::move(request));
  return count;
}

void CellReader::Match(std::span<const mapping::Entry> cells, Places places, const store::Row& row, const Use& use) {
  using Column = std::pair<std::string_view, std::string_view>;
  auto found = row.cells.begin();  // both are sorted
  for (const size_t place : places) {
    const Column wanted(cells[place].family, cells[place].qualifier);
    while (found != row.cells.end() && Column(found->family, found->qualifier) < wanted) ++found;
    const bool there = found != row.cells.end() && Column(found->family, found->qualifier) == wanted;
    use(place, there ? &*found : nullptr);
  }
}

}  // namespace fensi::sweep
