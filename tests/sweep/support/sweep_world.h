// An index with its source on an embedded store, in which a test breaks what it wants, and what a comparison says of
// it.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/compare/comparison.h"
#include "tests/doubles/faulty_store.h"

namespace fensi::sweep {

/// Stands still but for Sleep and what a test sets.
class WorldClock final : public Clock {
 public:
  std::chrono::milliseconds MonotonicNow() const override { return std::chrono::milliseconds(now_); }
  int64_t WallMillis() const override { return wall_ + now_; }
  void Sleep(std::chrono::milliseconds duration) override {
    now_ += duration.count();
    if (on_sleep) on_sleep();
  }
  void set_wall(int64_t millis) { wall_ = millis - now_; }
  std::function<void()> on_sleep;

 private:
  std::atomic<int64_t> now_{1000};
  std::atomic<int64_t> wall_{1'480'000'000'000};
};

/// Findings as "missing a -> b f1:a", sorted; or all that a test wants to look at.
class FindingList final : public FindingSink {
 public:
  Status Add(const Finding& finding) override {
    findings.push_back(finding);
    return status;
  }
  std::vector<std::string> Texts() const;

  std::vector<Finding> findings;
  Status status;
};

class SweepWorld {
 public:
  /// Makes the source table and, unless it has one for each period, the index table.
  explicit SweepWorld(std::shared_ptr<const mapping::Index> index);

  /// A cell of the source, and nothing of the index.
  void PutSource(const std::string& row, const std::string& column, const std::string& value, int64_t timestamp = 1);
  void DeleteSource(const std::string& row, const std::string& column, int64_t timestamp);
  /// What `fensi run` would have written of the row as it is now; tables of periods are made.
  void Index(const std::string& row, int64_t version = 10);
  /// Cells of the index, as nobody should write them.
  void PutCell(const mapping::Entry& cell, int64_t version = 20);
  void RemoveCell(const mapping::Entry& cell, int64_t version = 1000);
  void MakeTable(const std::string& table);

  /// The findings' texts; "!" and the status when it did not come to its end.
  std::vector<std::string> Compare(CompareOptions options = {});

  store::Store* store() { return store_.get(); }
  store::FaultyStore* faulty() { return faulty_.get(); }
  WorldClock* clock() { return &clock_; }
  const mapping::Index& index() const { return *index_; }
  /// Of the last comparison.
  const Counts& counts() const { return comparison_->counts(); }
  const FindingList& found() const { return *found_; }
  const Comparison& comparison() const { return *comparison_; }

 private:
  WorldClock clock_;
  const std::shared_ptr<const mapping::Index> index_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<store::FaultyStore> faulty_;
  std::unique_ptr<FindingList> found_;
  std::unique_ptr<Comparison> comparison_;
};

/// "row a has b in f1:from" gives "row b, column f1:a": guanzhu-wide-from.yaml.
std::shared_ptr<const mapping::Index> FollowIndex();
/// The only index of a mapping file.
std::shared_ptr<const mapping::Index> LoadFile(const std::string& text);
/// The cell "b followed by a".
mapping::Entry Follower(const std::string& b, const std::string& a, const std::string& value = "1");

/// Throws what went wrong.
void MustBe(const Status& status);

}  // namespace fensi::sweep
