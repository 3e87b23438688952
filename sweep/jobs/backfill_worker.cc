#include "sweep/jobs/backfill_worker.h"

#include <algorithm>
#include <utility>

namespace fensi::sweep {
namespace {

using std::chrono::milliseconds;

}  // namespace

BackfillWorker::BackfillWorker(BackfillDependencies parts)
    : RangeWorker({parts.board, parts.clock, parts.worker, parts.alone, parts.go_on}),
      parts_(std::move(parts)),
      duty_(parts_.clock) {
  store::RetryOptions retry;
  retry.clock = parts_.clock;
  retry.give_up_after = kGiveUpAfter;
  retry.should_go_on = parts_.go_on;
  retry.on_retry = [this](const store::RetryState&) { duty_.Halve(); };
  store_ = std::make_unique<store::RetryingStore>(parts_.store, retry);
}

Status BackfillWorker::Work(RangeLease* seat) {
  RowSnapshotScan scan(parts_.index, store_.get(), parts_.clock, parts_.times, parts_.images,
                       [this](const consumer::Request& request) { return Publish(request); });
  page_began_ = parts_.clock->MonotonicNow();
  return scan.Run({seat->place.next, seat->rows.stop},
                  [&](const RowSnapshotScan::Page& page) { return AfterPage(seat, page); });
}

Status BackfillWorker::AfterPage(RangeLease* seat, const RowSnapshotScan::Page& page) {
  // The sink slows us down by itself, so only the store's time counts for the throttle.
  const milliseconds rest = duty_.Took(parts_.clock->MonotonicNow() - page_began_ - std::exchange(sending_, {}));
  seat->place.rows += page.rows;
  seat->place.bytes += page.bytes;
  // M17: a range is done when its scan has reached the end.
  seat->place.done = page.last;
  if (!page.next.empty()) seat->place.next = page.next;
  NoteUnsaved();
  if (page.last || SaveIsDue()) FENSI_RETURN_IF_ERROR(Save(seat));
  if (page.last) return {};
  FENSI_RETURN_IF_ERROR(Rest(seat, std::max(parts_.clock->MonotonicNow() + rest, DueAfter(page))));
  page_began_ = parts_.clock->MonotonicNow();
  return {};
}

milliseconds BackfillWorker::DueAfter(const RowSnapshotScan::Page& page) {
  const milliseconds now = parts_.clock->MonotonicNow();
  const int64_t sharers = std::max<int64_t>(1, parts_.flow->sharers);
  const auto takes = [&](int64_t amount, int64_t rate) { return rate == 0 ? 0 : 1000 * amount * sharers / rate; };
  // Unused rate is not made up for later.
  due_ = std::max(due_, now) +
         milliseconds(std::max(takes(page.rows, pace().rows_per_second), takes(page.bytes, pace().bytes_per_second)));
  return pace().rows_per_second == 0 && pace().bytes_per_second == 0 ? now : due_;
}

Status BackfillWorker::Publish(const consumer::Request& request) {
  ++parts_.flow->requests;
  const milliseconds begin = parts_.clock->MonotonicNow();
  const Status sent = parts_.sink->Send(request);
  sending_ += parts_.clock->MonotonicNow() - begin;
  if (sent.code() != StatusCode::kRejected || request.kind != consumer::Request::Kind::kImage) return sent;
  // Larger than its topic accepts: the partition owner reads the row itself.
  consumer::Request recheck = request;
  recheck.kind = consumer::Request::Kind::kRecheck;
  recheck.cells.clear();
  recheck.partial = false;
  recheck.read_time = 0;
  return parts_.sink->Send(recheck);
}

}  // namespace fensi::sweep
