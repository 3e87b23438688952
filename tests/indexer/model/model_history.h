// A history: what happens to the source table, how the stream tells it, and what else goes on, as a list of steps that
// can be read, printed and played again. Any step may be taken out: what is left is a history, too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/cell.h"
#include "tests/indexer/model/model_kinds.h"

namespace fensi::testing {

/// The clock of a history begins here.
constexpr int64_t kModelStart = 1'700'000'000'000;

struct ModelCell {
  CellType type = CellType::kPut;
  std::string qualifier;
  int64_t age = 0;  // milliseconds from its timestamp to the moment of its event
  std::string value;
  int64_t ttl = 0;  // milliseconds; 0: none of its own
  bool operator==(const ModelCell&) const = default;
};

struct ModelStep {
  enum Kind {
    kWait,           // n milliseconds pass
    kEvent,          // the source row changes; the stream tells it `early` places before its turn
    kTell,           // a batch of the next n messages
    kAgain,          // messages from `from` on, n of them, stand in the stream once more
    kCompactSource,  // major compaction
    kCompactIndex,   // of index and states; `purge`: delete markers are old enough to go
    kReopen,         // the source's region is opened again
    kRestart,        // the process ends, and another one begins at what was committed
    kConvert         // from states to stateless
  };
  Kind kind = kWait;
  int64_t n = 0;
  // kEvent
  int row = 0;
  int early = 0;
  std::vector<ModelCell> cells;
  // kTell
  int late = 0;        // newest changes that a first look at the source does not see
  int dies_at = 0;     // 0: it does not; else the call of the store in which the process is killed
  bool after = false;  // the call was done
  bool commit = true;  // the offset is committed behind it
  // kAgain
  int64_t from = 0;
  // kCompactIndex
  bool purge = false;
  // kReopen
  enum Reopening {
    kStays,  // it is not opened again
    kMove,   // to another server
    kSplit,  // the row is in a region with another name
    kCrash   // what was not logged is lost, and its numbers are given out again
  };
  Reopening reopening = kStays;
  int unlogged = 0;  // changes of other rows before, which are not logged
  bool operator==(const ModelStep&) const = default;
};

struct ModelHistory {
  ModelSetting setting;
  std::vector<ModelStep> steps;

  std::string Text() const;
  /// What Text() printed; throws what it does not understand.
  static ModelHistory Parse(const std::string& text);
};

ChangeEvent EventOf(const ModelStep& step, uint64_t sequence_id, int64_t now);
std::string RowName(int row);

}  // namespace fensi::testing
