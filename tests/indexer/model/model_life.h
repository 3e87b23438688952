// Plays a history with the real core on a store, in memory or a real HBase, and compares the index with the oracle
// whenever everything was told and applied.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "indexer/index_maintainer.h"
#include "tests/doubles/fake_assignment.h"
#include "tests/doubles/faulty_store.h"
#include "tests/doubles/memory_dead_letters.h"
#include "tests/doubles/pointed_store.h"
#include "tests/indexer/model/model_history.h"
#include "tests/indexer/model/model_oracle.h"
#include "tests/indexer/model/model_server.h"

namespace fensi::testing {

/// How often each thing happened.
using ModelCounts = std::map<std::string, int64_t>;

class ModelLife {
 public:
  /// The server is borrowed, and has none of the tables yet.
  ModelLife(const ModelHistory& history, ModelServer* server);

  /// The first difference, or nothing. Adds what happened.
  std::string Differs(ModelCounts* counts);
  /// Outside of what is promised: a unique cell had two rows. Then there is no difference.
  bool is_unlawful() const { return unlawful_; }
  /// fensi refuses the mapping.
  bool is_refused() const { return index_ == nullptr; }

 private:
  struct Message {
    size_t event;
    int64_t appended;
  };

  void MakeTables();
  void Play(const ModelStep& step);
  void Happen(const ModelStep& step);
  bool IsLawful(const ModelStep& step, bool changes, int64_t now);
  void CountEvent(const ModelStep& step);
  void Tell(const ModelStep& step);
  bool Apply(const ModelStep& step, const consumer::Batch& batch);
  void Settle(size_t from, size_t end, int64_t began);
  void Again(const ModelStep& step);
  void Convert();
  void Reopen(const ModelStep& step);
  /// What a read of a source row that begins now tells.
  std::shared_ptr<const ReadPoint> PointNow();
  std::string RegionName() const { return "region" + std::to_string(splits_); }
  void PassTo(int64_t time);
  /// Tells the oracle how much time has passed, and returns what time it is.
  int64_t Elapse();
  void ShowAllBut(size_t events);
  void TellTheRest();
  void WatchTheEnd();
  void Compare(const std::string& when);
  std::unique_ptr<indexer::IndexMaintainer> NewOwner();
  bool Stateless() const;
  IndexCells Shown();
  /// Read while no cell and no entry ends. Nothing: there is no such moment.
  std::optional<IndexCells> ShownAtRest();
  std::vector<std::string> TableNames();
  void Count(const std::string& what, int64_t n = 1) { (*counts_)[what] += n; }

  const ModelHistory history_;
  const ModelKind& kind_;
  const std::shared_ptr<const mapping::Index> index_;
  ModelServer* const server_;
  Clock* const clock_;
  store::Store* const store_;
  const int64_t start_;
  store::PointedStore pointed_;
  store::FaultyStore faulty_;
  const std::shared_ptr<FakeAssignment> assignment_ = std::make_shared<FakeAssignment>();
  consumer::MemoryDeadLetters letters_;
  indexer::Counters counters_;
  HbaseTable source_;  // all that happened
  ModelOracle oracle_;
  indexer::StateLayout layout_;  // of an index that is to be converted
  std::unique_ptr<indexer::IndexMaintainer> owner_;
  std::vector<ChangeEvent> events_;
  std::set<size_t> told_;
  std::map<size_t, int64_t> begun_;  // by attempts that died, and when the first of them was
  std::vector<Message> log_;
  size_t position_ = 0, committed_ = 0, furthest_ = 0;  // messages
  size_t shown_ = 0;                                    // of events_
  uint64_t number_ = 0;                                 // the last one that the source's region gave out
  int splits_ = 0;
  bool catches_up_ = false;  // each read of the source lets it show one change more
  bool fresh_ = true, converted_ = false, unlawful_ = false, changed_ = false;
  std::map<std::pair<int, std::string>, std::vector<std::string>> values_;  // that a column had, in turn
  std::map<std::string, int64_t> markers_, purged_;  // of rows, the newest delete marker: there, and compacted away
  std::map<std::string, int> holders_;               // of values of f:k, to the last row
  int last_row_ = -1;
  int64_t last_change_ = 0;
  int64_t elapsed_;                                   // of which the oracle knows
  std::map<std::string, std::set<int64_t>> written_;  // times of each column
  std::map<int64_t, int> stamped_;                    // times, and whose they are
  ModelCounts* counts_ = nullptr;
  std::string difference_;
};

}  // namespace fensi::testing
