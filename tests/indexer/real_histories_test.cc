// Random histories on a real HBase, many in one set of tables: deaths at random calls, flush and major compaction
// between, compared with the model; and the model itself compared with what HBase shows of the source table.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <random>

#include "indexer/maintainer.h"
#include "indexer/tables.h"
#include "store/open_store.h"
#include "support/history.h"
#include "support/rules.h"
#include "support/world.h"
#include "tests/store/contract/stack_admin.h"

namespace fensi::testing {
namespace {

constexpr int kHistoriesPerRule = 40;
constexpr size_t kEventsPerHistory = 14;

std::string FromEnvironment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) throw std::runtime_error(std::string(name) + " is not set: tests/run starts the servers");
  return value;
}

/// One rule on real tables; all histories share them, each with rows of its own.
class RealWorld {
 public:
  RealWorld(const Rule& rule, uint64_t seed)
      : rule_(rule), random_(seed), index_(Compile(rule)), admin_(FromEnvironment("FENSI_TEST_ADMIN")) {
    auto opened = store::OpenStore("hbase://" + FromEnvironment("FENSI_TEST_HBASE"));
    Must(opened.status());
    store_ = std::move(*opened);
    Must(store_->CreateTable({Source(), {{.name = "f", .max_versions = 100}}}, {}));
    Must(store_->CreateTable(indexer::IndexTablePlan(*index_, index_->table()).table, {}));
    Must(store_->CreateTable(indexer::StateTablePlan(*index_, {}).table, {}));
  }
  ~RealWorld() {
    for (const std::string& table : {Source(), index_->table(), index_->state_table()}) (void)store_->DropTable(table);
  }

  /// The next events of every history: written to the source, and told in batches, some of them twice, by owners that
  /// sometimes die.
  void Live(size_t events_per_history) {
    std::vector<ChangeEvent> stream;
    for (size_t i = 0; i < events_per_history; ++i) {
      for (int history = 0; history < kHistoriesPerRule; ++history) stream.push_back(NextEvent(history));
    }
    for (const ChangeEvent& event : stream) WriteToSource(event);
    Tell(stream);
  }

  void Compact() {
    for (const std::string& table : {Source(), index_->table(), index_->state_table()}) {
      Must(admin_.Run("flush " + table));
      Must(admin_.Run("compact " + table));
    }
    model_.MajorCompact();
  }

  /// Empty when HBase shows of the source what the model says.
  std::string SourceDifference() {
    std::string wanted, found;
    for (const std::string& row : model_.Rows()) {
      for (const auto& [column, value] : model_.Visible(row)) wanted += Line(row, column.second, value.timestamp, value.value);
    }
    for (const store::Row& row : ScanAll(Source())) {
      for (const Cell& cell : row.cells) found += Line(row.row, cell.qualifier, cell.timestamp, cell.value);
    }
    return wanted == found ? "" : "model:\n" + wanted + "HBase:\n" + found;
  }

  std::string IndexDifference() {
    Entries actual;
    for (const store::Row& row : ScanAll(index_->table())) {
      for (const Cell& cell : row.cells) actual[{row.row, cell.family + ":" + cell.qualifier}] = cell.value;
    }
    const Entries wanted = Expected(rule_, model_);
    return wanted == actual ? "" : "\nexpected:" + Text(wanted) + "\nfound:" + Text(actual);
  }

  int deaths() const { return deaths_; }
  size_t events() const { return sequence_; }

 private:
  static std::string Suffix() { return std::to_string(getpid()); }
  std::string Source() const { return index_->source_table(); }

  /// The rule's index over tables that no other run has.
  static std::shared_ptr<const mapping::Index> Compile(const Rule& rule) {
    const std::string name = rule.name + Suffix();
    mapping::Diagnostics diagnostics;
    const std::string text = "source: source_" + name + "\nindexes:\n  inverse:\n    table: inverse_" + name +
                             "\n    state_table: state_" + name + "\n" + rule.index;
    std::vector<mapping::Mapping> mappings = mapping::Load({{"rule.yaml", text}}, &diagnostics);
    if (mappings.empty()) throw std::logic_error(diagnostics.Text());
    return mappings.front().indexes.front();
  }

