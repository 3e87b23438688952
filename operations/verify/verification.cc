#include "operations/verify/verification.h"

#include <unistd.h>

#include <cmath>
#include <utility>

#include "base/text.h"
#include "operations/access/newest_puts.h"
#include "operations/access/stores.h"
#include "operations/access/telling_store.h"
#include "operations/console/console.h"
#include "operations/jobs/watched_work.h"
#include "operations/verify/followed_by_marks.h"
#include "store/retrying_store.h"

namespace fensi::operations {
namespace {

// Regions move and gateways start again; longer than that is no passing trouble.
constexpr std::chrono::minutes kGiveUpAfter{2};

}  // namespace

Verification::Verification(const mapping::Index* index, const std::string& incarnation,
                           std::shared_ptr<store::Store> store, sweep::CompareOptions options, const MarkOptions& marks,
                           sweep::FindingSink* sink)
    : index_(index), clock_(SystemClock()), store_(std::move(store)), rate_(clock_) {
  const auto go_on = [this] { return GoOn(); };
  guarded_ = std::make_shared<TellingStore>(GuardedStore(store_, go_on), TellingStore::Options{"verify", Say});
  store::RetryOptions retry;
  retry.give_up_after = kGiveUpAfter;
  retry.should_go_on = go_on;
  retrying_ = std::make_unique<store::RetryingStore>(guarded_.get(), retry);
  options.walk.go_on = options.judge.go_on = go_on;
  options.judge.followed = FollowedByMarks(*index, incarnation, retrying_.get(), marks);
  options.judge.newest_put = NewestPuts(*index, retrying_.get());
  comparison_ = std::make_unique<sweep::Comparison>(index, retrying_.get(), clock_, std::move(options), sink);
}

Status Verification::GoOn() const {
  return stopped_ ? Status(StatusCode::kCancelled,
                           "stopped before the end; run the same command again to compare from the beginning")
                  : Status();
}

void Verification::Stop() {
  if (stopped_.exchange(true)) _exit(ExitCode(StatusCode::kCancelled));
}

Status Verification::Run() {
  return RunWatched([this] { return comparison_->Run(); }, [this] { Stop(); }, [this] { ShowProgress(); });
}

void Verification::ShowProgress() {
  if (!rate_.IsDue(ProgressPause(MayDraw()))) return;
  const sweep::Counts& counts = comparison_->counts();
  const std::string line = ProgressLine(rate_.Next(counts.rows + counts.cells));
  if (MayDraw()) {
    DrawProgress(line);
  } else {
    Say(line);
  }
}

std::string Verification::ProgressLine(double rows_per_second) const {
  const sweep::Counts& counts = comparison_->counts();
  std::string text = "index " + index_->name() + ": " + Counted(counts.rows, "source row") + ", " +
                     Counted(counts.cells, "index cell") + ", " + WithCommas(std::llround(rows_per_second)) + "/s";
  if (counts.open > 0) text += ", " + Counted(counts.open, "suspect") + " being judged";
  if (counts.differences() > 0) text += ", " + Counted(counts.differences(), "difference");
  return text;
}

}  // namespace fensi::operations
