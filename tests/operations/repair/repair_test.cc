// Damage of each kind, by name: what a repair makes of it, and what it leaves alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "base/hbase_limits.h"
#include "consumer/codec/request.h"
#include "repair_world.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

using mapping::LoadIndex;
using sweep::Follower;
using ::testing::Contains;
using ::testing::Each;

constexpr int64_t kHuge = int64_t{1} << 60;

class Follows : public ::testing::Test {
 protected:
  Follows() : world_(sweep::FollowIndex()) {
    for (const char* row : {"a", "b", "c", "d"}) world_.Put(row, "f1:from", "m", 10);
    content_ = world_.Content();
  }

  void ExpectRight() {
    EXPECT_THAT(world_.Verify(), IsEmpty());
    EXPECT_EQ(world_.Content(), content_);
  }

  /// Verify finds `damage`, a repair mends it, and a second one has nothing to do.
  void ExpectMended(size_t damage) {
    EXPECT_THAT(world_.Verify(), SizeIs(damage));
    FoundTargets found = world_.Found();
    EXPECT_THAT(world_.Repair(&found).left, IsEmpty());
    ExpectRight();
    const Outcome again = world_.Repair(&found);
    EXPECT_EQ(again.rows, 0);
    EXPECT_THAT(again.left, IsEmpty());
    ExpectRight();
    EXPECT_THAT(world_.letters().letters(), IsEmpty());
  }

  RepairWorld world_;
  std::set<std::string> content_;
};

TEST_F(Follows, WhatIsMissingComesBackAboveWhatHidIt) {
  world_.tables()->RemoveCell(Follower("m", "a"), 1000);
  world_.tables()->RemoveCell(Follower("m", "b"), kHuge);
  ExpectMended(2);
}

TEST_F(Follows, WhatWasAlteredIsAsTheSourceSays) {
  world_.tables()->PutCell(Follower("m", "a", "7"), 10);
  world_.tables()->PutCell(Follower("m", "b", "7"), 1000);
  world_.tables()->PutCell(Follower("m", "c", "7"), kHuge);
  ExpectMended(3);
}

TEST_F(Follows, WhatWasPlantedGoes) {
  world_.tables()->PutCell(Follower("n", "a"), 5);
  world_.tables()->PutCell(Follower("o", "a"), kHuge);
  world_.tables()->PutCell(Follower("p", "nobody"), 1000);
  ExpectMended(3);
}

TEST_F(Follows, ARowIsAskedForOnceWithAllThatIsWrong) {
  world_.tables()->RemoveCell(Follower("m", "a"), 1000);
  world_.tables()->PutCell(Follower("n", "a"), 1000);
  world_.tables()->PutCell(Follower("o", "a"), 1000);
  world_.tables()->PutCell(Follower("m", "b", "7"), 1000);
  world_.Verify();
  FoundTargets found = world_.Found();
  EXPECT_THAT(world_.Repair(&found, false).told,
              ElementsAre("recheck\ta\t1 missing, 2 orphan\n", "recheck\tb\t1 with another value\n"));
}

TEST_F(Follows, ADryRunChangesNothing) {
  world_.tables()->RemoveCell(Follower("m", "a"), 1000);
  const std::vector<std::string> wrong = world_.Verify();
  world_.tables()->faulty()->SetObserver([](store::FaultyStore::Call call, const std::string&) {
    const bool writes = call == store::FaultyStore::Call::kPut || call == store::FaultyStore::Call::kDelete;
    return writes ? Status(StatusCode::kInternal, "it wrote") : Status();
  });
  FoundTargets found = world_.Found();
  EXPECT_EQ(world_.Repair(&found, false).rows, 1);
  world_.tables()->faulty()->SetObserver(nullptr);
  EXPECT_EQ(world_.Verify(), wrong);
}

TEST_F(Follows, ARowThatIsNamedIsMadeRight) {
  world_.tables()->RemoveCell(Follower("m", "a"), 1000);
  RowList rows({"a", "b", "nobody"});
  const Outcome outcome = world_.Repair(&rows);
  EXPECT_EQ(outcome.rows, 3);
  EXPECT_THAT(outcome.left, IsEmpty());
  ExpectRight();
}

