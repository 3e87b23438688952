#include "sweep/compare/table_scanner.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "sweep/scan/source_unit.h"

namespace fensi::sweep {
namespace {

// Regions that hold no row are drawn again so often; then the sample begins with the table.
constexpr size_t kRegionsTried = 100;

/// Joins the pieces of each row, and hands the rows on.
class WholeRows {
 public:
  explicit WholeRows(const TableScanner::Use& use) : use_(use) {}

  Status Take(const store::Row& piece) {
    if (!row_.row.empty() && row_.row != piece.row) FENSI_RETURN_IF_ERROR(End());
    row_.row = piece.row;
    if (bytes_ > 2 * kMostUnitBytes) return Status();
    bytes_ += store::HeldBytes(piece);
    row_.cells.insert(row_.cells.end(), piece.cells.begin(), piece.cells.end());
    return Status();
  }
  /// The last one.
  Status End() {
    const store::Row row = std::exchange(row_, {});
    bytes_ = 0;
    return row.row.empty() ? Status() : use_(row);
  }

 private:
  const TableScanner::Use& use_;
  store::Row row_;
  size_t bytes_ = 0;
};

/// A key from `from` on and before `to` (empty: the end), with a resolution of the eight bytes after their common
/// prefix.
std::string KeyBetween(const std::string& from, const std::string& to, uint64_t random) {
  const size_t shared =
      static_cast<size_t>(std::mismatch(from.begin(), from.end(), to.begin(), to.end()).first - from.begin());
  const auto number = [shared](const std::string& key) {
    return ReadBigEndian((key + std::string(shared + 8, '\0')).substr(shared, 8));
  };
  const uint64_t first = number(from), last = to.empty() ? UINT64_MAX : number(to);
  if (last <= first) return from;
  std::string key = from.substr(0, shared);
  AppendBigEndian64(static_cast<int64_t>(first + random % (last - first)), &key);
  return std::max(key, from);
}

/// The sooner of two ends of a range; empty: that of the table.
const std::string& Sooner(const std::string& a, const std::string& b) {
  return b.empty() || (!a.empty() && a < b) ? a : b;
}

/// First row -> the first row after the range; empty: it reached the end.
using Walked = std::map<std::string, std::string>;

/// From there on the first row that was not walked; absent: all were.
std::optional<std::string> FirstUnwalked(const Walked& walked, std::string row) {
  for (;;) {
    const auto behind = walked.upper_bound(row);
    if (behind == walked.begin()) return row;
    const std::string& end = std::prev(behind)->second;
    if (end.empty()) return std::nullopt;
    if (row >= end) return row;
    row = end;
  }
}

}  // namespace

TableScanner::TableScanner(store::Store* store, Clock* clock, TableScanOptions options, Judge* judge)
    : store_(store),
      clock_(clock),
      options_(std::move(options)),
      judge_(judge),
      pace_(options_.rows_per_second, clock),
      random_(options_.seed) {}

Status TableScanner::Walk(const std::string& table, const store::ScanRequest& request, Rows rows, const Use& use) {
  WholeRows whole(use);
  const Use take = [&](const store::Row& piece) { return whole.Take(piece); };
  const Use& each = rows == Rows::kWhole ? take : use;
  if (options_.sample > 0) return WalkSample(table, request, each, [&] { return whole.End(); });
  FENSI_RETURN_IF_ERROR(WalkRange(table, request, options_.most_rows, each));
  return whole.End();
}

Status TableScanner::WalkSample(const std::string& table, const store::ScanRequest& request, const Use& use,
                                const std::function<Status()>& end_row) {
  Walked walked;
  for (size_t i = 0; i < options_.sample; ++i) {
    FENSI_ASSIGN_OR_RETURN(const std::optional<std::string> start, RandomStart(table, request));
    if (!start) return Status();  // there is no row
    // No row twice, or it would count twice.
    std::optional<std::string> first = FirstUnwalked(walked, *start);
    if (!first) first = FirstUnwalked(walked, request.start_row);
    if (!first || (!request.stop_row.empty() && *first >= request.stop_row)) continue;
    store::ScanRequest range = request;
    range.start_row = *first;
    const auto behind = walked.upper_bound(*first);
    if (behind != walked.end()) range.stop_row = behind->first;
    FENSI_RETURN_IF_ERROR(WalkRange(table, range, kSampleRows, use));
    FENSI_RETURN_IF_ERROR(end_row());
    walked[range.start_row] = next_.empty() ? range.stop_row : next_;
  }
  return Status();
}

Status TableScanner::WalkRange(const std::string& table, const store::ScanRequest& request, size_t most_rows,
                               const Use& use) {
  next_.clear();
  walked_ = 0;
  PageReader reader(store_, table, request);
  std::vector<store::Row> page;
  std::string last;
  for (;;) {
    FENSI_ASSIGN_OR_RETURN(const bool more, reader.Next(&page));
    for (const store::Row& row : page) {
      const bool another = row.row != last;
      if (another && walked_ == most_rows) {
        next_ = row.row;
        return AfterPage(page.size());
      }
      walked_ += another ? 1 : 0;
      last = row.row;
      FENSI_RETURN_IF_ERROR(use(row));
    }
    if (!more) return Status();
    FENSI_RETURN_IF_ERROR(AfterPage(page.size()));
  }
}

Status TableScanner::AfterPage(size_t rows) {
  FENSI_RETURN_IF_ERROR(judge_->Advance());
  const auto pause = pace_.Took(static_cast<int64_t>(rows));
  return WaitUntil(clock_->MonotonicNow() + pause, clock_, options_.go_on);
}

Result<std::optional<std::string>> TableScanner::RandomStart(const std::string& table,
                                                             const store::ScanRequest& request) {
  FENSI_ASSIGN_OR_RETURN(std::vector<std::string> starts, store_->RegionStarts(table));
  for (size_t i = 0; i < kRegionsTried; ++i) {
    const size_t region = random_() % starts.size();
    const std::string& from = std::max(starts[region], request.start_row);
    const std::string to = Sooner(region + 1 < starts.size() ? starts[region + 1] : "", request.stop_row);
    FENSI_ASSIGN_OR_RETURN(const std::optional<std::string> first, FirstRow(table, from, to));
    if (first) return RandomRow(table, *first, to);
  }
  return FirstRow(table, request.start_row, request.stop_row);
}

/// Draws a key; where nothing lies from there on, below it, until it meets rows. `first` is one.
Result<std::optional<std::string>> TableScanner::RandomRow(const std::string& table, const std::string& first,
                                                           std::string to) {
  for (;;) {
    const std::string key = KeyBetween(first, to, random_());
    if (key == first) return std::optional(first);
    const Result<std::optional<std::string>> met = FirstRow(table, key, to);
    FENSI_RETURN_IF_ERROR(met.status());
    if (*met) return met;
    to = key;
  }
}

Result<std::optional<std::string>> TableScanner::FirstRow(const std::string& table, const std::string& from,
                                                          const std::string& to) {
  if (options_.go_on) FENSI_RETURN_IF_ERROR(options_.go_on());
  store::ScanRequest request;
  request.start_row = from;
  request.stop_row = to;
  request.keys_only = true;
  request.max_rows = 1;
  request.max_cells = 1;
  FENSI_ASSIGN_OR_RETURN(const std::vector<store::Row> rows, store_->Scan(table, request));
  return rows.empty() ? std::nullopt : std::optional(rows.front().row);
}

}  // namespace fensi::sweep
