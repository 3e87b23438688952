// An entry that is right, and newer than its source row: what the index can have put decides.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/sweep_world.h"
#include "sweep/scan/derivation.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::sweep {
namespace {

class EntryTimesTest : public ::testing::Test {
 protected:
  EntryTimesTest() : world_(FollowIndex()) {
    for (const char* row : {"a", "b"}) world_.PutSource(row, "f1:from", "m", 5);
    for (const char* row : {"a", "b"}) world_.Index(row, 10);
  }
  std::vector<std::string> Compare(int64_t newest_put, bool digest = false) {
    asked_ = 0;
    CompareOptions options;
    options.digest = digest;
    options.judge.newest_put = [this, newest_put](std::span<const SourceUnit> units) {
      asked_ += units.size();
      return std::vector<int64_t>(units.size(), newest_put);
    };
    return world_.Compare(std::move(options));
  }

  SweepWorld world_;
  size_t asked_ = 0;
};

TEST_F(EntryTimesTest, WhatItsOwnersPutAboveTheSourceRowIsRight) {
  for (const bool digest : {false, true}) {
    EXPECT_THAT(Compare(10, digest), IsEmpty());
    EXPECT_EQ(asked_, 2U);
    EXPECT_EQ(world_.counts().good, 2);
    EXPECT_EQ(world_.counts().in_flight, 0) << "nothing waits for a judge";
  }
}

TEST_F(EntryTimesTest, WhatNoOwnerPutIsTooNew) {
  for (const bool digest : {false, true}) {
    EXPECT_THAT(Compare(9, digest), SizeIs(2));
    EXPECT_EQ(world_.counts().content_differs, 2);
    EXPECT_EQ(world_.counts().good, 0);
    for (const Finding& finding : world_.found().findings) {
      EXPECT_EQ(finding.expected, finding.found);
      EXPECT_THAT(finding.reason,
                  HasSubstr("too new: its time is 10, and no daemon of the index has put the entry after 9."));
    }
  }
  EXPECT_THAT(Compare(-1), SizeIs(2));
  EXPECT_THAT(world_.found().findings.front().reason,
              HasSubstr("no daemon of the index has put the entry. The entry hides"));
}

TEST_F(EntryTimesTest, WhatIsNoNewerThanItsSourceRowIsAskedOfNobody) {
  for (const char* row : {"a", "b"}) {
    world_.PutSource(row, "f1:from", "m", 10);
    world_.Index(row, 10);
  }
  for (const bool digest : {false, true}) {
    EXPECT_THAT(Compare(-1, digest), IsEmpty());
    EXPECT_EQ(asked_, 0U);
  }
}

TEST_F(EntryTimesTest, AnotherValueIsNamedByThatAlone) {
  world_.PutCell(Follower("m", "a", "7"), 20);
  EXPECT_THAT(Compare(10), SizeIs(1));
  EXPECT_EQ(world_.found().findings.front().reason, "");
}

TEST_F(EntryTimesTest, AStateThatComesBehindItsEntryMakesItRight) {
  int looks = 0;
  CompareOptions options;
  options.judge.newest_put = [&](std::span<const SourceUnit> units) {
    return std::vector<int64_t>(units.size(), ++looks > 1 ? 10 : 9);
  };
  EXPECT_THAT(world_.Compare(std::move(options)), IsEmpty());
  EXPECT_EQ(world_.counts().in_flight, 2);
}

TEST_F(EntryTimesTest, WhatCannotBeAskedEndsTheComparison) {
  CompareOptions options;
  options.judge.newest_put = [](std::span<const SourceUnit>) -> Result<std::vector<int64_t>> {
    return Status(StatusCode::kPermission, "no");
  };
  EXPECT_THAT(world_.Compare(std::move(options)), ElementsAre(HasSubstr("no")));
}

TEST(EntryTimesOfKinds, OfCellsThatSeveralRowsPutNothingIsSaid) {
  for (const char* kind : {"shared: true", "unique: true"}) {
    SweepWorld world(mapping::LoadIndex({"row: '{f:q}'", "columns: { 'f:x': '{f:q}' }", kind}));
    world.PutSource("a", "f:q", "m", 5);
    world.Index("a", 10);
    CompareOptions options;
    options.judge.newest_put = [](std::span<const SourceUnit> units) { return std::vector<int64_t>(units.size(), -1); };
    EXPECT_THAT(world.Compare(std::move(options)), IsEmpty()) << kind;
  }
}

}  // namespace
}  // namespace fensi::sweep