TEST_F(Follows, WhatCameRightMeanwhileIsLeftAlone) {
  world_.tables()->RemoveCell(Follower("m", "a"), 1000);
  world_.tables()->PutCell(Follower("n", "b"), 1000);
  world_.Verify();
  FoundTargets found = world_.Found();
  world_.Put("a", "f1:from", "q", 2000);  // moved on
  world_.Put("b", "f1:from", "n", 2000);  // and this one to where the planted cell stood
  EXPECT_THAT(world_.Verify(), IsEmpty());
  const Outcome outcome = world_.Repair(&found);
  EXPECT_EQ(outcome.rows, 0);
  EXPECT_EQ(outcome.right, 2);
  EXPECT_THAT(world_.Verify(), IsEmpty());
}

TEST_F(Follows, ACellOfAnotherRowIsNotRemovedWhateverAReportSays) {
  sweep::Finding lie;
  lie.kind = sweep::Finding::Kind::kOrphan;
  lie.source.row = "a";
  lie.cell = sweep::IndexCell::Of(Follower("m", "b"));
  FoundTargets found({lie});
  world_.Repair(&found);
  ExpectRight();
}

TEST_F(Follows, LaterChangesOfARepairedRowAreFollowed) {
  world_.tables()->PutCell(Follower("m", "a", "7"), kHuge);
  world_.tables()->PutCell(Follower("n", "b"), kHuge);
  ExpectMended(2);
  world_.Put("a", "f1:from", "n", 30);
  world_.Put("b", "f1:from", "n", 30);
  EXPECT_THAT(world_.Verify(), IsEmpty());
  world_.Put("a", "f1:from", "m", 40);
  EXPECT_THAT(world_.Verify(), IsEmpty());
  EXPECT_THAT(world_.Content(), Contains(HasSubstr("m f1:a")));
}

/// A stranger put the right value again, at a newer time.
class TooNew : public ::testing::TestWithParam<std::tuple<std::vector<std::string>, bool>> {
 protected:
  TooNew() : world_(LoadIndex(std::get<0>(GetParam()))) {
    for (const char* row : {"a", "b"}) world_.Put(row, "f:q", "m", 10);
    options_.digest = std::get<1>(GetParam());
  }
  /// The cell of row a that has the value m, once more.
  void PutAgain(int64_t timestamp) {
    const auto rows = world_.tables()->store()->Scan("x_table", {});
    sweep::MustBe(rows.status());
    for (const store::Row& row : *rows) {
      const Cell& cell = row.cells.front();
      world_.tables()->PutCell({"x_table", row.row, cell.family, cell.qualifier, cell.value}, timestamp);
      return;
    }
  }

  RepairWorld world_;
  sweep::CompareOptions options_;
};

