// One process's share of a comparison that any number of processes work on (`fensi verify --job`): workers that compare
// ranges, a look at the board now and then, and, when every range is done, all that was counted and found.
//
// On the thread that waits for signals.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "cli/jobs/workers.h"
#include "cli/program/shown_rate.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/board.h"
#include "sweep/comparison.h"
#include "sweep/found_rows.h"

namespace fensi::cli {

/// The ranges of the source, and of each table of the index, that are compared in these directions. kConfiguration: the
/// index's tables cannot all be named before the source is read.
Result<std::vector<sweep::RowRange>> RangesToCompare(const mapping::Index& index, const sweep::CompareOptions& options,
                                                     store::Store* store);

struct SharedWork {
  const mapping::Index* index;
  std::string incarnation;
  std::shared_ptr<store::Store> store;
  sweep::CompareOptions options;
  meta::SharedRow row;  // of the job
  std::string job;
  int workers = 1;
  bool alone = false;  // no other process can have the store
};

class SharedVerification {
 public:
  explicit SharedVerification(SharedWork work);

  /// Until every range of the job is done, whoever did it, or why not. kRejected: too much differs.
  Status Run();
  /// What all processes counted, as far as this one knows; behind a Run that was ok with all that was found, which goes
  /// to the sink, counted one by one.
  Status Tell(bool whole, sweep::FindingSink* sink, sweep::Counts* counts);

 private:
  Status Work();
  Status CompareRanges();  // of a thread
  Status Watch();
  void ShowProgress();

  const SharedWork work_;
  Clock* const clock_;
  const sweep::Board board_;
  const sweep::FoundRows found_;
  JobWorkers workers_;
  std::shared_ptr<store::Store> guarded_;  // over work_.store
  mutable Mutex mu_;
  sweep::BoardView view_ ABSL_GUARDED_BY(mu_);
  ShownRate rate_;
};

}  // namespace fensi::cli
