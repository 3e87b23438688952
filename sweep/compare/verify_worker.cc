#include "sweep/compare/verify_worker.h"

#include <algorithm>
#include <array>
#include <utility>

namespace fensi::sweep {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr size_t kMostPieceRows = 1'000'000;
constexpr seconds kShortPiece{15}, kLongPiece{60};

// In the order of a place's counters; awaited_mark follows them.
constexpr std::array kCounted = {
    &Counts::rows,    &Counts::entries,         &Counts::cells,     &Counts::good,      &Counts::missing,
    &Counts::orphan,  &Counts::content_differs, &Counts::in_flight, &Counts::undecided, &Counts::unmappable,
    &Counts::outside, &Counts::unattributed,    &Counts::younger};

void AddTo(const Counts& counts, std::vector<int64_t>* place) {
  place->resize(kCounted.size() + 1);
  for (size_t i = 0; i < kCounted.size(); ++i) (*place)[i] += counts.*kCounted[i];
  if (counts.awaited_mark) (*place)[kCounted.size()] = 1;
}

int64_t KeptOf(const Place& place) {
  Counts counts;
  AddCounts(place.counts, &counts);
  return counts.differences() + counts.undecided;
}

}  // namespace

void AddCounts(const std::vector<int64_t>& place, Counts* counts) {
  for (size_t i = 0; i < std::min(place.size(), kCounted.size()); ++i) counts->*kCounted[i] += place[i];
  if (place.size() > kCounted.size() && place[kCounted.size()] > 0) counts->awaited_mark = true;
}

VerifyWorker::VerifyWorker(VerifyDependencies parts)
    : RangeWorker(parts.range), parts_(std::move(parts)), tables_(parts_.index, parts_.store) {
  store::RetryOptions retry;
  retry.clock = &clock();
  retry.give_up_after = kGiveUpAfter;
  retry.should_go_on = parts_.range.go_on;
  store_ = std::make_unique<store::RetryingStore>(parts_.store, retry);
  piece_rows_ = parts_.piece_rows;
}

Status VerifyWorker::Work(RangeLease* seat) {
  while (!seat->place.done) FENSI_RETURN_IF_ERROR(WorkOnPiece(seat));
  return {};
}

Status VerifyWorker::WorkOnPiece(RangeLease* seat) {
  FENSI_ASSIGN_OR_RETURN(const JobSnapshot view, board().Look());
  if (KeptOf(view.sum()) > parts_.most_found) return TooMany();
  const int64_t rate = pace().rows_per_second;
  const int64_t share = rate == 0 ? 0 : std::max<int64_t>(1, rate / std::max<int64_t>(1, Sharers(view)));
  const milliseconds began = clock().MonotonicNow();
  Counts counts;
  Result<ChunkResult> end = Compare(seat, share, &counts);
  if (too_many_ && piece_rows_ > 1) {
    piece_rows_ = std::max<size_t>(1, piece_rows_ / 8);
    return {};
  }
  if (too_many_) return TooMany();
  FENSI_RETURN_IF_ERROR(end.status());
  Adapt(clock().MonotonicNow() - began);
  // M17: store the findings before the position that says they are stored.
  FENSI_RETURN_IF_ERROR(parts_.found->Keep(seat->range, found_));
  AddTo(counts, &seat->place.counts);
  seat->place.rows += end->walked;
  seat->place.done = end->next.empty();
  if (!seat->place.done) seat->place.next = end->next;
  FENSI_RETURN_IF_ERROR(Save(seat));
  // The scan itself does not sleep after its last page, and a range may have one page only.
  return share == 0 ? Status() : Rest(seat, began + milliseconds(1000 * end->walked / share));
}

Result<ChunkResult> VerifyWorker::Compare(RangeLease* seat, int64_t rows_per_second, Counts* counts) {
  found_.clear();
  too_many_ = false;
  Counts before;
  AddCounts(seat->place.counts, &before);
  unmappable_ = before.unmappable;
  const auto go_on = [this, seat] { return GoOn(seat); };
  TableScanOptions walk;
  walk.rows_per_second = rows_per_second;
  walk.most_rows = piece_rows_;
  walk.go_on = go_on;
  JudgeOptions judge = parts_.judge;
  judge.go_on = go_on;
  const RowRange rows{seat->place.next, seat->rows.stop, seat->rows.table};
  return CompareChunk({parts_.index, store_.get(), &clock(), this, counts, &tables_, walk, judge},
                      {rows, parts_.source_rows});
}

Status VerifyWorker::Add(const Finding& finding) {
  if (finding.kind == Finding::Kind::kUnmappable && ++unmappable_ > kMostUnmappable) return {};
  too_many_ = std::cmp_equal(found_.size(), parts_.most_found + kMostUnmappable);
  if (too_many_) return {StatusCode::kRejected, "too many findings for one piece"};
  found_.push_back(finding);
  return {};
}

Status VerifyWorker::TooMany() const {
  return {StatusCode::kRejected, "more than " + std::to_string(parts_.most_found) +
                                     " cells and rows differ, too many for a distributed job: run the command without "
                                     "--distributed"};
}

void VerifyWorker::Adapt(milliseconds took) {
  if (took < kShortPiece) piece_rows_ = std::min(2 * piece_rows_, std::max(kMostPieceRows, parts_.piece_rows));
  if (took > kLongPiece) piece_rows_ = std::max<size_t>(1, piece_rows_ / 2);
}

}  // namespace fensi::sweep
