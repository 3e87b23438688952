// Compares an index with its source again and again, slowly, beside its daemons: pass after pass, each forward and then
// backward, in pieces (scrub/piece.h). One process at a time scrubs an index (scrub/lease.h); a pass that is cut short
// is continued.
//
// Run blocks until `stopped` says so, whatever fails: errors are reported to the listener and retried later. Writes
// only to the meta table. One thread, which also calls the listener. Everything that is handed in outlives it.
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
#include "sweep/compare/finding.h"
#include "sweep/scan/derivation.h"
#include "sweep/scan/table_list.h"
#include "sweep/scrub/lease.h"

namespace fensi::sweep {

class ScrubListener {
 public:
  virtual ~ScrubListener() = default;
  /// The result of a piece, and its first differences. Errors are reported by Failed.
  virtual Status Piece(const ScrubSum& sum, const std::vector<Finding>& findings) = 0;
  /// The last complete pass, of this process or another.
  virtual void Pass(const ScrubSum& sum, bool ours) = 0;
  virtual void Failed(const Status& why) = 0;
  /// Why it has compared nothing for kSuspendReportDelay; empty: it compares again.
  virtual void OnSuspended(const std::string& why) = 0;
};

struct ScrubDependencies {
  const mapping::Index* index;
  store::Store* store;
  Clock* clock;
  ScrubListener* listener;
  std::string meta_table;
  std::string incarnation;
  std::string worker;  // a unique name
  int64_t rows_per_second;
  NewestPut newest_put = {};  // empty: times of entries are not compared
  std::function<bool()> stopped;
  /// Why it must not work now; empty: it may. Called several times a second.
  std::function<std::string()> why_suspended;
};

class Scrub {
 public:
  /// Delay before a suspect is judged; longer than `kMostBehind`, so the index has caught up.
  static constexpr std::chrono::seconds kRecheck{15};
  static constexpr std::chrono::seconds kMostBehind{10};
  /// Pause between passes, and after a failure.
  static constexpr std::chrono::seconds kPause{60};
  static constexpr std::chrono::seconds kBeat{3};
  static constexpr std::chrono::minutes kSuspendReportDelay{2};

  explicit Scrub(ScrubDependencies parts);
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
  std::string WhySuspended();
  std::string WhyBehind(int64_t complete) const;
  void NoteSuspended(const std::string& why);
  size_t ChunkRows() const;

  const ScrubDependencies parts_;
  std::unique_ptr<store::Store> store_;  // retries temporary errors
  const meta::IndexRecord record_;
  ScrubLease lease_;
  TableList tables_;
  std::optional<ScrubPlace> place_;  // absent: another process scrubs
  std::chrono::milliseconds next_beat_{0};
  std::string behind_;      // why the index is too far behind, by its mark
  bool suspended_ = false;  // a piece was cut short
  std::optional<std::chrono::milliseconds> suspended_since_;
  bool suspension_reported_ = false;
};

}  // namespace fensi::sweep
