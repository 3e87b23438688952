// Runs a comparison of `fensi verify`, on a thread of its own or as a share of a comparison of many processes, while
// the calling thread waits for signals and shows the progress.
//
// On the thread that waits for signals.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "mapping/index.h"
#include "operations/jobs/shown_rate.h"
#include "operations/jobs/workers.h"
#include "operations/verify/followed_by_marks.h"
#include "store/store.h"
#include "sweep/compare/comparison.h"
#include "sweep/compare/finding_store.h"
#include "sweep/jobs/board.h"

namespace fensi::operations {

class Verification {
 public:
  /// `incarnation`: of the index; empty: not begun. All arguments outlive it.
  Verification(const mapping::Index* index, const std::string& incarnation, std::shared_ptr<store::Store> store,
               sweep::CompareOptions options, const MarkOptions& marks, sweep::FindingSink* sink);

  /// Blocks until the end or a stop signal (kCancelled). On the thread that waits for signals.
  Status Run();
  const sweep::Comparison& comparison() const { return *comparison_; }

 private:
  Status GoOn() const;
  void Stop();
  void ShowProgress();
  std::string ProgressLine(double rows_per_second) const;

  const mapping::Index* const index_;
  Clock* const clock_;
  const std::shared_ptr<store::Store> store_;
  std::atomic<bool> stopped_{false};
  std::shared_ptr<store::Store> guarded_;  // guards store_
  std::unique_ptr<store::Store> retrying_;
  std::unique_ptr<sweep::Comparison> comparison_;
  ShownRate rate_;
};

/// The ranges of the source, and of each table of the index, to be compared in these directions. kConfiguration: some
/// of the index's tables are known only from the source rows.
Result<std::vector<sweep::RowRange>> RangesToCompare(const mapping::Index& index, const sweep::CompareOptions& options,
                                                     store::Store* store);

struct SharedWork {
  const mapping::Index* index;
  std::string incarnation;
  std::shared_ptr<store::Store> store;
  sweep::CompareOptions options;
  MarkOptions marks;
  meta::VersionedMetaRow row;  // of the job
  std::string job;
  int workers = 1;
  bool alone = false;  // no other process can have the store
};

class SharedVerification {
 public:
  explicit SharedVerification(SharedWork work);

  /// Blocks until every range of the job is done, by any process, or returns why not. kRejected: too many differences.
  Status Run();
  /// Returns the counts of all processes, as far as this one knows; after a successful Run with all findings, which go
  /// to the sink, counted one by one.
  Status Tell(bool whole, sweep::FindingSink* sink, sweep::Counts* counts);

 private:
  Status Work();
  Status CompareRanges();  // work of one thread
  Status Watch();
  void ShowProgress();

  const SharedWork work_;
  Clock* const clock_;
  const sweep::Board board_;
  const sweep::FindingStore found_;
  JobWorkers workers_;
  std::shared_ptr<store::Store> guarded_;  // guards work_.store
  mutable Mutex mu_;
  sweep::JobSnapshot view_ ABSL_GUARDED_BY(mu_);
  ShownRate rate_;
};

}  // namespace fensi::operations
