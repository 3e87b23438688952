// Runs one worker of a backfill: scans ranges of the board (sweep/jobs/range_worker.h), publishes the rows, and stores
// its position when they are acknowledged (M17).
//
// Run blocks on store, sink and clock; each worker has its own thread and sink. Any thread may read and write what the
// workers of a process share. Everything that is handed in outlives it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/status.h"
#include "consumer/codec/request.h"
#include "mapping/index.h"
#include "store/retrying_store.h"
#include "store/store.h"
#include "sweep/jobs/board.h"
#include "sweep/jobs/range_worker.h"
#include "sweep/jobs/row_snapshot.h"

namespace fensi::sweep {

/// Receives the requests of a scan. One thread uses a sink.
class RequestSink {
 public:
  virtual ~RequestSink() = default;
  /// Blocks while there is no room. kRejected: the request is larger than any that is accepted. A request that was sent
  /// and not flushed may be lost.
  virtual Status Send(const consumer::Request& request) = 0;
  /// Blocks until everything that was sent is acknowledged, or some of it failed.
  virtual Status Flush() = 0;
};

// State that the workers of a process share.

/// State that the workers of a process share.
struct BackfillFlow {
  std::atomic<bool> held{false};     // too many requests wait for their partition owners
  std::atomic<int64_t> sharers{1};   // workers of all processes, which divide the job's rates
  std::atomic<int64_t> requests{0};  // published
};

struct BackfillDependencies {
  const mapping::Index* index = nullptr;
  store::Store* store = nullptr;  // of the source; temporary errors are retried here
  const Board* board = nullptr;
  RequestSink* sink = nullptr;
  Clock* clock = nullptr;
  BackfillFlow* flow = nullptr;
  std::string worker;  // random
  bool alone = false;  // no other worker can be alive: any other owner of a range is dead
  RowSnapshotOptions images;
  std::optional<store::ScanRequest::Times> times;  // only rows that have a cell of that time; absent: all
  std::function<Status()> go_on;                   // called often; an error ends the work
};

class BackfillWorker final : public RangeWorker {
 public:
  explicit BackfillWorker(BackfillDependencies parts);

 private:
  Status Work(RangeLease* seat) override;
  Status Flush() override { return parts_.sink->Flush(); }
  /// True while requests wait for their partition owners.
  bool Held() const override { return parts_.flow->held; }
  void OnTrouble() override { duty_.Halve(); }
  Status AfterPage(RangeLease* seat, const RowSnapshotScan::Page& page);
  std::chrono::milliseconds DueAfter(const RowSnapshotScan::Page& page);
  Status Publish(const consumer::Request& request);

  const BackfillDependencies parts_;
  Duty duty_;
  std::unique_ptr<store::Store> store_;
  std::chrono::milliseconds page_began_{0}, due_{0};
  std::chrono::milliseconds sending_{0};  // time spent in the sink for the current page
};

}  // namespace fensi::sweep
