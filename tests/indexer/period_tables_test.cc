// Tables per period: made when they are needed, whoever is first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "indexer/index_meta.h"
#include "indexer/meta_row.h"
#include "indexer/stateful_maintainer.h"
#include "indexer/tables.h"
#include "meta/versioned_meta_row.h"
#include "store/open_store.h"
#include "tests/doubles/faulty_store.h"
#include "tests/indexer/support/scenario.h"
#include "tests/indexer/support/visits.h"
#include "tests/indexer/support/world.h"

namespace fensi::testing {
namespace {

using store::FaultyStore;

class PeriodTablesTest : public ::testing::Test {
 protected:
  /// Another daemon makes the table when this one is about to.
  void LetAnotherBeFaster() {
    faulty_.SetObserver([this](FaultyStore::Call call, const std::string& table) {
      if (call != FaultyStore::Call::kCreateTable) return Status();
      return memory_->CreateTable(indexer::IndexTablePlan(*index_, table).table, {});
    });
  }

  static std::unique_ptr<store::Store> OpenMemory() {
    auto opened = store::OpenMemoryStore(SystemClock());
    return std::move(*opened);
  }

  const std::unique_ptr<store::Store> memory_ = OpenMemory();
  FaultyStore faulty_{memory_.get()};
  const std::shared_ptr<const mapping::Index> index_ = VisitsIndex("daily");
  indexer::PeriodTables tables_{index_.get(), &faulty_};
};

TEST_F(PeriodTablesTest, AreMadeOnceWithTheFamiliesOfTheIndex) {
  EXPECT_FALSE(*tables_.IsThere("daily20161219"));
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(tables_.RequireForPuts("daily20161219").ok());
  EXPECT_EQ(faulty_.Calls(FaultyStore::Call::kCreateTable), 1);
  EXPECT_EQ((*memory_->DescribeTable("daily20161219"))->families.at(0).name, "v");
}

TEST_F(PeriodTablesTest, ThatAnotherDaemonMakesAtTheSameTimeAreTakenAsTheyAre) {
  LetAnotherBeFaster();
  EXPECT_TRUE(tables_.RequireForPuts("daily20161219").ok());
  EXPECT_EQ(faulty_.Calls(FaultyStore::Call::kCreateTable), 1);
  EXPECT_TRUE(*tables_.IsThere("daily20161219"));
}

TEST_F(PeriodTablesTest, OfAnIndexWhoseStatesAreLostLetItNotBegin) {
  ASSERT_TRUE(memory_->CreateTable(indexer::StateTablePlan(*index_, {}).table, {}).ok());
  ASSERT_TRUE(tables_.RequireForPuts("daily20161219").ok());
  const store::RowMutation entry{"u", {{.family = "v", .qualifier = "url", .timestamp = 1, .value = "v"}}};
  ASSERT_TRUE(memory_->Put("daily20161219", {&entry, 1}).ok());
  const Status refused = indexer::IndexMeta(index_.get(), memory_.get()).Open();
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), ::testing::HasSubstr("its table daily20161219 is not empty"));
}

TEST_F(PeriodTablesTest, OfOthersOrWithoutRowsLetANewIndexBegin) {
  ASSERT_TRUE(memory_->CreateTable(indexer::StateTablePlan(*index_, {}).table, {}).ok());
  ASSERT_TRUE(tables_.RequireForPuts("daily20161219").ok());
  const store::RowMutation foreign{"u", {{.family = "v", .qualifier = "url", .timestamp = 1, .value = "v"}}};
  for (const char* other : {"daily", "daily_20161219", "weekly20161219"}) {
    ASSERT_TRUE(memory_->CreateTable(indexer::IndexTablePlan(*index_, other).table, {}).ok());
    ASSERT_TRUE(memory_->Put(other, {&foreign, 1}).ok());
  }
  const Status begun = indexer::IndexMeta(index_.get(), memory_.get()).Open();
  EXPECT_TRUE(begun.ok()) << begun.ToString();
}

TEST_F(PeriodTablesTest, ThatAreDroppedMeanwhileLetANewIndexBegin) {
  ASSERT_TRUE(memory_->CreateTable(indexer::StateTablePlan(*index_, {}).table, {}).ok());
  ASSERT_TRUE(tables_.RequireForPuts("daily20161219").ok());
  faulty_.SetObserver([](FaultyStore::Call call, const std::string& table) {
    const bool gone = call == FaultyStore::Call::kScan && table == "daily20161219";
    return gone ? Status(StatusCode::kNotFound, "dropped") : Status();
  });
  const Status begun = indexer::IndexMeta(index_.get(), &faulty_).Open();
  EXPECT_TRUE(begun.ok()) << begun.ToString();
}