  ChangeEvent NextEvent(int history) {
    EventSpec spec{.row = static_cast<int>(random_() % 2)};
    const size_t cells = 1 + random_() % 3;
    for (size_t i = 0; i < cells; ++i) {
      static constexpr int kKinds[] = {9, 9, 9, 9, 9, 9, 0, 1, 2, 3};
      spec.cells.push_back({kKinds[random_() % 10], static_cast<int>(random_() % 3), static_cast<int>(1 + random_() % 9),
                            static_cast<int>(random_() % 3)});
    }
    ChangeEvent event = MakeEvent(spec, ++sequence_);
    event.table = Source();
    event.row = "h" + std::to_string(history) + "-" + event.row;
    return event;
  }

  void WriteToSource(const ChangeEvent& event) {
    model_.Apply(event.row, event.cells);
    for (const Cell& cell : event.cells) {
      const store::RowMutation mutation{event.row, {cell}};
      const bool put = cell.type == CellType::kPut;
      Must((put ? store_->Put(Source(), {&mutation, 1}) : store_->Delete(Source(), {&mutation, 1})).status());
    }
  }

  void Tell(const std::vector<ChangeEvent>& stream) {
    store::FaultyStore faulty(store_.get());
    const indexer::MaintainerContext context{index_.get(), &faulty, &letters_, &counters_, true};
    size_t committed = 0, position = 0;
    auto maintainer = std::make_unique<indexer::Maintainer>(context, assignment_, false);
    while (committed < stream.size()) {
      const size_t size = std::min<size_t>(10 + random_() % 30, stream.size() - position);
      if (random_() % 3 == 0) {
        faulty.FailCall(1 + static_cast<int>(random_() % 6),
                        random_() % 2 == 0 ? store::FaultyStore::When::kBefore : store::FaultyStore::When::kAfter);
      }
      consumer::Batch batch{.assignment = assignment_};
      for (size_t i = position; i < position + size; ++i) batch.records.push_back({.event = stream[i]});
      const Status applied = maintainer->Apply(batch);
      faulty.Heal();
      if (!applied.ok()) {
        ++deaths_;
        maintainer = std::make_unique<indexer::Maintainer>(context, assignment_, false);
        position = committed;
        continue;
      }
      position += size;
      if (random_() % 2 == 0 || position == stream.size()) committed = position;
    }
  }

  std::vector<store::Row> ScanAll(const std::string& table) {
    auto rows = store_->Scan(table, {.max_rows = 100'000});
    Must(rows.status());
    return std::move(*rows);
  }

  static std::string Line(const std::string& row, const std::string& qualifier, int64_t time, const std::string& value) {
    return "  " + row + " " + qualifier + "@" + std::to_string(time) + "=" + value + "\n";
  }

  const Rule rule_;
  std::mt19937_64 random_;
  const std::shared_ptr<const mapping::Index> index_;
  const store::StackAdmin admin_;
  std::unique_ptr<store::Store> store_;
  const std::shared_ptr<TestAssignment> assignment_ = std::make_shared<TestAssignment>();
  consumer::MemoryDeadLetters letters_;
  indexer::Counters counters_;
  SourceModel model_;
  uint64_t sequence_ = 0;
  int deaths_ = 0;
};

class RealHistories : public ::testing::TestWithParam<int> {};

TEST_P(RealHistories, EndExactBeforeAndAfterCompaction) {
  RealWorld world(AllRules()[static_cast<size_t>(GetParam())], 20'161'219 + static_cast<uint64_t>(GetParam()));
  for (int half = 0; half < 2; ++half) {
    world.Live(kEventsPerHistory / 2);
    ASSERT_EQ(world.SourceDifference(), "");
    ASSERT_EQ(world.IndexDifference(), "");
    world.Compact();
    ASSERT_EQ(world.SourceDifference(), "") << "after a major compaction";
    ASSERT_EQ(world.IndexDifference(), "") << "after a major compaction";
  }
  EXPECT_GT(world.deaths(), 0);
  std::printf("%d histories, %zu events, %d deaths: 0 missing, 0 orphaned, 0 wrong\n", kHistoriesPerRule, world.events(),
              world.deaths());
}

INSTANTIATE_TEST_SUITE_P(Rules, RealHistories, ::testing::Range(0, static_cast<int>(AllRules().size())));

}  // namespace
}  // namespace fensi::testing
