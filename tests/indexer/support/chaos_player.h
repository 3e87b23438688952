// Plays a history of chaos on a world and compares the index with the source. Two partitions, each with its owner, its
// log and its requests; an owner that dies is replaced by one that begins at the committed offset.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/indexer/support/chaos_history.h"
#include "tests/indexer/support/chaos_law.h"
#include "tests/indexer/support/world.h"

namespace fensi::testing {

/// How much of everything was played.
using ChaosCounts = std::map<std::string, int64_t>;

class ChaosPlayer {
 public:
  ChaosPlayer(World* world, const ChaosHistory& history, ChaosCounts* counts);

  /// The first difference, or nothing. Nothing, too, if docs/consistency.md does not promise a right index.
  std::string Differs();

 private:
  struct Partition {
    std::vector<size_t> log;
    size_t position = 0, committed = 0, furthest = 0;
    std::unique_ptr<DyingStore> store;
    std::unique_ptr<indexer::IndexMaintainer> owner;
    std::deque<consumer::Request> requests;
    bool requests_begun = false;
  };

  void Play(const ChaosStep& step);
  void Happen(const ChaosStep& step);
  void Apply(Partition* partition, const ChaosStep& step);
  void ApplyRequests(Partition* partition, const ChaosStep& step);
  void Request(const ChaosStep& step);
  void Repeat(Partition* partition, const ChaosStep& step);
  void Replay();
  void DeliverLate(int64_t most);
  void Compact(bool purge);
  void Settle();
  void Compare();
  /// The maintainer's re-reads until it wants none. The source shows all before the re-read with the number `shown`:
  /// the first one comes 2 s after the read, except if read points are compared.
  template <typename Applied>
  Status Reread(indexer::IndexMaintainer* owner, const Applied& applied, int shown);
  indexer::IndexMaintainer* OwnerOf(Partition* partition);
  bool Lives(Partition* partition, const Status& applied);
  std::vector<ChangeEvent> NextOf(Partition* partition, size_t size);
  std::string DifferenceNow();
  std::string WrongLetter() const;

  World* const world_;
  const ChaosHistory& history_;
  ChaosCounts* const counts_;
  ChaosLaw law_;
  bool lawful_ = true;
  std::vector<ChangeEvent> events_;  // that happened
  std::vector<bool> applied_;        // of them
  std::map<std::string, ChaosRepeats> repeats_;
  std::vector<Partition> partitions_;
  std::deque<LateWrite> late_;
  bool fresh_ = true;
  std::string wrong_;
};

}  // namespace fensi::testing
