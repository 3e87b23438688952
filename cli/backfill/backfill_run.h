// One process's share of a backfill: workers that scan, a look at the board and
// at the owners of rows every two seconds, and the end when all of the job is
// done and applied. Any number of processes share one job.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "cli/backfill/owners.h"
#include "cli/backfill/wish.h"
#include "cli/jobs/workers.h"
#include "cli/program/shown_rate.h"
#include "cli/run/store_place.h"
#include "mapping/index.h"
#include "meta/index_record.h"
#include "store/store.h"
#include "sweep/backfill_worker.h"
#include "sweep/board.h"

namespace fensi::cli {

struct BackfillSettings {
  int workers = 4;
  int64_t ahead_rows = 500'000;
  bool json = false;
  const StorePlace* place = nullptr;  // of an embedded store; outlives the run
};

class BackfillRun {
 public:
  /// What is handed in outlives it.
  BackfillRun(const mapping::Index* index, std::shared_ptr<store::Store> store, Owners* owners, sweep::Board board,
              meta::IndexRecord record, BackfillWish wish, BackfillSettings settings);

  /// Until the job is done and applied, or why not: kCancelled when a stop
  /// signal came, or somebody cancelled the job. On the thread that waits for
  /// signals.
  Status Run();

 private:
  Status Work();
  /// M16: changes of now reach the index.
  Status AwaitProof();
  Status Scan();
  Status ScanRanges();  // of a thread
  /// What is wanted and how far the owners are, for the workers and for people.
  Status Watch();
  Status AwaitOwners();
  Status CheckClock(int64_t mark) const;
  /// Sleeps until `done` says so, or for ever as long as everything goes on; the progress says what it waits for.
  Status Until(const std::function<Result<bool>()>& done);
  /// The same for the index's mark, which it returns; asks `give_up` between.
  Result<int64_t> UntilCompleteAfter(int64_t moment, const std::function<Status()>& give_up);
  Result<std::optional<meta::IndexState>> ReadState() const;
  void Tell(std::string waits);
  std::string trouble() const;
  Status Finish();
  void ShowProgress();
  std::string ProgressLine(const sweep::BoardView& view, double rows_per_second);
  void ShowJson(const sweep::BoardView& view, bool done);

  const mapping::Index* const index_;
  Clock* const clock_;
  const std::shared_ptr<store::Store> store_;
  Owners* const owners_;
  const sweep::Board board_;
  const meta::IndexRecord record_;
  const BackfillWish wish_;
  const BackfillSettings settings_;
  JobWorkers workers_;
  std::shared_ptr<store::Store> guarded_;  // over store_
  sweep::BackfillFlow flow_;
  sweep::BeatWatch beats_;
  std::atomic<int64_t> waiting_{0};
  mutable Mutex mu_;
  sweep::BoardView view_ ABSL_GUARDED_BY(mu_);
  std::string trouble_ ABSL_GUARDED_BY(mu_);
  const std::chrono::milliseconds began_;
  ShownRate rate_;
};

}  // namespace fensi::cli
