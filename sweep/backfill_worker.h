// One worker of a backfill: takes ranges from the board, scans them, publishes what it read, and says how far it is
// when that is acknowledged (M17).
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
#include <random>
#include <string>

#include "base/clock.h"
#include "mapping/index.h"
#include "store/retrying_store.h"
#include "store/store.h"
#include "sweep/board.h"
#include "sweep/duty.h"
#include "sweep/image_scan.h"
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

class BackfillWorker {
 public:
  static constexpr std::chrono::seconds kBeat{2};
  static constexpr std::chrono::seconds kSave{1};
  static constexpr std::chrono::minutes kGiveUpAfter{2};

  explicit BackfillWorker(BackfillParts parts);

  /// Ok: every range of the job is done, whoever did it. kCancelled: somebody cancelled the job, or go_on says so.
  /// kUnavailable: store or sink were in trouble for kGiveUpAfter.
  Status Run();

 private:
  /// Takes a range and works on it until it is done, lost, or to be left.
  Status WorkOnce(const BoardView& view);
  Status Scan(Seat* seat);
  Status AfterPage(Seat* seat, const ImageScan::Page& page);
  /// Behind a flush only.
  Status Save(Seat* seat);
  Status Beat(Seat* seat);
  /// Waits as long as the pace wants it and requests wait for their owners, beating.
  Status Rest(Seat* seat, std::chrono::milliseconds until);
  std::chrono::milliseconds DueAfter(const ImageScan::Page& page);
  Status Publish(const consumer::Request& request);
  Status AfterFailure(const Status& failure);

  const BackfillParts parts_;
  Duty duty_;
  std::unique_ptr<store::Store> store_;
  BeatWatch watch_;
  std::mt19937_64 random_{std::random_device()()};
  JobPace pace_;
  bool left_ = false;     // the range in hand is to be left
  bool unsaved_ = false;  // the board does not know yet how far it is
  std::chrono::milliseconds page_began_{0}, saved_{0}, beaten_{0}, due_{0};
  std::chrono::milliseconds sending_{0};  // of the page in hand
  std::optional<std::chrono::milliseconds> failing_since_;
};

}  // namespace fensi::sweep
