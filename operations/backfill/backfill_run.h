// Runs one process's share of a backfill: workers that scan, a check of the board and of the partition owners every two
// seconds, and the end when the whole job is done and applied. Any number of processes share one job.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "mapping/index.h"
#include "meta/index_record.h"
#include "operations/access/store_place.h"
#include "operations/backfill/owners.h"
#include "operations/backfill/wish.h"
#include "operations/jobs/shown_rate.h"
#include "operations/jobs/workers.h"
#include "store/store.h"
#include "sweep/jobs/backfill_worker.h"
#include "sweep/jobs/board.h"

namespace fensi::operations {

struct BackfillSettings {
  int workers = 4;
  int64_t ahead_rows = 500'000;
  bool json = false;
  const StorePlace* place = nullptr;  // of an embedded store; outlives the run
};

class BackfillRun {
 public:
  /// All arguments outlive it.
  BackfillRun(const mapping::Index* index, std::shared_ptr<store::Store> store, Owners* owners, sweep::Board board,
              meta::IndexRecord record, BackfillWish wish, BackfillSettings settings);

  /// Blocks until the job is done and applied, or returns why not: kCancelled after a stop signal, or if somebody
  /// cancelled the job. On the thread that waits for signals.
  Status Run();

 private:
  Status Work();
  /// M16: waits for proof that current changes reach the index.
  Status AwaitProof();
  Status Scan();
  Status ScanRanges();  // work of one thread
  /// Reads the wanted pace and the progress of the owners, for the workers and for people.
  Status Watch();
  Status AwaitOwners();
  /// kCancelled: somebody cancelled the job. Asks once a second. Other errors as Board::Look.
  Status CheckWish();
  /// Sleeps until `done` returns true, as long as nothing fails; the progress shows what it waits for.
  Status Until(const std::function<Result<bool>()>& done);
  /// The same for the index's watermark, which it returns; calls `give_up` meanwhile.
  Result<int64_t> UntilCompleteAfter(int64_t moment, const std::function<Status()>& give_up);
  Result<std::optional<meta::IndexState>> ReadState() const;
  void Tell(std::string waits);
  std::string trouble() const;
  Status Finish();
  void ShowProgress();
  std::string ProgressLine(const sweep::JobSnapshot& view, double rows_per_second);
  void ShowJson(const sweep::JobSnapshot& view, bool done);

  const mapping::Index* const index_;
  Clock* const clock_;
  const std::shared_ptr<store::Store> store_;
  Owners* const owners_;
  const sweep::Board board_;
  const meta::IndexRecord record_;
  const BackfillWish wish_;
  const BackfillSettings settings_;
  JobWorkers workers_;
  std::shared_ptr<store::Store> guarded_;  // guards store_
  sweep::BackfillFlow flow_;
  sweep::HeartbeatMonitor beats_;
  std::atomic<int64_t> waiting_{0};
  mutable Mutex mu_;
  sweep::JobSnapshot view_ ABSL_GUARDED_BY(mu_);
  std::string trouble_ ABSL_GUARDED_BY(mu_);
  const std::chrono::milliseconds began_;
  std::chrono::milliseconds wish_asked_{0};
  ShownRate rate_;
};

}  // namespace fensi::operations
