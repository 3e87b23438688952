// Histories of keys that are handed from source row to source row: at any time one row has a key, each change is
// stamped later than the ones before, and no delete brings an older value to light. Told by several partitions, each at
// its own pace, in batches of one event or of all, again, and by owners that die; with rechecks and images of rows in
// between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/cell.h"
#include "tests/indexer/support/dice.h"
#include "tests/indexer/support/rules.h"
#include "tests/indexer/support/world.h"

namespace fensi::testing {

struct HandoverLimits {
  std::vector<std::string> values = {"a", "b", "c"};
  std::string columns = "k";  // one letter each
  bool disorder = true;       // events of a row may be told out of order
  int events = 16;
  int rows = 3;
  int64_t tick = 1000;  // milliseconds from change to change: more than two for each event that is told
};

struct Handovers {
  std::vector<ChangeEvent> events;
  /// Each row's events are told in their order. Else none is a version delete, or puts another row's key below a
  /// delete.
  bool ordered = true;
  std::string Text() const;
};
/// The event as one line.
std::string EventText(const ChangeEvent& event);
Handovers SomeHandovers(const Rule& rule, const HandoverLimits& limits, const Dice& dice);
void showValue(const Handovers& handovers, std::ostream& out);

class HandoverPlayer {
 public:
  /// `tight`: batches are applied in pieces, and no owner dies.
  HandoverPlayer(World* world, const Handovers& handovers, bool tight, Dice dice);

  /// The events up to `end` happen and are told to their end.
  void Play(size_t end);
  /// All that was told is told once more.
  void Replay();
  /// What was done, for people.
  const std::string& told() const { return told_; }

 private:
  struct Partition {
    std::vector<size_t> order;
    size_t position = 0, committed = 0, furthest = 0;
    std::unique_ptr<indexer::IndexMaintainer> owner;
  };
  size_t PartitionOf(const ChangeEvent& event) const;
  void Plan(size_t end);
  void Disturb(size_t from, std::vector<size_t>* order);
  void TellSome(size_t partition);
  /// Of a row of the partition a recheck, or what a scan reads of it.
  void AskSomething(Partition* partition);
  void AdvanceSource(size_t to);

  World* const world_;
  const Handovers handovers_;
  const Dice dice_;
  const bool may_die_;
  const size_t ahead_;  // events by which the source is ahead of the stream
  const size_t late_;   // newest events that the source does not show yet: one, as a row has a key when the one before
                        // is seen to have it no more
  std::vector<Partition> partitions_;
  size_t planned_ = 0, source_ = 0;
  bool fresh_ = true;
  std::string told_;
};

}  // namespace fensi::testing
