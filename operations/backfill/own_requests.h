// The request log of a process to itself: with an embedded store, which only one process may have, the scanning process
// also owns the rows.
//
// A log of one batch, kept in the index's own row of its state table (column i:asked, of version first offset + 1): the
// next process first completes what may have begun, as with a topic of requests (M12). One thread sends and flushes,
// one works; Finish and Fail by any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "consumer/change_source.h"
#include "indexer/index_meta.h"
#include "indexer/meta_row.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/jobs/backfill_worker.h"

namespace fensi::operations {

class OwnRequests final : public consumer::ChangeSource, public sweep::RequestSink {
 public:
  /// The partition of this log: no topic has it.
  static constexpr int32_t kPartition = indexer::kOwnPartition;

  OwnRequests(const mapping::Index* index, store::Store* store);

  // The sink. kCancelled or the status of Fail: nothing is applied any more.
  Status Send(const consumer::Request& request) override;
  Status Flush() override;
  /// Nothing more will be sent. Requests that were not flushed are dropped.
  void Finish();
  /// The owner has stopped, with the reason; a waiting sender gets it, also if the work was abandoned.
  void Fail(const Status& status);

  // The source.
  consumer::Work Next() override;
  Status Begin(const std::shared_ptr<consumer::Assignment>& assignment, int64_t offset) override;
  Status BeginRequests(const std::shared_ptr<consumer::Assignment>& assignment,
                       consumer::RequestPosition start) override;
  void Done(const consumer::Batch&) override {}
  void Done(const consumer::RequestBatch& batch) override;
  void Abandon(const std::shared_ptr<consumer::Assignment>& assignment) override;
  void Stop() override { Finish(); }
  Status Close() override { return {}; }
  Progress progress() const override { return {}; }

 private:
  class Whole;
  enum class State { kNew, kOpening, kReady, kInHand, kEnded };

  Status Load();
  /// Makes a batch of the sent requests and waits until it is applied.
  Status HandOver();
  Status Keep(const std::vector<consumer::Request>& requests, int64_t first);
  consumer::RequestBatch BatchOf(size_t from) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const mapping::Index* const index_;
  const indexer::MetaRow row_;
  const std::shared_ptr<consumer::Assignment> assignment_;
  std::vector<consumer::Request> sent_;  // used by the sending thread
  size_t sent_bytes_ = 0;

  Mutex mu_;
  Condition changed_;
  State state_ ABSL_GUARDED_BY(mu_) = State::kNew;
  Status failure_ ABSL_GUARDED_BY(mu_);
  bool finished_ ABSL_GUARDED_BY(mu_) = false;
  bool abandoned_ ABSL_GUARDED_BY(mu_) = false;
  std::vector<consumer::Request> log_ ABSL_GUARDED_BY(mu_);  // the stored batch
  int64_t first_ ABSL_GUARDED_BY(mu_) = 0;                   // offset of its first request
  int64_t done_ ABSL_GUARDED_BY(mu_) = 0;                    // below this offset all are done
};

}  // namespace fensi::operations
