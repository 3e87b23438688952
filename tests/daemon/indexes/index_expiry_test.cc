// What a daemon with --drop_expired does at its start and each hour.
#include "daemon/indexes/index_expiry.h"

#include <gmock/gmock.h>

#include "tests/operations/support/period_world.h"
#include "tests/operations/support/recorded_console.h"
#include "tests/support/matchers.h"

namespace fensi::daemon {
namespace {

using store::FaultyStore;

class IndexExpiryTest : public ::testing::Test {
 protected:
  IndexExpiryTest() {
    for (const char* day : {"20161101", "20161102", "20161219"}) world_.MakePeriod(std::string("visits_") + day);
  }

  IndexExpiry Made(std::function<bool()> stopped = [] { return false; }) {
    return IndexExpiry(
        IndexExpiry::Parts{.index = world_.index.get(),
                           .store = std::shared_ptr<store::Store>(world_.faulty.get(), [](store::Store*) {}),
                           .stopped = std::move(stopped),
                           .ready = [] { return true; },
                           .clock = &world_.clock});
  }
  static std::string Logged(const std::function<void()>& work) {
    operations::RecordedConsole console;
    work();
    return console.TakeMessages();
  }

  operations::PeriodWorld world_;
};

TEST_F(IndexExpiryTest, DropsWhatIsOverWithALineForEachTable) {
  IndexExpiry expiry = Made();
  const std::string log = Logged([&] { expiry.DropAll(); });
  EXPECT_FALSE(world_.HasTable("visits_20161101"));
  EXPECT_FALSE(world_.HasTable("visits_20161102"));
  EXPECT_TRUE(world_.HasTable("visits_20161219"));
  EXPECT_THAT(log, HasSubstr("index visits: table visits_20161101 is dropped: its period ended with "
                             "2016-11-01T23:59:59.999Z, and 'retention' is 30d"));
  EXPECT_THAT(log, HasSubstr("table visits_20161102 is dropped"));
  EXPECT_EQ(Logged([&] { expiry.DropAll(); }), "");
}

TEST_F(IndexExpiryTest, OneThatFailsIsAWarningAndLeavesNoOtherBehind) {
  world_.faulty->FailCall(1, FaultyStore::When::kBefore, Status(StatusCode::kPermission, "not you"),
                          FaultyStore::Call::kDropTable);
  IndexExpiry expiry = Made();
  const std::string log = Logged([&] { expiry.DropAll(); });
  EXPECT_THAT(log, HasSubstr("index visits: --drop_expired cannot drop table visits_20161101, and tries again"));
  EXPECT_THAT(log, HasSubstr("not you"));
  EXPECT_TRUE(world_.HasTable("visits_20161101"));
  EXPECT_FALSE(world_.HasTable("visits_20161102"));
  Logged([&] { expiry.DropAll(); });
  EXPECT_FALSE(world_.HasTable("visits_20161101")) << "an hour later it is tried again";
}

TEST_F(IndexExpiryTest, AStoreThatIsAwayEndsNothing) {
  world_.faulty->FailAlways();
  IndexExpiry expiry = Made();
  EXPECT_THAT(Logged([&] { expiry.DropAll(); }), HasSubstr("tries again in an hour"));
}

TEST_F(IndexExpiryTest, ATableThatIsLeftAloneIsToldOnce) {
  world_.MakeTable({"visits_20161103", {{.name = "other"}}});
  IndexExpiry expiry = Made();
  EXPECT_THAT(Logged([&] { expiry.DropAll(); }), HasSubstr("visits_20161103 has the name of an ended period"));
  EXPECT_EQ(Logged([&] { expiry.DropAll(); }), "");
  EXPECT_TRUE(world_.HasTable("visits_20161103"));
}

TEST_F(IndexExpiryTest, LooksAgainEachHourUntilItIsStopped) {
  // The clock goes on by what is slept: at 1 o'clock the table of 30 days and an hour ago is over.
  world_.MakePeriod("visits_20161119");
  const int64_t begin = world_.clock.WallMillis();
  IndexExpiry expiry = Made([&] { return world_.clock.WallMillis() - begin > int64_t{15} * 3'600'000; });
  Logged([&] {
    expiry.Start();
    expiry.Join();
  });
  EXPECT_FALSE(world_.HasTable("visits_20161119"));
}

}  // namespace
}  // namespace fensi::daemon
