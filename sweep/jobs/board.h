// The board of a job that scans a table: its ranges of rows, the position in each, and their workers. Any number of
// processes work on one job. Each takes a range without a worker, or a range whose worker has sent no heartbeat for a
// while. Two workers on one range do no harm: a stored position is true whoever wrote it (M17).
//
// Columns of the job's row (meta/versioned_meta_row.h); JOB is the job's name, so that a late worker of an earlier job
// writes to columns that nobody reads:
//   spec             "JOB MADE_AT ARGUMENTS"
//   pace/JOB         "run|pause|cancel ROWS BYTES"   per second, all workers together; 0: no bound
//   ended/JOB        milliseconds since the epoch
//   losses/JOB       the losses of requests that were known when the job was made; absent: none
//   ranges/JOB       how many ranges there are
//   range/JOB/N      "=START =STOP [=TABLE]"         escaped
//   at/JOB/N         "open|done ROWS BYTES =NEXT COUNT…"    rows before NEXT are done; version: see Board::Advance
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
#include "meta/versioned_meta_row.h"

namespace fensi::sweep {

/// A job that scans a table, as its board stores it. Plain values.
struct RowRange {
  std::string start;       // inclusive; empty: the first
  std::string stop;        // exclusive; empty: the end
  std::string table = {};  // empty: the table of the job
  bool operator==(const RowRange&) const = default;
};

enum class Wish { kRun, kPause, kCancel };

struct JobPace {
  Wish wish = Wish::kRun;
  int64_t rows_per_second = 0;   // 0: no bound
  int64_t bytes_per_second = 0;  // 0: no bound
};

struct Job {
  std::string name;  // random
  int64_t made_at = 0;
  std::string arguments;  // one line; other arguments mean another job
  JobPace pace;
  int64_t ended_at = 0;  // 0: not yet
  std::string losses;    // of requests, before the job was made (indexer/partition_progress.h)
};

/// The position in a range.
struct Place {
  std::string next;  // rows before it are done
  int64_t rows = 0;
  int64_t bytes = 0;
  bool done = false;
  std::vector<int64_t> counts = {};  // further counters of the job for this range
};

// The board of a job that scans a table.

/// Divides `start` to `stop` at region boundaries, and joins neighbours if there would be more than `most` ranges.
std::vector<RowRange> RangesOf(const std::vector<std::string>& region_starts, const RowRange& rows, size_t most);

struct RangeState {
  RowRange range;
  Place place;
  std::optional<Cell> by;  // absent: not taken yet
  int64_t base = 0;        // added to the versions of its places: above a delete marker that existed when the job was
                           // made
};

struct JobSnapshot {
  Job job;
  std::vector<RangeState> ranges;
  Place sum() const;  // Rows and bytes of all ranges; done if all are.
  size_t ranges_done() const;
};

/// A range that a worker holds.
struct RangeLease {
  size_t range = 0;
  RowRange rows;
  Place place;
  Cell by;
  int64_t base = 0;   // as in its RangeState
  bool lost = false;  // another worker has taken it
};

/// Watches the heartbeats of other workers, by its own clock.
class HeartbeatMonitor {
 public:
  static constexpr std::chrono::seconds kSilence{10};
  /// `silence` is 0 if no other process can be alive: then every other worker is silent at once.
  explicit HeartbeatMonitor(std::chrono::milliseconds silence = kSilence) : silence_(silence) {}
  /// True if the range's worker has sent no heartbeat for the time of silence.
  bool IsSilent(size_t range, const std::string& by, std::chrono::milliseconds now);
  /// Number of workers that have ranges and send heartbeats.
  size_t Active(const JobSnapshot& view, std::chrono::milliseconds now);

 private:
  const std::chrono::milliseconds silence_;
  std::map<size_t, std::pair<std::string, std::chrono::milliseconds>> seen_;
};

class Board {
 public:
  Board(meta::VersionedMetaRow row, std::string job) : row_(std::move(row)), job_(std::move(job)) {}

  /// The job in the row, whatever its name; absent: there was none.
  static Result<std::optional<Job>> Find(const meta::VersionedMetaRow& row);
  /// Puts a new job in place of `known`, and deletes what that job left. Returns the job that is in the row then: its
  /// name tells whether another process was faster.
  static Result<Job> Make(const meta::VersionedMetaRow& row, const std::optional<Job>& known, const Job& job,
                          const std::vector<RowRange>& ranges);

  const std::string& job() const { return job_; }
  /// kConfiguration: the row or some of its ranges were deleted, or another job is in the row.
  Result<JobSnapshot> Look() const;
  /// Sets what a person wants of the job; its rates stay unless given.
  Status Steer(const JobPace& pace) const;
  Status End(int64_t now) const;

  /// Takes a range that is not done and has no worker: never taken, or left by this worker, else one whose worker is
  /// silent. Absent: there is none now. `random` chooses among them.
  Result<std::optional<RangeLease>> Take(const JobSnapshot& view, HeartbeatMonitor* watch, const std::string& worker,
                                         uint64_t random, std::chrono::milliseconds now) const;
  /// Sends a heartbeat, and returns the wanted pace. Loses the range if another worker has it.
  Result<JobPace> Beat(RangeLease* seat) const;
  /// Stores the position. Call only when every request below place.next is acknowledged. The version rises with the
  /// rows that were passed, and a finished range stays finished: a late worker sets nothing back.
  Status Advance(const RangeLease& seat) const;

 private:
  std::string Column(const char* kind, size_t range) const;
  Status Gone() const;
  /// Checks that all of its ranges are in the row. An older board has no column "ranges", and cannot tell.
  Status CheckCount(const meta::VersionedMetaRow::Cells& cells, size_t ranges) const;

  const meta::VersionedMetaRow row_;
  const std::string job_;
};

// Encodes the columns of a board as text. Pure.

std::string TextOf(const Job& job);
std::string TextOf(const JobPace& pace);
std::string TextOf(const RowRange& range);
std::string TextOf(const Place& place);

/// Absent: the text is none.
std::optional<Job> JobOf(const std::string& text);
std::optional<JobPace> PaceOf(const std::string& text);
std::optional<RowRange> RangeOf(const std::string& text);
std::optional<Place> PlaceOf(const std::string& text);

/// A row key as one word, also an empty key and a key with blanks; and back.
std::string KeyWord(const std::string& key);
std::optional<std::string> KeyOf(const std::string& word);

}  // namespace fensi::sweep