TEST_P(TooNew, IsNamedAndBroughtBackSoThatLaterChangesCount) {
  EXPECT_THAT(world_.Verify(options_), IsEmpty());
  const std::set<std::string> content = world_.Content();
  PutAgain(1'000);
  EXPECT_EQ(world_.Content(), content) << "its value is right";
  ASSERT_THAT(world_.Verify(options_), ElementsAre(HasSubstr("content_differs a")));
  EXPECT_THAT(world_.tables()->found().findings.front().reason,
              HasSubstr("too new: its time is 1000, and no daemon of the index has put the entry after 10"));
  FoundTargets found = world_.Found();
  EXPECT_THAT(world_.Repair(&found).left, IsEmpty());
  EXPECT_THAT(world_.Verify(options_), IsEmpty());
  world_.Put("a", "f:q", "n", 30);
  EXPECT_THAT(world_.Verify(options_), IsEmpty());
  world_.Change({{.table = "t",
                  .row = "a",
                  .cells = {{.family = "f", .qualifier = "q", .timestamp = 40, .type = CellType::kDeleteColumn}}}});
  EXPECT_THAT(world_.Verify(options_), IsEmpty()) << "nothing stays of a row that is gone";
  EXPECT_THAT(world_.Content(), SizeIs(1));
}

TEST_P(TooNew, IsNoneWhoseVersionTheOwnerRaised) {
  world_.Put("a", "f:q", "k", 5);   // late, and a doubt
  world_.Put("a", "f:q", "m", 10);  // told again
  PutAgain(1'000);
  world_.Verify(options_);
  FoundTargets found = world_.Found();
  EXPECT_THAT(world_.Repair(&found).left, IsEmpty());
  PutAgain(1'000);  // below what the owner has put
  EXPECT_THAT(world_.Verify(options_), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, TooNew,
    ::testing::Combine(::testing::Values(std::vector<std::string>{"row: '{f:q}'", "columns: { 'f:{row}': '1' }"},
                                         std::vector<std::string>{"row: '{f:q | terminated}{row}'",
                                                                  "columns: { 'f:x': '{f:q}' }"},
                                         std::vector<std::string>{"each: 'f:*'", "row: '{row | terminated}{qualifier}'",
                                                                  "columns: { 'f:x': '{value}' }"}),
                       ::testing::Bool()));

TEST_F(Follows, WhatNothingCanBePutAboveIsLeftAndNamed) {
  world_.tables()->RemoveCell(Follower("m", "a"), kMaxPassedVersion + 1);
  EXPECT_THAT(world_.Verify(), SizeIs(1));
  FoundTargets found = world_.Found();
  EXPECT_THAT(world_.Repair(&found).left, ElementsAre("missing a -> x_table m f1:a"));
  EXPECT_THAT(world_.letters().letters(), Not(IsEmpty()));
}

TEST_F(Follows, ManySuspectsOfARowGoInSeveralRequests) {
  for (int i = 0; i < 2500; ++i) world_.tables()->PutCell(Follower("planted" + std::to_string(i), "a"), 1000);
  ExpectMended(2500);
}

TEST_F(Follows, ARepairThatDiesAnywhereIsDoneAgain) {
  world_.tables()->RemoveCell(Follower("m", "a"), 1000);
  world_.tables()->PutCell(Follower("n", "b"), kHuge);
  world_.tables()->PutCell(Follower("m", "c", "7"), kHuge);
  EXPECT_THAT(world_.Verify(), SizeIs(3));
  FoundTargets found = world_.Found();
  int deaths = 0;
  for (int dies_at = 1; dies_at <= 12; ++dies_at) {
    int calls = 0;
    world_.tables()->faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string&) {
      const bool writes = call == store::FaultyStore::Call::kPut || call == store::FaultyStore::Call::kDelete;
      return writes && ++calls >= dies_at ? Status(StatusCode::kFenced, "dead") : Status();
    });
    bool died = false;
    try {
      world_.Repair(&found);
    } catch (const std::runtime_error&) {
      died = true;
    }
    world_.tables()->faulty()->SetObserver(nullptr);
    deaths += died ? 1 : 0;
    // The next change of a row comes to a state in the middle of it.
    world_.Put("b", "f1:from", "m", 10);
  }
  EXPECT_GE(deaths, 4);
  ExpectMended(world_.Verify().size());
}

constexpr size_t kAnyBytes = std::numeric_limits<size_t>::max();

TEST(RowRequests, FitWhateverNamesTheSuspectsHave) {
  for (const size_t limit : {consumer::kLeastRequestBytes, size_t{300'000}, size_t{1'000'000}}) {
    for (const size_t name : {1, 1'000, 32'767}) {
      for (const bool each : {true, false}) {
        std::vector<sweep::RepairTarget> named(60);
        RowRequest row("t", "0123456789abcdef", std::string(32'767, 'r'));
        for (size_t i = 0; i < named.size(); ++i) {
          const std::string qualifier = std::to_string(10 + i) + std::string(name - 1, 'q');
          if (each) named[i].unit.column = store::ColumnPlace{"f", qualifier};
          sweep::CheckedUnit seen{&named[i]};
          seen.wrong.push_back(
              {sweep::Finding::Kind::kOrphan, {std::string(255, 't'), std::string(name, 'x'), "f", qualifier}, 5});
          row.Add(seen);
        }
        std::set<std::string> columns, suspects;
        for (const consumer::Request& request : row.Requests(limit - consumer::kRequestRoom)) {
          ASSERT_LE(consumer::EncodeRequest(request).size() + request.row.size() + 128, limit);
          for (const auto& column : request.columns) columns.insert(column.qualifier);
          for (const auto& suspect : request.suspects) suspects.insert(suspect.qualifier);
        }
        EXPECT_THAT(columns, SizeIs(each ? named.size() : 0));
        EXPECT_THAT(suspects, SizeIs(named.size()));
      }
    }
  }
}

TEST(RowRequests, NameNoCellThatMayBeAnotherRowsByTheTimeTheyAreRead) {
  const sweep::RepairTarget named{{"r", {}}, {}};
  sweep::CheckedUnit seen{&named};
  for (const bool own : {true, false}) {
    seen.wrong.push_back({sweep::Finding::Kind::kContentDiffers, {"t", own ? "own" : "shared", "f", "q"}, 5, own});
  }
  seen.wrong.push_back({sweep::Finding::Kind::kOrphan, {"t", "above all", "f", "q"}, kMaxPassedVersion + 1});
  RowRequest row("t", "0123456789abcdef", "r");
  row.Add(seen);
  ASSERT_THAT(row.Requests(kAnyBytes), SizeIs(1));
  ASSERT_THAT(row.Requests(kAnyBytes)[0].suspects, SizeIs(1));
  EXPECT_EQ(row.Requests(kAnyBytes)[0].suspects[0].row, "own");
  EXPECT_TRUE(CheckRequest(row.Requests(kAnyBytes)[0]).ok());
}

TEST(RowRequests, HoldAllColumnsAndSuspectsWithinTheBoundsOfARequest) {
  std::vector<sweep::RepairTarget> named(2'500);
  RowRequest row("t", "0123456789abcdef", "r");
  for (size_t i = 0; i < named.size(); ++i) {
    named[i].unit = {"r", store::ColumnPlace{"f", std::to_string(i)}};
    sweep::CheckedUnit seen{&named[i]};
    seen.wrong.push_back(
        {sweep::Finding::Kind::kOrphan, {"t", std::string(i < 50 ? 30'000 : 10, 'x'), "f", std::to_string(i)}, 5});
    row.Add(seen);
  }
  std::set<std::string> columns, suspects;
  for (const consumer::Request& request : row.Requests(kAnyBytes)) {
    ASSERT_TRUE(CheckRequest(request).ok());
    ASSERT_THAT(request.columns, Not(IsEmpty()));
    ASSERT_LT(consumer::EncodeRequest(request).size(), size_t{400} << 10);
    for (const auto& column : request.columns) columns.insert(column.qualifier);
    for (const auto& suspect : request.suspects) suspects.insert(suspect.qualifier);
  }
  EXPECT_THAT(columns, SizeIs(named.size()));
  EXPECT_THAT(suspects, SizeIs(named.size()));
}

TEST(RowRequests, AskForAllOfARowOnceAndTellEachCellOnce) {
  std::vector<sweep::RepairTarget> named(2'500);
  const sweep::RepairTarget whole{{"r", {}}, {}};
  sweep::CheckedUnit all{&whole};
  RowRequest row("t", "0123456789abcdef", "r");
  for (size_t i = 0; i < named.size(); ++i) {
    named[i].unit = {"r", store::ColumnPlace{"f", std::to_string(i)}};
    sweep::CheckedUnit seen{&named[i]};
    seen.wrong.push_back({sweep::Finding::Kind::kContentDiffers, {"t", "x", "f", std::to_string(i)}, 5});
    all.wrong.push_back(seen.wrong.back());
    row.Add(seen);
  }
  row.Add(all);
  EXPECT_EQ(row.Text(), "2500 with another value");
  const std::vector<consumer::Request> requests = row.Requests(kAnyBytes);
  ASSERT_GE(requests.size(), 3u);
  size_t suspects = 0;
  for (size_t i = 0; i < requests.size(); ++i) {
    EXPECT_EQ(requests[i].columns.size(), i == 0 ? 0u : 1u);
    suspects += requests[i].suspects.size();
  }
  EXPECT_EQ(suspects, named.size());
}

TEST(RepairEach, AColumnOfAWideRowIsAskedForAlone) {
  RepairWorld world(LoadIndex({"each: 'f:*'", "row: '{qualifier}'", "columns: { 'f:{row}': '{value}' }"}));
  for (int i = 0; i < 50; ++i) world.Put("r", "f:q" + std::to_string(i), "v", 10);
  const std::set<std::string> content = world.Content();
  world.tables()->RemoveCell({"x_table", "q7", "f", "r", ""}, 1000);
  world.tables()->PutCell({"x_table", "q8", "f", "r", "w"}, 1000);
  world.tables()->PutCell({"x_table", "absent", "f", "r", "w"}, 1000);
  EXPECT_THAT(world.Verify(), SizeIs(3));
  FoundTargets found = world.Found();
  const Outcome outcome = world.Repair(&found);
  EXPECT_THAT(outcome.left, IsEmpty());
  EXPECT_LE(outcome.source_reads, 2 * 3);
  EXPECT_THAT(world.Verify(), IsEmpty());
  EXPECT_EQ(world.Content(), content);
}

/// A phone number leads to a row, which no cell's key tells.
class Phones : public ::testing::Test {
 protected:
  Phones() : world_(LoadIndex({"row: '{f:phone}'", "columns: { 'f:': '{row | md5 | hex}' }", "unique: true"})) {
    for (int i = 0; i < 20; ++i) world_.Put("r" + std::to_string(i), "f:phone", std::to_string(100 + i), 10);
    content_ = world_.Content();
  }

  static mapping::Entry Phone(std::string_view phone, std::string_view value = "planted") {
    return {"x_table", phone, "f", "", value};
  }

  RepairWorld world_;
  std::set<std::string> content_;
};

TEST_F(Phones, WhatNoRowGivesIsRemovedInAllItsVersions) {
  for (const int64_t version : {int64_t{5}, int64_t{10}, int64_t{1000}, kHuge, kMaxTimestamp}) {
    world_.tables()->PutCell(Phone("555"), version);
    world_.tables()->PutCell(Phone("p" + std::to_string(version)), version);
  }
  EXPECT_THAT(world_.Verify(), SizeIs(6));
  FoundTargets found = world_.Found();
  const Outcome dry = world_.Repair(&found, false);
  EXPECT_EQ(dry.unknown, 6);
  EXPECT_THAT(dry.told, Contains("remove\tx_table\t555\tf:\tunless a source row gives it\n"));
  const Outcome outcome = world_.Repair(&found);
  EXPECT_THAT(outcome.left, IsEmpty());
  EXPECT_EQ(outcome.rows, 0);
  EXPECT_GE(outcome.removed, 6);
  EXPECT_THAT(world_.Verify(), IsEmpty());
  EXPECT_EQ(world_.Content(), content_);
  EXPECT_EQ(world_.Repair(&found).removed, 0);
}

TEST_F(Phones, WhatARowGivesIsNotRemovedWhateverAReportSays) {
  sweep::Finding lie;
  lie.kind = sweep::Finding::Kind::kOrphan;
  lie.cell = sweep::IndexCell::Of(Phone("107"));
  FoundTargets found({lie});
  EXPECT_EQ(world_.Repair(&found).removed, 0);
  EXPECT_EQ(world_.Content(), content_);
}

TEST_F(Phones, AnotherVersionThanTheProvenStays) {
  world_.tables()->PutCell(Phone("555"), 1000);
  world_.Verify();
  FoundTargets found = world_.Found();
  bool done = false;
  world_.tables()->clock()->on_sleep = [&] {
    // While the index is given time to follow: as an owner would put it for a row that has just come.
    if (!std::exchange(done, true)) world_.Put("new", "f:phone", "555", 500);
  };
  const Outcome outcome = world_.Repair(&found);
  EXPECT_TRUE(done);
  EXPECT_EQ(outcome.removed, 1);
  EXPECT_EQ(outcome.rows, 0);
  EXPECT_THAT(outcome.left, IsEmpty());
  EXPECT_THAT(world_.Verify(), IsEmpty());
}

TEST_F(Phones, ARowThatComesAtTheVeryVersionThatIsRemovedHasItsEntry) {
  world_.tables()->PutCell(Phone("555"), 1000);
  world_.Verify();
  FoundTargets found = world_.Found();
  bool done = false;
  world_.tables()->clock()->on_sleep = [&] {
    if (!std::exchange(done, true)) world_.Put("new", "f:phone", "555", 1000);
  };
  const Outcome outcome = world_.Repair(&found);
  EXPECT_EQ(outcome.removed, 1);
  EXPECT_EQ(outcome.rows, 1);
  EXPECT_THAT(outcome.left, IsEmpty());
  EXPECT_THAT(world_.Verify(), IsEmpty());
  EXPECT_THAT(world_.Content(), SizeIs(21));
}

TEST_F(Phones, AnAlteredEntryIsRaisedAndItsKeyMayMoveLater) {
  world_.tables()->PutCell(Phone("107"), 1000);
  EXPECT_THAT(world_.Verify(), SizeIs(1));
  FoundTargets found = world_.Found();
  EXPECT_THAT(world_.Repair(&found).left, IsEmpty());
  EXPECT_EQ(world_.Content(), content_);
  world_.Put("r7", "f:phone", "999", 2000);
  world_.Put("new", "f:phone", "107", 2001);
  EXPECT_THAT(world_.Verify(), IsEmpty());
}

}  // namespace
}  // namespace fensi::operations
