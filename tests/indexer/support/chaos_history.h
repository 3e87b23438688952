// A history for the player of chaos: what the source rows become, and how partition owners apply it while they die,
// lose calls and receive requests. It can be printed, and each step may be taken out: what is left is a history, too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/cell.h"
#include "tests/indexer/support/dying_store.h"
#include "tests/indexer/support/rules.h"

namespace fensi::testing {

/// A kind of index, and what its histories may have.
struct ChaosKind {
  enum class Keys { kPlain, kShared, kUnique };
  /// kAny: also with `expire: exact`. kNone: a row would get another entry when a cell ends, which no event reports
  /// (docs/consistency.md#with-expire-exact).
  enum class Ttl { kNone, kInexact, kAny };

  std::string name;
  Rule rule;
  std::string columns = "k";  // one letter each
  std::vector<std::string> values = {"a", "b", "c"};
  Keys keys = Keys::kUnique;
  Ttl ttl = Ttl::kNone;
  bool several_columns = false;  // a unit of state has more than one
};
const std::vector<ChaosKind>& ChaosKinds();

struct ChaosSetting {
  const ChaosKind* kind = nullptr;
  bool with_source = true;
  bool tight = false;        // batches are applied in pieces
  bool read_points = false;  // reads tell them
  bool catches_up = false;   // each read lets the source show one change more
  bool numbered = true;      // events have sequence ids
  bool ordered = true;       // each row's events are applied in their order
  int ttl_s = 0;             // of source and index; 0: none
  bool exact = false;        // `expire: exact`
  int64_t tick = 1000;       // milliseconds from event to event
  int64_t start = 100;       // of the clock
  int64_t behind = 0;        // milliseconds by which the daemons' clock is behind the source's
  int bucket_bits = 1;       // of states
};

struct ChaosStep {
  enum Kind {
    kHappen,         // `event` changes the source at `clock`; the log has it up to `early` places before its turn
    kApply,          // a batch of the next `n` events
    kRequest,        // an image of `row`, or a recheck; without a row, of each row of the partition
    kApplyRequests,  // all that wait
    kReplay,         // owners begin at the start of the log again
    kRepeat,         // `n` events from `from` on are in the log once more
    kDeliverLate,    // `n` late writes reach the store
    kShowLate,       // the source does not show its newest `n` events yet
    kCompactIndex,   // major compaction of index and states
    kPurge,          // the same, and all delete markers are old enough to go
    kSettle          // all is applied, and index and source are compared
  };
  Kind kind = kHappen;
  int partition = 0;
  int64_t n = 0;
  ChangeEvent event = {};
  int64_t clock = 0;
  int early = 0;
  Death death = {};
  bool commit = false;
  std::string row = {};
  bool recheck = false;
  size_t from = 0;
};

struct ChaosHistory {
  ChaosSetting setting;
  std::vector<ChaosStep> steps;
  std::string Text() const;
};

/// Two partitions.
constexpr int kChaosPartitions = 2;
inline int PartitionOf(const std::string& row) { return row.back() % kChaosPartitions; }

/// More lines of the index in the mapping file.
std::string OptionsOf(const ChaosSetting& setting);

}  // namespace fensi::testing
