#include "sweep/scrub/scrub.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <utility>

#include "meta/versioned_meta_row.h"
#include "store/retrying_store.h"
#include "sweep/scrub/piece.h"

namespace fensi::sweep {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kGiveUpAfter{30};
constexpr seconds kSuspendedPause{1};
constexpr seconds kWatchPause{3};  // of who waits for the lease
constexpr size_t kLeastPieceRows = 100;
constexpr int64_t kPieceSeconds = 20;
constexpr char kMarkers[] = "markers";

Status Stopped() { return {StatusCode::kCancelled, "asked to stop"}; }

std::unique_ptr<store::Store> Retrying(const ScrubDependencies& parts) {
  store::RetryOptions retry;
  retry.clock = parts.clock;
  retry.give_up_after = kGiveUpAfter;
  retry.should_go_on = [stopped = parts.stopped] { return stopped() ? Stopped() : Status(); };
  return std::make_unique<store::RetryingStore>(parts.store, retry);
}

}  // namespace

Scrub::Scrub(ScrubDependencies parts)
    : parts_(std::move(parts)),
      store_(Retrying(parts_)),
      record_(
          meta::VersionedMetaRow(store_.get(), parts_.meta_table, meta::IndexRow(parts_.index->name()), parts_.clock)),
      lease_({store_.get(), parts_.meta_table, meta::JobRow(parts_.index->name(), "scrub"), parts_.clock},
             "lease/" + parts_.incarnation, parts_.worker, parts_.clock),
      tables_(parts_.index, store_.get()) {}

void Scrub::Run() {
  while (!parts_.stopped()) {
    Status status;
    try {
      status = Turn();
    } catch (const std::exception& error) {  // lack of memory: the index must not end by its scrub
      status = InternalError(error);
    }
    if (status.ok() || parts_.stopped()) continue;
    parts_.listener->Failed(status);
    static_cast<void>(Rest(kPause));  // ended early by a stop only
  }
}

Status Scrub::Turn() {
  if (!place_) return TryToTake();
  NoteSuspended(WhySuspended());
  if (!parts_.why_suspended().empty()) return Idle(kSuspendedPause);
  if (!behind_.empty()) return Rest(kSuspendedPause);
  suspended_ = false;
  const Status worked = Work();
  return suspended_ || !place_ ? Status() : worked;  // cut short on purpose
}

Status Scrub::TryToTake() {
  FENSI_RETURN_IF_ERROR(LearnLastPass());
  NoteSuspended(parts_.why_suspended());
  if (!parts_.why_suspended().empty()) return Idle(kWatchPause);
  FENSI_ASSIGN_OR_RETURN(std::optional<ScrubPlace> place, lease_.Take());
  if (!place.has_value()) return Idle(kWatchPause);
  place_ = std::move(*place);
  // Which period tables exist is known from the source rows *this* process read, so their pass cannot be resumed: start
  // over.
  if (parts_.index->table_is_template()) place_ = ScrubPlace();
  return Beat();
}

Status Scrub::Work() {
  const auto go_on = [this] { return GoOn(); };
  TableScanOptions walk;
  walk.rows_per_second = parts_.rows_per_second;
  walk.most_rows = ChunkRows();
  walk.go_on = go_on;
  ScrubPiece piece(
      {parts_.index,
       store_.get(),
       parts_.clock,
       &tables_,
       walk,
       {.recheck = kRecheck, .max_suspects = ScrubPiece::kMostRows, .newest_put = parts_.newest_put, .go_on = go_on}});
  FENSI_ASSIGN_OR_RETURN(ScrubPlace done, piece.Run(*place_));
  next_beat_ = milliseconds(0);
  FENSI_RETURN_IF_ERROR(GoOn());  // what was found while the index fell behind is not believed
  place_ = std::move(done);
  next_beat_ = milliseconds(0);
  if (std::exchange(suspension_reported_, false)) parts_.listener->OnSuspended("");
  suspended_since_.reset();
  ScrubSum sum;
  sum.Add(piece.counts());
  const Status told = parts_.listener->Piece(sum, piece.findings());
  if (place_->sum.ended == 0) return told;
  if (!told.ok()) parts_.listener->Failed(told);
  return Finish(*place_);
}

