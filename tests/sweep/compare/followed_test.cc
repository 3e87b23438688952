// When an index has followed its source, by what its daemons say in the meta table.
#include <gtest/gtest.h>

#include "meta/bulk_loads.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "support/sweep_world.h"
#include "sweep/compare/judge.h"

namespace fensi::sweep {
namespace {

using std::chrono::milliseconds;

constexpr char kIncarnation[] = "i1";
constexpr milliseconds kSkew{1000};

class FollowedTest : public ::testing::Test {
 protected:
  FollowedTest() : world_(FollowIndex()) {}

  void Register(const std::string& incarnation = kIncarnation) {
    MustBe(world_.store()->CreateTable(meta::MetaTable("m"), {}));
    MustBe(Record().Register({incarnation, "x_table", "s", "t", "t", "f"}));
  }
  meta::IndexRecord Record() {
    return meta::IndexRecord(meta::VersionedMetaRow(world_.store(), "m", meta::IndexRow("x"), world_.clock()));
  }
  void Complete(int64_t time) { MustBe(Record().NoteComplete(kIncarnation, time)); }
  Followed Make() { return {Record(), kIncarnation, world_.clock(), kSkew}; }
  bool Has(Followed* followed, int64_t time) {
    const Result<bool> has = followed->Has(time);
    MustBe(has.status());
    return *has;
  }

  SweepWorld world_;
};

TEST_F(FollowedTest, WhereNobodySaysHowFarItIsTheTimeHasToDo) {
  Followed none = Make();
  EXPECT_TRUE(Has(&none, 5000));
  Register();
  Followed unmarked = Make();
  EXPECT_TRUE(Has(&unmarked, 5000));
}

TEST_F(FollowedTest, AMarkOfAnotherIncarnationSaysNothing) {
  Register("other");
  MustBe(Record().NoteComplete("other", 4000));
  Followed followed = Make();
  EXPECT_TRUE(Has(&followed, 5000));
}

TEST_F(FollowedTest, AMarkMustBeLaterByMoreThanClocksDiffer) {
  Register();
  Complete(6000);
  Followed followed = Make();
  EXPECT_FALSE(Has(&followed, 5000));
  EXPECT_TRUE(Has(&followed, 4999));
}

TEST_F(FollowedTest, AMarkThatRisesIsSeenWithinASecond) {
  Register();
  Complete(2000);
  Followed followed = Make();
  EXPECT_FALSE(Has(&followed, 5000));
  Complete(9000);
  world_.clock()->Sleep(milliseconds(1000));
  EXPECT_TRUE(Has(&followed, 5000));
}

TEST_F(FollowedTest, AMarkThatStandsStillForTwoMinutesSaysNoMore) {
  Register();
  Complete(2000);
  Followed followed = Make();
  EXPECT_FALSE(Has(&followed, 5000));
  world_.clock()->Sleep(milliseconds(119'000));
  EXPECT_FALSE(Has(&followed, 5000));
  Complete(2001);
  world_.clock()->Sleep(milliseconds(2'000));
  EXPECT_FALSE(Has(&followed, 5000));  // it gets on, slowly
  world_.clock()->Sleep(milliseconds(120'000));
  EXPECT_TRUE(Has(&followed, 5000));
}

TEST_F(FollowedTest, AMarkThatStaysBeforeABulkLoadIsWaitedForHoweverLong) {
  Register();
  const meta::BulkLoads loads({world_.store(), "m", meta::LoadsRow("x"), world_.clock()}, kIncarnation);
  MustBe(loads.Note({.region = "r1", .row = "a", .written = 3000}));
  MustBe(Record().NoteMarks(kIncarnation, {{{0, 9000}}, 1, "markers"}).status());
  Followed followed = Make();
  EXPECT_FALSE(Has(&followed, 5000));
  world_.clock()->Sleep(milliseconds(600'000));
  EXPECT_FALSE(Has(&followed, 5000));
  MustBe(loads.Take("job", *loads.Waiting()));
  MustBe(loads.Finish("job"));
  MustBe(Record().NoteMarks(kIncarnation, {{{0, 9001}}, 1, "markers"}).status());
  world_.clock()->Sleep(milliseconds(1000));
  EXPECT_TRUE(Has(&followed, 5000));
}

}  // namespace
}  // namespace fensi::sweep
