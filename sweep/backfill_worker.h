// One worker of a backfill: scans ranges of the board (sweep/range_worker.h), publishes what it read, and says how far
// it is when that is acknowledged (M17).
//
// Run blocks on store, sink and clock; a thread and a sink of its own for each worker. What the workers of a process
// share is read and written by any thread. Everything that is handed in outlives it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "mapping/index.h"
#include "store/retrying_store.h"
#include "store/store.h"
#include "sweep/board.h"
#include "sweep/duty.h"
#include "sweep/image_scan.h"
#include "sweep/range_worker.h"
#include "sweep/request_sink.h"

namespace fensi::sweep {

/// What the workers of a process are told, and tell.
struct BackfillFlow {
  std::atomic<bool> held{false};     // too many requests wait for their owners
  std::atomic<int64_t> sharers{1};   // workers of all processes, which divide the job's rates
  std::atomic<int64_t> requests{0};  // published
};

struct BackfillParts {
  const mapping::Index* index = nullptr;
  store::Store* store = nullptr;  // of the source; what it cannot do for now is repeated here
  const Board* board = nullptr;
  RequestSink* sink = nullptr;
  Clock* clock = nullptr;
  BackfillFlow* flow = nullptr;
  std::string worker;  // random
  bool alone = false;  // no other worker can be alive: who has a range is dead
  ImageOptions images;
  std::optional<store::ScanRequest::Times> times;  // rows that have a cell of that time; absent: all
  std::function<Status()> go_on;                   // asked often; an error ends the work
};

class BackfillWorker final : public RangeWorker {
 public:
  explicit BackfillWorker(BackfillParts parts);

 private:
  Status Work(Seat* seat) override;
  Status Flush() override { return parts_.sink->Flush(); }
  /// Requests wait for their owners.
  bool Held() const override { return parts_.flow->held; }
  void OnTrouble() override { duty_.Halve(); }
  Status AfterPage(Seat* seat, const ImageScan::Page& page);
  std::chrono::milliseconds DueAfter(const ImageScan::Page& page);
  Status Publish(const consumer::Request& request);

  const BackfillParts parts_;
  Duty duty_;
  std::unique_ptr<store::Store> store_;
  std::chrono::milliseconds page_began_{0}, due_{0};
  std::chrono::milliseconds sending_{0};  // of the page in hand
};

}  // namespace fensi::sweep
