// One rule on the tables of a real HBase. Many histories share them, each with rows of its own, because creating tables
// and compacting them is what takes the time there.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "store/store.h"
#include "tests/indexer/support/rules.h"
#include "tests/store/contract/stack_admin.h"

namespace fensi::testing {

/// Throws when the environment does not have it.
std::string FromEnvironment(const char* name);

class RealWorld {
 public:
  static constexpr int kHistories = 40;

  /// `prefix` keeps the tables of two tests apart.
  RealWorld(const Rule& rule, const std::string& prefix, uint64_t seed);
  ~RealWorld();

  /// The next events of every history, written to the source; each has up to `cells` cells.
  std::vector<ChangeEvent> Write(size_t events_per_history, size_t cells);
  void Compact();
  /// Empty when HBase shows of the source what the model says.
  std::string SourceDifference();
  std::string IndexDifference();

  std::string Source() const { return index_->source_table(); }
  const std::shared_ptr<const mapping::Index>& index() const { return index_; }
  store::Store* store() { return store_.get(); }
  std::mt19937_64& random() { return random_; }
  size_t events() const { return sequence_; }

 private:
  /// The rule's index over tables that no other run has.
  static std::shared_ptr<const mapping::Index> Compile(const Rule& rule, const std::string& prefix);

  ChangeEvent NextEvent(int history, size_t most_cells);
  void WriteToSource(const ChangeEvent& event);
  std::vector<store::Row> ScanAll(const std::string& table);

  const Rule rule_;
  std::mt19937_64 random_;
  const std::shared_ptr<const mapping::Index> index_;
  const store::StackAdmin admin_;
  std::unique_ptr<store::Store> store_;
  SourceModel model_;
  uint64_t sequence_ = 0;
};

}  // namespace fensi::testing