TEST_F(PeriodTablesTest, ThatCannotBeMadeAreNamed) {
  faulty_.FailCall(1, FaultyStore::When::kBefore, Status(StatusCode::kPermission, "no"),
                   FaultyStore::Call::kCreateTable);
  const Status status = tables_.RequireForPuts("daily20161219");
  EXPECT_EQ(status.code(), StatusCode::kPermission);
  EXPECT_NE(status.message().find("period table daily20161219"), std::string::npos) << status.message();
}

constexpr int64_t kDay = 86'400'000;

/// An index with tables of days that are kept for 30, and how its source and the clock go on.
class KeptVisits {
 public:
  explicit KeptVisits(bool read_source, const std::string& kind = "") : read_source_(read_source) {
    if (!kind.empty()) index_ = VisitsIndex("daily", "    " + kind + ": true\n");
    auto opened = store::OpenMemoryStore(&clock_);
    store_ = std::move(*opened);
    faulty_.emplace(store_.get());
    Must(store_->CreateTable(indexer::StateTablePlan(*index_, {}).table, {}));
    Must(store_->CreateTable({"visits", {{.name = "v"}}}, {}));
  }

  void SetDay(int64_t day) { clock_.Set(day * kDay); }

  /// Puts time, user and url of row r.
  void Visit(int64_t time, int64_t ts, uint64_t sequence_id) {
    Tell({{"v", "time", ts, CellType::kPut, std::to_string(time)},
          {"v", "user", ts, CellType::kPut, "u"},
          {"v", "url", ts, CellType::kPut, "x"}},
         sequence_id);
  }

  void Tell(std::vector<Cell> cells, uint64_t sequence_id) {
    const indexer::MaintainerOptions context{.index = index_.get(),
                                             .store = &*faulty_,
                                             .dead_letters = &letters_,
                                             .counters = &counters_,
                                             .read_source = read_source_,
                                             .clock = &clock_};
    indexer::StatefulMaintainer maintainer(context, assignment_, false);
    const ChangeEvent event{.table = "visits", .row = "r", .cells = std::move(cells), .sequence_id = sequence_id};
    WriteCells(event, "visits", store_.get());
    consumer::Batch batch{.assignment = assignment_, .next_offset = offset_ + 1};
    batch.records.push_back({.offset = offset_++, .event = event});
    Must(maintainer.Apply(batch));
    if (maintainer.second_look()) Must(maintainer.RereadSource(batch));
  }

  /// Cells in the table of day 100.
  size_t Cells() const {
    const auto cells = store_->Scan("daily19700411", {});
    return cells.ok() ? cells->size() : 0;
  }
  store::Store* memory() { return store_.get(); }
  FaultyStore* faulty() { return &*faulty_; }
  FakeClock* clock() { return &clock_; }
  const mapping::Index& index() const { return *index_; }
  bool HasTable(const std::string& table) const { return (*store_->DescribeTable(table)).has_value(); }
  size_t letters() const { return letters_.letters().size(); }
  int64_t source_reads() const { return counters_.source_reads; }

 private:
  const bool read_source_;
  FakeClock clock_{100};
  std::unique_ptr<store::Store> store_;
  std::optional<FaultyStore> faulty_;
  std::shared_ptr<const mapping::Index> index_ = VisitsIndex("daily");
  const std::shared_ptr<FakeAssignment> assignment_ = std::make_shared<FakeAssignment>();
  consumer::MemoryDeadLetters letters_;
  indexer::Counters counters_;
  int64_t offset_ = 0;
};

TEST(PeriodTables, AVersionDeleteThatDeletesNothingLeavesAnEntryOlderThanKeep) {
  KeptVisits visits(true);
  visits.SetDay(100);
  visits.Visit(100 * kDay, 5, 1);
  visits.SetDay(200);
  visits.Tell({{"v", "url", 7, CellType::kDelete}}, 2);
  EXPECT_GT(visits.source_reads(), 0);
  EXPECT_EQ(visits.Cells(), 1u);
  EXPECT_EQ(visits.letters(), 0u);
}

