// A small world for one index: an embedded store with its tables, the source model beside it, and maintainers that are
// given batches by hand.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "consumer/change_source.h"
#include "consumer/changelog.h"
#include "indexer/index_maintainer.h"
#include "store/embedded/embedded_store.h"
#include "store/wrapped_store.h"
#include "tests/doubles/fake_assignment.h"
#include "tests/doubles/fake_clock.h"
#include "tests/doubles/faulty_store.h"
#include "tests/doubles/memory_dead_letters.h"
#include "tests/indexer/support/rules.h"

namespace fensi::testing {

/// Throws what went wrong.
void Must(const Status& status);
std::string Text(const Entries& entries);
Entries EntriesOf(const std::vector<store::Row>& rows);
/// Empty when they are equal, else both.
std::string DifferenceOf(const Entries& wanted, const Entries& actual);
/// Cell by cell, in their order.
void WriteCells(const ChangeEvent& event, const std::string& table, store::Store* store);

class World {
 public:
  explicit World(const Rule& rule, bool with_source, const std::string& options = "");

  /// As new, but faster.
  void Reset();

  /// Maintainers write a batch in pieces of an event or two, and forget most states at once.
  void set_tight(bool tight) { tight_ = tight; }
  /// Where units that are source rows have their states. Two buckets, unless another one is set: all rows share them.
  void set_layout(const indexer::StateLayout& layout) { layout_ = layout; }
  const indexer::StateLayout& layout() const { return layout_; }
  /// Owners write the changes of index rows to it; null: they write none.
  void set_changelog(consumer::Changelog* changelog) { changelog_ = changelog; }
  /// How much they remember.
  void set_cache_bytes(size_t bytes) { cache_bytes_ = bytes; }
  /// Its assignment is the world's, unless it has one of its own.
  std::unique_ptr<indexer::IndexMaintainer> NewMaintainer(bool fresh, store::Store* through = nullptr,
                                                          std::shared_ptr<FakeAssignment> own = nullptr);

  /// A batch of these events, the first at `offset`.
  consumer::Batch MakeBatch(std::span<const ChangeEvent> events, int64_t offset = 0) const;

  /// Writes the event to the source table and to the model.
  void ApplyToSource(const ChangeEvent& event);
  /// From now on the source table shows the newest `events` not yet, as HBase logs a change before it shows it.
  void ShowSourceLate(size_t events);
  /// What was not yet shown is.
  void ShowSource();
  /// Reads of the source tell read points from now on, and events the source's one region. Each owner begins only when
  /// every earlier change is visible. `catches_up`: each read lets the source show one change more.
  void TellReadPoints(bool catches_up);
  /// What a read of the source tells now.
  std::shared_ptr<const ReadPoint> PointNow();
  /// The second look at rows in doubt, if the batch wants one, when its time has come.
  Status RereadSource(indexer::IndexMaintainer* maintainer, const consumer::Batch& batch);
  /// The source changes and shows it, and an owner that knows nothing yet is told, with its second look.
  void Tell(const std::vector<ChangeEvent>& events);
  void CompactSource();
  /// Index and state; with `late` the markers of the index are old enough to go.
  void CompactIndex(bool late);

  Entries Actual() const;
  Entries Wanted() const { return Expected(rule_, model_, clock_.WallMillis()); }

  /// Empty when the index is the exact inverse of the source, else both.
  std::string Difference() const;

  const Rule& rule() const { return rule_; }
  const mapping::Index& index() const { return *index_; }
  const SourceModel& model() const { return model_; }
  store::EmbeddedStore* store() { return store_.get(); }
  store::FaultyStore* faulty() { return faulty_.get(); }
  FakeAssignment* assignment() { return assignment_.get(); }
  indexer::Counters* counters() { return &counters_; }
  consumer::MemoryDeadLetters* letters() { return letters_.get(); }
  FakeClock* clock() { return &clock_; }
  bool with_source() const { return with_source_; }
  /// Owners keep it with states, whatever the mapping says.
  void set_states(bool states) { states_ = states; }
  /// As IndexMeta decides it.
  bool mirrors() const { return with_source_ && !states_ && index_->scheme() == mapping::Scheme::kStateless; }

 private:
  /// That of the index, where all its families have one.
  std::optional<int32_t> SourceTtlSeconds() const;
  std::vector<std::string> IndexTables() const;
  std::vector<std::string> Tables() const;
  void CreateTables();
  void ShowAllBut(size_t events);

  const Rule rule_;
  const std::shared_ptr<const mapping::Index> index_;
  const bool with_source_;
  bool tight_ = false;
  bool states_ = false;
  consumer::Changelog* changelog_ = nullptr;
  indexer::StateLayout layout_{.bucket_bits = 1};
  size_t cache_bytes_ = size_t{1} << 20;
  FakeClock clock_{100};  // near the small timestamps of the tests, so that delete markers are young (M10)
  std::unique_ptr<store::EmbeddedStore> store_;
  std::unique_ptr<store::FaultyStore> faulty_;
  std::shared_ptr<FakeAssignment> assignment_ = std::make_shared<FakeAssignment>();
  std::unique_ptr<consumer::MemoryDeadLetters> letters_ = std::make_unique<consumer::MemoryDeadLetters>();
  indexer::Counters counters_;
  std::vector<std::unique_ptr<store::Store>> owned_views_;  // of maintainers
  SourceModel model_;
  size_t shown_late_ = 0;
  bool read_points_ = false, catches_up_ = false;
  uint64_t last_number_ = 0;
  std::deque<ChangeEvent> not_shown_;
};

}  // namespace fensi::testing
