// Confirms which suspects differ for certain (M18). Two consecutive rounds must both find the difference. A round reads
// the source row, waits until the index has surely followed (by its watermark, if it has one), reads the index cell and
// then the source row again, which must be unchanged. An orphan must be the same cell in both rounds: a row that has no
// entry looks the same before and after an entry that it had for a moment. A row that changes starts again, up to five
// times; then the suspect is undecided.
//
// Waiting does not block: the scan calls Advance from time to time. Blocks on the store; one thread. Memory is bounded
// by the number of suspects and by their size. Everything that is handed in outlives it.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "mapping/index.h"
#include "meta/index_record.h"
#include "store/store.h"
#include "sweep/compare/finding.h"
#include "sweep/scan/derivation.h"
#include "sweep/scan/page_reader.h"
#include "sweep/scan/source_unit.h"
#include "sweep/scan/table_list.h"

namespace fensi::sweep {

/// Tells whether an index has everything that its source showed at a moment, by the watermarks of its daemons (decision
/// 12).
///
/// Blocks on the store, which it reads twice a second at most; one thread. The store and the clock outlive it.
class Followed {
 public:
  /// A watermark that stands still for this long proves nothing more: no daemon runs, or no capture. The partitions of
  /// a killed daemon are reassigned, or its successor has started, before that.
  static constexpr std::chrono::minutes kStill{2};

  /// `incarnation`: of the index. `skew`: by how much the clocks of this machine and the region servers may differ.
  Followed(meta::IndexRecord record, std::string incarnation, Clock* clock, std::chrono::milliseconds skew)
      : record_(std::move(record)), incarnation_(std::move(incarnation)), clock_(clock), skew_(skew) {}

  /// True if the index has what the source showed at this time, milliseconds since the epoch by this machine. True,
  /// too, if no watermark can tell, or none can any more.
  Result<bool> Has(int64_t time);
  /// The watermark, milliseconds since the epoch by the region servers; absent: none is known.
  std::optional<int64_t> complete() const { return complete_; }

 private:
  Status Look(std::chrono::milliseconds now);

  const meta::IndexRecord record_;
  const std::string incarnation_;
  Clock* const clock_;
  const std::chrono::milliseconds skew_;
  std::optional<int64_t> complete_;  // absent: no watermark
  bool held_ = false;                // the watermark stays before a bulk load that waits
  std::chrono::milliseconds risen_{0};
  std::chrono::milliseconds next_look_{0};
};

/// Says whether the index has what the source showed at that time (milliseconds since the epoch).
using IsCaughtUp = std::function<Result<bool>(int64_t time)>;

struct JudgeOptions {
  std::chrono::milliseconds recheck{5'000};  // minimum duration of a round
  IsCaughtUp followed;                       // empty: the index has followed after `recheck`
  size_t max_suspects = 100'000;
  int64_t as_of = INT64_MAX;      // younger rows and cells are left out
  NewestPut newest_put = {};      // empty: times of entries are not compared
  std::function<Status()> go_on;  // checked while it waits; an error ends the waiting; empty: none
};

class Judge {
 public:
  Judge(const mapping::Index* index, store::Store* store, Clock* clock, JudgeOptions options, FindingSink* sink,
        Counts* counts);

  /// The direction of a comparison. Seen from the source, cells are missing, have another value, or are too new; seen
  /// from the index, they are orphans. So nothing is found twice.
  enum class From { kSource, kIndex };
  /// Adds a cell that looked wrong, and the unit that gives the cell or should.
  void Add(From from, const SourceUnit& unit, const mapping::Entry& cell);
  /// True if nothing more may be added: call Wait first.
  bool full() const;

  /// Does what can be done now without waiting.
  Status Advance();
  /// Waits until there is room, or with `for_all` until no suspect is left.
  Status Wait(bool for_all);

 private:
  struct Suspect {
    From from = From::kSource;
    SourceUnit unit;
    IndexCell cell;
    int64_t seen = 0;
    int rounds = 0;        // consecutive rounds that found it
    int64_t found_at = 0;  // time of the cell in the last of these rounds
    int tries = 0;         // rounds in which the row changed
    Hash image;            // of the source row, at the first read
    int64_t shown = 0;     // when the source showed it
    std::chrono::milliseconds due{0};
    // The index cell.
    bool found = false;
    Hash value;
    std::string value_text;
    int64_t timestamp = 0;
    int64_t newest_put = INT64_MAX;  // newest time that its row state allows
    int64_t newest_source = INT64_MIN;

    size_t HeldBytes() const;
  };
  using Batch = std::span<Suspect*>;

  std::deque<Suspect> TakeFresh();
  Result<std::deque<Suspect>> TakeFollowed();
  Status ReadSourceNow();
  Status RereadSource();
  Status ReadIndex(std::deque<Suspect>* suspects);
  /// Reads the times after the index cells, because partition owners write states last.
  Status ReadTimes(std::deque<Suspect>* suspects);
  bool IsTooNew(const Suspect& suspect) const;
  /// Reads each unit once, and calls `use` with its suspects.
  Status ReadSource(std::deque<Suspect>* suspects, const std::function<Status(const store::Row&, Batch)>& use);
  Status JudgeUnit(const store::Row& row, Batch suspects);
  Status JudgeOne(const Hash& image, bool whole, const std::optional<mapping::Entry>& entry, Suspect* suspect);
  /// The difference; absent: the cell is right.
  std::optional<Finding::Kind> Difference(const std::optional<mapping::Entry>& entry, const Suspect& suspect) const;
  Status BeginAgain(Suspect* suspect);
  Status Found(const std::optional<mapping::Entry>& entry, Finding::Kind kind, Suspect* suspect);
  Status Report(Finding::Kind kind, std::string expected, std::string reason, const Suspect& suspect);
  void LeaveOut(const Suspect& suspect);
  void Again(Suspect* suspect);
  void Close(const Suspect& suspect);

  const mapping::Index* const index_;
  store::Store* const store_;
  Clock* const clock_;
  const JudgeOptions options_;
  FindingSink* const sink_;
  Counts* const counts_;
  CellReader cells_;
  Derivation derivation_;
  const EntryTimes times_;
  std::deque<Suspect> fresh_;    // to be read first
  std::deque<Suspect> waiting_;  // sorted by the time of their next read
  size_t held_bytes_ = 0;
};

/// Sleeps, and calls `go_on` several times a second.
Status WaitUntil(std::chrono::milliseconds until, Clock* clock, const std::function<Status()>& go_on);

/// Waits until the index has surely followed what the source shows now: at least `recheck`, and until `followed` says
/// so. True if it waited for `followed`.
Result<bool> AwaitIndex(std::chrono::milliseconds recheck, const IsCaughtUp& followed, Clock* clock,
                        const std::function<Status()>& go_on);

/// A value as findings show it.
std::string ShownValue(std::string_view value);

}  // namespace fensi::sweep