TEST(PeriodTables, AnEntryOlderThanKeepGoesWhenADeadAttemptMayHaveLeftAnotherValue) {
  Scenario s(PeriodRule(), Scenario::Source::kRead);
  s.world()->clock()->Set(2 * kDay);
  s.Tells({s.Happens("k=a@86400000 v=z@1"), s.Happens("v=x@2")});
  EXPECT_EQ(s.Index().size(), 1u);
  s.world()->clock()->Set(20 * kDay);
  // Its put would be refused; the attempt dies between its intent and the removal of what stands there.
  const ChangeEvent uncover = s.Happens("D:v@2");
  s.world()->faulty()->FailCall(1, store::FaultyStore::When::kBefore, store::FaultyStore::Lost(),
                                store::FaultyStore::Call::kDelete);
  EXPECT_THROW(s.Tells({uncover}), std::runtime_error);
  EXPECT_EQ(s.Index().size(), 1u);
  s.Restarts();
  s.Tells({uncover});
  EXPECT_EQ(s.Index(), Entries());
  EXPECT_FALSE(s.world()->letters()->letters().empty());
}

TEST(PeriodTables, AnEntryOlderThanKeepThatALookPutStaysThoughALaterAttemptDied) {
  Scenario s(PeriodRule(), Scenario::Source::kRead);
  s.world()->clock()->Set(2 * kDay);
  s.Tells({s.Happens("k=a@86400000 v=z@5"), s.Happens("v=x@6")});
  s.Tells({s.Happens("D:v@6")});
  const Entries looked = s.Index();
  ASSERT_EQ(looked.size(), 1u);
  EXPECT_EQ(looked.begin()->second, "z");
  s.world()->clock()->Set(20 * kDay);
  const ChangeEvent late = s.Happens("v=w@3");
  // It puts the note of the intent, the intent, and dies at the state: there is nothing to be put or removed.
  s.world()->faulty()->FailCall(3, store::FaultyStore::When::kBefore, store::FaultyStore::Lost(),
                                store::FaultyStore::Call::kPut);
  EXPECT_THROW(s.Tells({late}), std::runtime_error);
  s.Restarts();
  s.Tells({late});
  EXPECT_EQ(s.Index(), looked);
  EXPECT_TRUE(s.world()->letters()->letters().empty());
}

TEST(PeriodTables, AnEntryThatWasRefusedAndComesInsideWithinItsPeriodIsPut) {
  KeptVisits visits(false);
  visits.SetDay(99);
  visits.Visit(100 * kDay + 2, 5, 1);
  EXPECT_EQ(visits.letters(), 1u);
  EXPECT_EQ(visits.Cells(), 0u);
  visits.Visit(100 * kDay, 6, 2);
  EXPECT_EQ(visits.letters(), 1u);
  EXPECT_EQ(visits.Cells(), 1u);
}

TEST(PeriodTables, ARefusedEntryIsPutWhenItsEventIsToldAgainInTime) {
  KeptVisits visits(false);
  visits.SetDay(90);
  visits.Visit(100 * kDay, 5, 1);
  EXPECT_EQ(visits.letters(), 1u);
  visits.SetDay(100);
  visits.Visit(100 * kDay, 5, 1);
  EXPECT_EQ(visits.letters(), 1u);
  EXPECT_EQ(visits.Cells(), 1u);
}

/// What a late attempt that knows only the first event puts then stays hidden.
TEST(PeriodTables, ARemovalLeavesItsMarkerAlsoIfItsTableDidNotExist) {
  Scenario s(PeriodRule(), Scenario::Source::kKept);
  s.world()->clock()->Set(2 * kDay);
  s.Tells({s.Happens("k=a@86400000"), s.Happens("k=b@172800000")});
  const std::string first = "inverse02";
  (void)s.world()->store()->CreateTable({first, {{.name = "f"}}}, {});
  const Cell late{.family = "f", .qualifier = "r", .timestamp = 86'400'000, .value = "none"};
  EXPECT_TRUE(s.world()->store()->Put(first, std::vector<store::RowMutation>{{"a", {late}}}).ok());
  const Entries index = s.Index();
  EXPECT_EQ(index.size(), 1u);
  EXPECT_TRUE(index.contains({"inverse03/b", "f:r"}));
}

TEST(PeriodTables, ARemovalOfAnEntryThatWasRefusedCreatesNoTable) {
  Scenario s(PeriodRule(), Scenario::Source::kKept);
  s.world()->clock()->Set(2 * kDay);
  s.Tells({s.Happens("k=a@777600000")});  // day 9
  s.Tells({s.Happens("DC:k@777700000")});
  EXPECT_FALSE(s.world()->store()->DescribeTable("inverse10")->has_value());
}

