// One worker of a job that goes through a table: takes ranges from the board, works on them, and says how far it is
// when what lies below will not be lost (M17). What is done with a range says a class of its own.
//
// Run blocks on the store and on the clock; a thread for each worker. Everything that is handed in outlives it.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <random>
#include <string>

#include "base/clock.h"
#include "sweep/board.h"

namespace fensi::sweep {

struct RangeParts {
  const Board* board = nullptr;
  Clock* clock = nullptr;
  std::string worker;             // random
  bool alone = false;             // no other worker can be alive: who has a range is dead
  std::function<Status()> go_on;  // asked often; an error ends the work
};

class RangeWorker {
 public:
  static constexpr std::chrono::seconds kBeat{2};
  static constexpr std::chrono::seconds kSave{1};
  static constexpr std::chrono::minutes kGiveUpAfter{2};

  explicit RangeWorker(RangeParts parts);
  virtual ~RangeWorker() = default;

  /// Ok: every range of the job is done, whoever did it. kCancelled: somebody cancelled the job, or go_on says so.
  /// kUnavailable: what it works with was in trouble for kGiveUpAfter.
  Status Run();

 protected:
  /// Works on the range until it is done, saving now and then; ends with the error of Rest or Beat where it gets one.
  virtual Status Work(Seat* seat) = 0;
  /// What lies below the place is durable when that returned.
  virtual Status Flush() { return {}; }
  /// Work has to wait, however long.
  virtual bool Held() const { return false; }
  /// Something is in trouble: the work may well be slower.
  virtual void OnTrouble() {}

  /// The place, behind a flush only.
  Status Save(Seat* seat);
  void NoteUnsaved() { unsaved_ = true; }
  bool SaveIsDue() const { return clock().SinceBoot() - saved_ >= kSave; }
  /// Waits, beating, as long as it has to.
  Status Rest(Seat* seat, std::chrono::milliseconds until);
  /// Beats when it is time. An error: the range is to be left, or the work ends.
  Status GoOn(Seat* seat);
  Clock& clock() const { return *parts_.clock; }
  const Board& board() const { return *parts_.board; }
  const JobPace& pace() const { return pace_; }
  /// Workers of all processes that have ranges and move.
  int64_t Sharers(const BoardView& view) {
    return static_cast<int64_t>(watch_.Active(view, parts_.clock->SinceBoot()));
  }

 private:
  /// Takes a range and works on it until it is done, lost, or to be left.
  Status WorkOnce(const BoardView& view);
  Status WorkOn(Seat* seat);
  Status Beat(Seat* seat);
  Status AfterFailure(const Status& failure);

  const RangeParts parts_;
  BeatWatch watch_;
  std::mt19937_64 random_{std::random_device()()};
  JobPace pace_;
  bool left_ = false;     // the range in hand is to be left
  bool unsaved_ = false;  // the board does not know yet how far it is
  std::chrono::milliseconds saved_{0}, beaten_{0};
  std::optional<std::chrono::milliseconds> failing_since_;
};

}  // namespace fensi::sweep
