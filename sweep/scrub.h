// Compares an index with its source again and again, slowly, beside whoever maintains it: pass after pass, each forward
// and then backward, in pieces (scrub/piece.h). Of all processes that run an index one scrubs it at a time
// (scrub/lease.h); a pass that is cut short goes on where it was.
//
// Run blocks until `stopped` says so, whatever fails: what goes wrong is told to the listener, and tried again later.
// Writes to the meta table only. One thread, which also calls the listener. Everything that is handed in outlives it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "mapping/index.h"
#include "meta/index_record.h"
#include "store/store.h"
#include "sweep/entry_times.h"
#include "sweep/finding.h"
#include "sweep/scrub/lease.h"
#include "sweep/scrub/place.h"
#include "sweep/table_list.h"

namespace fensi::sweep {

class ScrubListener {
 public:
  virtual ~ScrubListener() = default;
  /// What a piece came to, and its differences, the first of them. An error is told by Failed.
  virtual Status Piece(const ScrubSum& sum, const std::vector<Finding>& findings) = 0;
  /// The last whole pass, of this process or another.
  virtual void Pass(const ScrubSum& sum, bool ours) = 0;
  virtual void Failed(const Status& why) = 0;
  /// Why it has compared nothing for kSilentAside; empty: it does again.
  virtual void Aside(const std::string& why) = 0;
};

struct ScrubParts {
  const mapping::Index* index;
  store::Store* store;
  Clock* clock;
  ScrubListener* listener;
  std::string meta_table;
  std::string incarnation;
  std::string worker;  // a name that nobody else has
  int64_t rows_per_second;
  NewestPut newest_put = {};  // empty: times of entries are not compared
  std::function<bool()> stopped;
  /// Why it must not work now; empty: it may. Asked several times a second.
  std::function<std::string()> aside;
};

class Scrub {
 public:
  /// The index has followed its source after that: it is not this far behind while the scrub works.
  static constexpr std::chrono::seconds kRecheck{15};
  static constexpr std::chrono::seconds kMostBehind{10};
  /// Between passes, and after a failure.
  static constexpr std::chrono::seconds kPause{60};
  static constexpr std::chrono::seconds kBeat{3};
  static constexpr std::chrono::minutes kSilentAside{2};

  explicit Scrub(ScrubParts parts);
  void Run();

 private:
  Status Turn();
  Status TryToTake();
  Status Work();
  Status Finish(const ScrubPlace& done);
  Status GoOn();
  Status Beat();
  Status Rest(std::chrono::milliseconds pause);
  Status Idle(std::chrono::milliseconds pause);
  Status LearnLastPass();
  std::string WhyAside();
  std::string WhyBehind(int64_t complete) const;
  void NoteAside(const std::string& why);
  size_t PieceRows() const;

  const ScrubParts parts_;
  std::unique_ptr<store::Store> store_;  // repeats what it can
  const meta::IndexRecord record_;
  ScrubLease lease_;
  TableList tables_;
  std::optional<ScrubPlace> place_;  // absent: another process scrubs
  std::chrono::milliseconds next_beat_{0};
  std::string behind_;  // why the index is too far behind, by its mark
  bool aside_ = false;  // a piece was cut short
  std::optional<std::chrono::milliseconds> aside_since_;
  bool aside_told_ = false;
};

}  // namespace fensi::sweep
