// Requests of a process to itself: with an embedded store, which only one
// process may have, who scans owns the rows, too.
//
// A log of one batch, kept in the index's own row of its state table (column
// i:asked, of version first offset + 1): what may have begun is done to its end
// first, by whoever comes next, as with a topic of requests (M12). One thread
// sends and flushes, one works; Finish and Fail by any thread.
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
#include "sweep/request_sink.h"

namespace fensi::cli {

class OwnRequests final : public consumer::ChangeSource, public sweep::RequestSink {
 public:
  /// The partition as which it reads: no topic has it.
  static constexpr int32_t kPartition = indexer::kOwnPartition;

  OwnRequests(const mapping::Index* index, store::Store* store);

  // As sink. kCancelled or what Fail was told: nobody applies them any more.
  Status Send(const consumer::Request& request) override;
  Status Flush() override;
  /// Nothing more will be sent. What was sent and not flushed is left out.
  void Finish();
  /// Nobody applies any more, and why; who sends waits for that, also when the work was given up.
  void Fail(const Status& status);

  // As source.
  consumer::Work Next() override;
  Status Begin(const std::shared_ptr<consumer::Assignment>& assignment, int64_t offset) override;
  Status BeginRequests(const std::shared_ptr<consumer::Assignment>& assignment, consumer::RequestsStart start) override;
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
  /// Makes a batch of what was sent and waits until it is applied.
  Status HandOver();
  Status Keep(const std::vector<consumer::Request>& requests, int64_t first);
  consumer::RequestBatch BatchOf(size_t from) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const indexer::MetaRow row_;
  const std::shared_ptr<consumer::Assignment> assignment_;
  std::vector<consumer::Request> sent_;  // of the thread that sends
  size_t sent_bytes_ = 0;

  Mutex mu_;
  Condition changed_;
  State state_ ABSL_GUARDED_BY(mu_) = State::kNew;
  Status failure_ ABSL_GUARDED_BY(mu_);
  bool finished_ ABSL_GUARDED_BY(mu_) = false;
  bool abandoned_ ABSL_GUARDED_BY(mu_) = false;
  std::vector<consumer::Request> log_ ABSL_GUARDED_BY(mu_);  // the batch that is kept
  int64_t first_ ABSL_GUARDED_BY(mu_) = 0;                   // offset of its first
  int64_t done_ ABSL_GUARDED_BY(mu_) = 0;                    // below this all are done
};

}  // namespace fensi::cli
