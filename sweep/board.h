// The board of a job that goes through a table: its ranges of rows, how far each is, and who works on it. Any number of
// processes work on one job; each takes a range that nobody works on, or one whose worker was not seen to move for a
// while. Two on one range do no harm: what a range's place says holds whoever wrote it (M17).
//
// Columns of the job's row (meta/shared_row.h); JOB is the job's name, so that a late worker of an earlier job writes
// to columns that nobody reads:
//   spec             "JOB MADE_AT ARGUMENTS"
//   pace/JOB         "run|pause|cancel ROWS BYTES"   of a second, all workers together; 0: no bound
//   ended/JOB        milliseconds since the epoch
//   losses/JOB       the losses of requests that were known when it was made; not there: none
//   ranges/JOB       how many ranges there are
//   range/JOB/N      "=START =STOP [=TABLE]"         escaped
//   at/JOB/N         "open|done ROWS BYTES =NEXT COUNT…"    rows before NEXT are done with; version: see Board::Advance
//   by/JOB/N         "WORKER BEAT"
// Blocks on the store; thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "meta/shared_row.h"
#include "sweep/job.h"

namespace fensi::sweep {

/// Between `start` and `stop` cut where regions begin; neighbours together where they would be more than `most`.
std::vector<RowRange> RangesOf(const std::vector<std::string>& region_starts, const RowRange& rows, size_t most);

struct RangeState {
  RowRange range;
  Place place;
  std::optional<Cell> by;  // absent: nobody took it yet
  int64_t base = 0;        // of the versions of its places: above a delete marker that was there when the job was made
};

struct BoardView {
  Job job;
  std::vector<RangeState> ranges;
  Place sum() const;  // rows and bytes of all; done: all are
  size_t ranges_done() const;
};

/// A range in a worker's hands.
struct Seat {
  size_t range = 0;
  RowRange rows;
  Place place;
  Cell by;
  int64_t base = 0;   // as that of its RangeState
  bool lost = false;  // another worker took it
};

/// What one worker has seen of others, by its own clock.
class BeatWatch {
 public:
  static constexpr std::chrono::seconds kSilence{10};
  /// Where no other process can be alive, whoever is another is silent at once: `silence` is 0.
  explicit BeatWatch(std::chrono::milliseconds silence = kSilence) : silence_(silence) {}
  /// Who has the range did not move for that long.
  bool IsSilent(size_t range, const std::string& by, std::chrono::milliseconds now);
  /// Workers that have ranges and move.
  size_t Active(const BoardView& view, std::chrono::milliseconds now);

 private:
  const std::chrono::milliseconds silence_;
  std::map<size_t, std::pair<std::string, std::chrono::milliseconds>> seen_;
};

class Board {
 public:
  Board(meta::SharedRow row, std::string job) : row_(std::move(row)), job_(std::move(job)) {}

  /// The job that stands in the row, whatever its name; absent: none ever did.
  static Result<std::optional<Job>> Find(const meta::SharedRow& row);
  /// Puts a new job in place of `known`, and forgets what that one left. Answers the job that stands there then: its
  /// name tells whether somebody else was faster.
  static Result<Job> Make(const meta::SharedRow& row, const std::optional<Job>& known, const Job& job,
                          const std::vector<RowRange>& ranges);

  const std::string& job() const { return job_; }
  /// kConfiguration: the row was deleted, or ranges of it, or another job stands in it.
  Result<BoardView> Look() const;
  /// What a person wants of the job, its rates as they are unless given.
  Status Steer(const JobPace& pace) const;
  Status End(int64_t now) const;

  /// A range that is not done and that nobody works on: one that was never taken or that this worker left, else one
  /// whose worker is silent. Absent: there is none now. `random` chooses among them.
  Result<std::optional<Seat>> Take(const BoardView& view, BeatWatch* watch, const std::string& worker, uint64_t random,
                                   std::chrono::milliseconds now) const;
  /// The worker is alive, and told what is wanted. Loses the seat when somebody else has it.
  Result<JobPace> Beat(Seat* seat) const;
  /// Only when every request below place.next is acknowledged. Its version rises with the rows that were passed, and a
  /// range that is done stays so: a late worker sets nothing back.
  Status Advance(const Seat& seat) const;

 private:
  std::string Column(const char* kind, size_t range) const;
  Status Gone() const;
  /// All of its ranges are there. A board of before the column "ranges" does not say how many.
  Status CheckCount(const meta::SharedRow::Cells& cells, size_t ranges) const;

  const meta::SharedRow row_;
  const std::string job_;
};

}  // namespace fensi::sweep
