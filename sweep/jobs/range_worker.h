// Runs one worker of a job that scans a table: takes ranges from the board, works on them, and stores its position when
// everything below is durable (M17). A derived class does the work on a range.
//
// Run blocks on the store and on the clock; one thread per worker. Everything that is handed in outlives it.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "base/clock.h"
#include "sweep/jobs/board.h"

namespace fensi::sweep {

/// Limits the share of its time that a scan uses, so that the servers keep room for others: halves the share if a page
/// took much longer than usual or the store had errors, and adds a tenth for each quiet second.
///
/// Not thread-safe. Borrows the clock.
class Duty {
 public:
  static constexpr double kLeast = 0.05;

  explicit Duty(Clock* clock) : clock_(clock), risen_(clock->MonotonicNow()) {}

  /// Call after a page that took this long; returns how long to sleep.
  std::chrono::milliseconds Took(std::chrono::milliseconds page);
  void Halve();
  /// 1: all of it.
  double share() const { return share_; }

 private:
  bool IsSlow(std::chrono::milliseconds page) const;
  void Rise(std::chrono::milliseconds now);

  Clock* const clock_;
  double share_ = 1;
  std::chrono::milliseconds risen_;
  std::deque<std::pair<std::chrono::milliseconds, std::chrono::milliseconds>> pages_;  // when, and how long each took
};

// Runs one worker of a job that scans a table.

struct RangeDependencies {
  const Board* board = nullptr;
  Clock* clock = nullptr;
  std::string worker;             // random
  bool alone = false;             // no other worker can be alive: any other owner of a range is dead
  std::function<Status()> go_on;  // called often; an error ends the work
};

/// The status of a job that a person cancelled.
Status CancelledJob();

class RangeWorker {
 public:
  static constexpr std::chrono::seconds kBeat{2};
  static constexpr std::chrono::seconds kSave{1};
  static constexpr std::chrono::minutes kGiveUpAfter{2};

  explicit RangeWorker(RangeDependencies parts);
  virtual ~RangeWorker() = default;

  /// Ok: every range of the job is done, by any worker. kCancelled: somebody cancelled the job, or go_on says so.
  /// kUnavailable: the servers had errors for kGiveUpAfter.
  Status Run();

 protected:
  /// Works on the range until it is done, and saves from time to time; returns an error of Rest or Beat at once.
  virtual Status Work(RangeLease* seat) = 0;
  /// Makes everything below the position durable.
  virtual Status Flush() { return {}; }
  /// True if Work has to wait, however long.
  virtual bool Held() const { return false; }
  /// Called on temporary errors: the work may become slower.
  virtual void OnTrouble() {}

  /// Stores the position, after a flush.
  Status Save(RangeLease* seat);
  void NoteUnsaved() { unsaved_ = true; }
  bool SaveIsDue() const { return clock().MonotonicNow() - saved_ >= kSave; }
  /// Waits, and sends heartbeats meanwhile.
  Status Rest(RangeLease* seat, std::chrono::milliseconds until);
  /// Sends a heartbeat when it is due. An error: leave the range, or end the work.
  Status GoOn(RangeLease* seat);
  Clock& clock() const { return *parts_.clock; }
  const Board& board() const { return *parts_.board; }
  const JobPace& pace() const { return pace_; }
  /// Workers of all processes that have ranges and send heartbeats.
  int64_t Sharers(const JobSnapshot& view) {
    return static_cast<int64_t>(watch_.Active(view, parts_.clock->MonotonicNow()));
  }

 private:
  /// Takes a range and works on it until it is done, lost, or to be left.
  Status WorkOnce(const JobSnapshot& view);
  Status WorkOn(RangeLease* seat);
  Status Beat(RangeLease* seat);
  Status AfterFailure(const Status& failure);

  const RangeDependencies parts_;
  HeartbeatMonitor watch_;
  std::mt19937_64 random_{std::random_device()()};
  JobPace pace_;
  bool left_ = false;     // the current range is to be left
  bool unsaved_ = false;  // the position is not on the board yet
  std::chrono::milliseconds saved_{0}, beaten_{0};
  std::optional<std::chrono::milliseconds> failing_since_;
};

}  // namespace fensi::sweep
