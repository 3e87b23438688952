#include "sweep/walker.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "sweep/source_unit.h"

namespace fensi::sweep {
namespace {

/// Puts the pieces of each row together, and hands them on.
class WholeRows {
 public:
  explicit WholeRows(const Walker::Use& use) : use_(use) {}

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
  const Walker::Use& use_;
  store::Row row_;
  size_t bytes_ = 0;
};

/// A key between two others, as far as their first bytes tell.
std::string KeyBetween(const std::string& from, const std::string& to, uint64_t random) {
  const auto number = [](const std::string& key) { return ReadBigEndian((key + std::string(8, '\0')).substr(0, 8)); };
  const uint64_t first = number(from), last = to.empty() ? UINT64_MAX : number(to);
  if (last <= first) return from;
  std::string key;
  AppendBigEndian64(static_cast<int64_t>(first + random % (last - first)), &key);
  return std::max(key, from);
}

}  // namespace

Walker::Walker(store::Store* store, Clock* clock, WalkOptions options, Judge* judge)
    : store_(store),
      clock_(clock),
      options_(std::move(options)),
      judge_(judge),
      pace_(options_.rows_per_second, clock),
      random_(options_.seed) {}

Status Walker::Walk(const std::string& table, const store::ScanRequest& request, Rows rows, const Use& use) {
  WholeRows whole(use);
  const Use take = [&](const store::Row& piece) { return whole.Take(piece); };
  const Use& each = rows == Rows::kWhole ? take : use;
  if (options_.sample == 0) FENSI_RETURN_IF_ERROR(WalkRange(table, request, options_.most_rows, each));
  for (size_t i = 0; i < options_.sample; ++i) {
    const Result<std::string> start = RandomStart(table, request);
    FENSI_RETURN_IF_ERROR(start.status());
    store::ScanRequest range = request;
    range.start_row = *start;
    FENSI_RETURN_IF_ERROR(WalkRange(table, range, kSampleRows, each));
    FENSI_RETURN_IF_ERROR(whole.End());
  }
  return whole.End();
}

Status Walker::WalkRange(const std::string& table, const store::ScanRequest& request, size_t most_rows,
                         const Use& use) {
  next_.clear();
  walked_ = 0;
  PageReader reader(store_, table, request);
  std::vector<store::Row> page;
  std::string last;
  for (;;) {
    const Result<bool> more = reader.Next(&page);
    FENSI_RETURN_IF_ERROR(more.status());
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
    if (!*more) return Status();
    FENSI_RETURN_IF_ERROR(AfterPage(page.size()));
  }
}

Status Walker::AfterPage(size_t rows) {
  FENSI_RETURN_IF_ERROR(judge_->Advance());
  const auto pause = pace_.Took(static_cast<int64_t>(rows));
  return WaitUntil(clock_->SinceBoot() + pause, clock_, options_.go_on);
}

Result<std::string> Walker::RandomStart(const std::string& table, const store::ScanRequest& request) {
  Result<std::vector<std::string>> starts = store_->RegionStarts(table);
  FENSI_RETURN_IF_ERROR(starts.status());
  const size_t region = random_() % starts->size();
  const std::string end = region + 1 < starts->size() ? (*starts)[region + 1] : request.stop_row;
  return std::max(KeyBetween((*starts)[region], end, random_()), request.start_row);
}

}  // namespace fensi::sweep
