#include "sweep/backfill_worker.h"

#include <algorithm>
#include <utility>

namespace fensi::sweep {
namespace {

using std::chrono::milliseconds;

}  // namespace

BackfillWorker::BackfillWorker(BackfillParts parts)
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

Status BackfillWorker::Work(Seat* seat) {
  ImageScan scan(parts_.index, store_.get(), parts_.clock, parts_.times, parts_.images,
                 [this](const consumer::Request& request) { return Publish(request); });
  page_began_ = parts_.clock->SinceBoot();
  return scan.Run({seat->place.next, seat->rows.stop},
                  [&](const ImageScan::Page& page) { return AfterPage(seat, page); });
}

Status BackfillWorker::AfterPage(Seat* seat, const ImageScan::Page& page) {
  // Who takes the requests holds us up by himself: only of the store it is told by its time that others need it.
  const milliseconds rest = duty_.Took(parts_.clock->SinceBoot() - page_began_ - std::exchange(sending_, {}));
  seat->place.rows += page.rows;
  seat->place.bytes += page.bytes;
  seat->place.done = page.last;
  if (!page.next.empty()) seat->place.next = page.next;
  NoteUnsaved();
  if (page.last || SaveIsDue()) FENSI_RETURN_IF_ERROR(Save(seat));
  if (page.last) return {};
  FENSI_RETURN_IF_ERROR(Rest(seat, std::max(parts_.clock->SinceBoot() + rest, DueAfter(page))));
  page_began_ = parts_.clock->SinceBoot();
  return {};
}

milliseconds BackfillWorker::DueAfter(const ImageScan::Page& page) {
  const milliseconds now = parts_.clock->SinceBoot();
  const int64_t sharers = std::max<int64_t>(1, parts_.flow->sharers);
  const auto takes = [&](int64_t amount, int64_t rate) { return rate == 0 ? 0 : 1000 * amount * sharers / rate; };
  // What was not used is not made up for.
  due_ = std::max(due_, now) +
         milliseconds(std::max(takes(page.rows, pace().rows_per_second), takes(page.bytes, pace().bytes_per_second)));
  return pace().rows_per_second == 0 && pace().bytes_per_second == 0 ? now : due_;
}

Status BackfillWorker::Publish(const consumer::Request& request) {
  ++parts_.flow->requests;
  const milliseconds begin = parts_.clock->SinceBoot();
  const Status sent = parts_.sink->Send(request);
  sending_ += parts_.clock->SinceBoot() - begin;
  if (sent.code() != StatusCode::kRejected || request.kind != consumer::Request::Kind::kImage) return sent;
  // Whatever its topic takes: the owner reads the row himself.
  consumer::Request recheck = request;
  recheck.kind = consumer::Request::Kind::kRecheck;
  recheck.cells.clear();
  recheck.partial = false;
  recheck.read_time = 0;
  return parts_.sink->Send(recheck);
}

}  // namespace fensi::sweep