/// Of day 100, when it has long ended and its table was dropped.
constexpr char kDropped[] = "daily19700411";

/// Each change of a row whose entry was in a table that is gone.
void ExpectChangesThatMakeNoTable(KeptVisits* visits) {
  visits->SetDay(200);
  visits->Tell({{"v", "url", 6, CellType::kPut, "x"}}, 2);
  visits->Tell({{"v", "url", 7, CellType::kPut, "y"}}, 3);
  visits->Tell({{"v", "other", 8, CellType::kPut, "z"}}, 4);
  visits->Visit(200 * kDay, 9, 5);
  visits->Tell({{"v", "url", 10, CellType::kDeleteColumn}}, 6);
  EXPECT_FALSE(visits->HasTable(kDropped));
  EXPECT_TRUE(visits->HasTable("daily19700720"));
  EXPECT_EQ(visits->faulty()->Calls(FaultyStore::Call::kCreateTable), 2);
}

TEST(PeriodTables, AChangeOfARowWhoseTableIsGoneMakesNoTableAndStopsNothing) {
  for (const bool read_source : {false, true}) {
    for (const char* kind : {"", "shared", "unique"}) {
      KeptVisits visits(read_source, kind);
      visits.SetDay(100);
      visits.Visit(100 * kDay, 5, 1);
      ASSERT_EQ(visits.Cells(), 1u) << kind;
      Must(visits.memory()->DropTable(kDropped));
      ExpectChangesThatMakeNoTable(&visits);
    }
  }
}

TEST(PeriodTables, WhoeverDropsATableIsNotWaitedFor) {
  for (const char* kind : {"", "shared", "unique"}) {
    KeptVisits visits(true, kind);
    visits.SetDay(100);
    visits.Visit(100 * kDay, 5, 1);
    // As a drop leaves it that died when it had disabled the table.
    Must(meta::DroppedTables(indexer::MetaRow(&visits.index(), visits.memory())).Note(kDropped));
    visits.faulty()->SetObserver([](FaultyStore::Call call, const std::string& table) {
      const bool works = table != kDropped || call == FaultyStore::Call::kDescribeTable;
      return works ? Status() : Status(StatusCode::kUnavailable, table + " is disabled");
    });
    visits.SetDay(200);
    visits.Tell({{"v", "url", 7, CellType::kPut, "y"}}, 2);
    visits.Visit(200 * kDay, 9, 3);
    EXPECT_EQ(visits.Cells(), 1u) << "it is nobody's any more";
    EXPECT_TRUE(visits.HasTable("daily19700720"));
  }
}

TEST(PeriodTables, ATableThatIsDroppedWhileItsEntryIsWrittenIsNotMadeAgain) {
  KeptVisits visits(false);
  visits.SetDay(130);
  visits.faulty()->SetObserver([&](FaultyStore::Call call, const std::string& table) {
    if (call != FaultyStore::Call::kPut || table != kDropped) return Status();
    // The store was away for so long that the period ended meanwhile.
    visits.SetDay(132);
    return visits.memory()->DropTable(table).ok() ? Status() : Status(StatusCode::kInternal, "it was made again");
  });
  visits.Visit(100 * kDay, 5, 1);
  EXPECT_FALSE(visits.HasTable(kDropped));
  EXPECT_EQ(visits.letters(), 0u);
}

TEST(PeriodTables, ATableThatAPersonDroppedWithinKeepIsMadeAgain) {
  KeptVisits visits(false);
  visits.SetDay(100);
  visits.Visit(100 * kDay, 5, 1);
  Must(visits.memory()->DropTable(kDropped));
  visits.Tell({{"v", "url", 7, CellType::kPut, "y"}}, 2);
  EXPECT_EQ(visits.Cells(), 1u);
}

TEST(PeriodTables, AnEntryInATableThatIsOverAndStillThereGoesWithItsSource) {
  KeptVisits visits(false);
  visits.SetDay(100);
  visits.Visit(100 * kDay, 5, 1);
  visits.SetDay(200);
  visits.Tell({{"v", "url", 7, CellType::kDeleteColumn}}, 2);
  EXPECT_EQ(visits.Cells(), 0u);
}

}  // namespace
}  // namespace fensi::testing