Status Scrub::Finish(const ScrubPlace& done) {
  const ScrubSum sum = done.sum;
  place_ = ScrubPlace();
  parts_.listener->Pass(sum, true);
  FENSI_RETURN_IF_ERROR(record_.SetScrubbed(parts_.incarnation, TextOf(sum)));
  FENSI_RETURN_IF_ERROR(Beat());
  return place_ ? Rest(kPause) : Status();
}

Status Scrub::GoOn() {
  if (parts_.stopped()) return Stopped();
  if (parts_.clock->MonotonicNow() >= next_beat_) FENSI_RETURN_IF_ERROR(Beat());
  if (!place_) return {StatusCode::kFenced, "another process scrubs this index now"};
  const std::string why = WhySuspended();
  suspended_ = !why.empty();
  return suspended_ ? Status(StatusCode::kUnavailable, why) : Status();
}

/// Renews the lease, and reads how far the index is by its watermark.
Status Scrub::Beat() {
  next_beat_ = parts_.clock->MonotonicNow() + kBeat;
  FENSI_ASSIGN_OR_RETURN(const bool ours, lease_.Move(*place_));
  if (!ours) place_.reset();
  FENSI_ASSIGN_OR_RETURN(const std::optional<meta::IndexState> state, record_.Read());
  behind_.clear();
  if (!state.has_value() || state->basis != kMarkers || !state->complete) return {};
  behind_ = WhyBehind(*state->complete);
  return {};
}

/// A watermark ahead of this clock means that the clocks differ: how far the index is behind cannot be told then.
std::string Scrub::WhyBehind(int64_t complete) const {
  const milliseconds behind(parts_.clock->WallMillis() - complete);
  const std::string seconds = std::to_string(std::abs(behind.count()) / 1000) + " s ";
  if (behind > kMostBehind) {
    return "the watermark of the index is " + seconds +
           "old: the index is behind, or the clock of this machine is ahead of the region servers (NTP)";
  }
  if (behind >= -kMostBehind) return "";
  return "the clock of this machine is " + seconds +
         "behind the region servers: compare both clocks, and correct the wrong clock (NTP)";
}

/// Only a piece resets it: a scrub whose pieces are cut short again and again compares nothing, too.
void Scrub::NoteSuspended(const std::string& why) {
  if (why.empty() || suspension_reported_) return;
  const milliseconds now = parts_.clock->MonotonicNow();
  if (!suspended_since_) suspended_since_ = now;
  if (now - *suspended_since_ < kSuspendReportDelay) return;
  suspension_reported_ = true;
  parts_.listener->OnSuspended(why);
}

std::string Scrub::WhySuspended() {
  const std::string why = parts_.why_suspended();
  return why.empty() ? behind_ : why;
}

Status Scrub::Rest(milliseconds pause) {
  return WaitUntil(parts_.clock->MonotonicNow() + pause, parts_.clock, [this] {
    if (parts_.stopped()) return Stopped();
    // A failed heartbeat is skipped; the other processes wait for more than one.
    if (place_ && parts_.clock->MonotonicNow() >= next_beat_) static_cast<void>(Beat());
    return Status();
  });
}

/// Waits without a heartbeat: another process may have the lease.
Status Scrub::Idle(milliseconds pause) {
  return WaitUntil(parts_.clock->MonotonicNow() + pause, parts_.clock,
                   [this] { return parts_.stopped() ? Stopped() : Status(); });
}

Status Scrub::LearnLastPass() {
  FENSI_ASSIGN_OR_RETURN(const std::optional<meta::IndexState> state, record_.Read());
  if (!state.has_value() || state->incarnation != parts_.incarnation) return {};
  if (const auto sum = ScrubSumOf(state->scrubbed)) parts_.listener->Pass(*sum, false);
  return {};
}

size_t Scrub::ChunkRows() const {
  const auto rows = static_cast<size_t>(std::min<int64_t>(parts_.rows_per_second, ScrubPiece::kMostRows));
  return std::clamp<size_t>(rows * kPieceSeconds, kLeastPieceRows, ScrubPiece::kMostRows);
}

}  // namespace fensi::sweep
