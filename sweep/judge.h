// M18: which suspects differ for certain. Two rounds, one after the other, must both find it; a round reads the source
// row, waits until the index has surely followed (by its mark, where it has one), reads the index cell and then the
// source row again, which must be as it was. An orphan must be one and the same cell in both: a row that has no entry
// looks the same before and after one that it had for a moment. What moves begins again, some times; then it is
// undecided.
//
// Waiting is not blocking: who scans calls Advance now and then. Blocks on the store; one thread. Memory is bounded by
// the number of suspects and by what they take. Everything that is handed in outlives it.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/cell_reader.h"
#include "sweep/derivation.h"
#include "sweep/entry_times.h"
#include "sweep/expectation.h"
#include "sweep/finding.h"
#include "sweep/source_unit.h"

namespace fensi::sweep {

/// Has the index what the source showed at that time (milliseconds since the epoch)?
using HasFollowed = std::function<Result<bool>(int64_t time)>;

struct JudgeOptions {
  std::chrono::milliseconds recheck{5'000};  // how long a round waits at least
  HasFollowed followed;                      // empty: it has after `recheck`
  size_t max_suspects = 100'000;
  int64_t as_of = INT64_MAX;      // what is younger, in the source or in the index, is left out
  NewestPut newest_put = {};      // empty: times of entries are not compared
  std::function<Status()> go_on;  // asked while it waits; an error ends the waiting; empty: always
};

class Judge {
 public:
  Judge(const mapping::Index* index, store::Store* store, Clock* clock, JudgeOptions options, FindingSink* sink,
        Counts* counts);

  /// Seen from the source, cells are missing, have another value, or are too new; from the index, they are orphans.
  /// Each is asked one thing only, so that nothing is found twice.
  enum class From { kSource, kIndex };
  /// A cell that looked wrong, and the unit that gives it or should.
  void Add(From from, const SourceUnit& unit, const mapping::Entry& cell);
  /// Nothing more may be added: Wait first.
  bool full() const;

  /// Does what can be done now.
  Status Advance();
  /// Until there is room, or until none is left.
  Status Wait(bool for_all);

 private:
  struct Suspect {
    From from = From::kSource;
    SourceUnit unit;
    IndexCell cell;
    int64_t seen = 0;
    int rounds = 0;        // that found it, one after the other
    int64_t found_at = 0;  // the time of the cell in the last of them
    int tries = 0;         // in which the row moved
    Hash image;            // of the source, at the first look
    int64_t shown = 0;     // when the source showed it
    std::chrono::milliseconds due{0};
    // What the index shows.
    bool found = false;
    Hash value;
    std::string value_text;
    int64_t timestamp = 0;
    int64_t newest_put = INT64_MAX;  // that its state allows
    int64_t newest_source = INT64_MIN;

    size_t HeldBytes() const;
  };
  using Batch = std::span<Suspect*>;

  std::deque<Suspect> TakeFresh();
  Result<std::deque<Suspect>> TakeFollowed();
  Status LookFirst();
  Status LookAgain();
  Status ReadIndex(std::deque<Suspect>* suspects);
  /// Behind the index, whose owners write states last.
  Status ReadTimes(std::deque<Suspect>* suspects);
  bool IsTooNew(const Suspect& suspect) const;
  /// Each unit once, with the suspects of it.
  Status ReadSource(std::deque<Suspect>* suspects, const std::function<Status(const store::Row&, Batch)>& use);
  Status JudgeUnit(const store::Row& row, Batch suspects);
  Status JudgeOne(const Hash& image, bool whole, const std::optional<mapping::Entry>& entry, Suspect* suspect);
  /// What differs; nothing: all is well.
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
  std::deque<Suspect> fresh_;    // to be looked at first
  std::deque<Suspect> waiting_;  // by the time at which they are looked at again
  size_t held_bytes_ = 0;
};

/// Sleeps, and asks `go_on` several times a second.
Status WaitUntil(std::chrono::milliseconds until, Clock* clock, const std::function<Status()>& go_on);

/// Until the index has surely followed what the source showed by now: after `recheck`, and not before `followed` says
/// it. True when it was `followed` that it waited for.
Result<bool> AwaitIndex(std::chrono::milliseconds recheck, const HasFollowed& followed, Clock* clock,
                        const std::function<Status()>& go_on);

/// A value as findings show it.
std::string ShownValue(std::string_view value);

}  // namespace fensi::sweep
