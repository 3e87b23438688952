#include "capture/marks/mark_teller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "consumer/codec/mark_codec.h"
#include "tests/capture/marks/hbase_znodes.h"
#include "tests/capture/notice_log.h"
#include "tests/consumer/kafka/mock_cluster.h"
#include "tests/support/eventually.h"
#include "tests/support/matchers.h"

namespace fensi::capture {
namespace {

using consumer::Mark;
using std::chrono::milliseconds;
using ::testing::Contains;

class MarkTellerTest : public ::testing::Test {
 protected:
  MarkTellerTest() {
    mock_.CreateTopic("follows", 2);
    mock_.CreateTopic("orders", 1);
    hbase_.Start(kA);
    options_.period = milliseconds(20);
    options_.look_period = milliseconds(40);
    options_.partitions = {{"follows", 2}, {"orders", 1}};
    options_.members.our_root = "/fensi";
    options_.kafka.producer.cluster = mock_.cluster();
    options_.stop_timeout = milliseconds(500);
  }
  void Start() {
    teller_ = std::make_unique<MarkTeller>(options_, zookeeper_.Opener(), log_.Listener(), SystemClock());
    teller_->Start();
  }
  void Beat(int64_t time, const std::string& server = kA) {
    CallMarkers markers;
    markers.Note({server, time});
    teller_->Take(markers);
  }
  std::vector<Mark> Marks(const std::string& topic, int32_t partition) {
    std::vector<Mark> marks;
    for (const auto& message : mock_.ReadAll(topic)) {
      if (message.partition != partition) continue;
      const Result<Mark> mark = consumer::DecodeMark(message.key, message.value);
      EXPECT_TRUE(mark.ok()) << mark.status().ToString();
      if (mark.ok()) marks.push_back(*mark);
    }
    return marks;
  }
  bool Trouble(const std::string& words) {
    return Eventually([&] { return teller_->trouble().find(words) != std::string::npos; });
  }

  consumer::MockCluster mock_;
  FakeZooKeeper zookeeper_;
  HBaseZnodes hbase_{&zookeeper_};
  NoticeLog log_;
  MarkTellerOptions options_;
  std::unique_ptr<MarkTeller> teller_;
};

TEST_F(MarkTellerTest, EveryPartitionOfAllTopicsIsToldCallsAndMembers) {
  Start();
  Beat(1'000);
  Beat(2'000);
  const std::vector<std::pair<std::string, int32_t>> places = {{"follows", 0}, {"follows", 1}, {"orders", 0}};
  for (const auto& [topic, partition] : places) {
    ASSERT_TRUE(Eventually([&, t = topic, p = partition] { return !Marks(t, p).empty(); })) << topic;
    const Mark first = Marks(topic, partition).front();
    EXPECT_THAT(first.calls, ElementsAre(Mark::Call{kA, 1'000, 1'000}, Mark::Call{kA, 2'000, 2'000}));
    EXPECT_THAT(first.members, ElementsAre(kA));
    EXPECT_GT(first.members_time, 0);
  }
}

TEST_F(MarkTellerTest, MembersAreToldAnewWhileNothingElseComes) {
  Start();
  Beat(1'000);
  ASSERT_TRUE(Eventually([&] { return Marks("orders", 0).size() > 2; }));
  const std::vector<Mark> marks = Marks("orders", 0);
  EXPECT_GT(marks.back().members_time, marks.front().members_time);
  EXPECT_THAT(marks.back().calls, IsEmpty());
}

TEST_F(MarkTellerTest, WithoutMarkersNothingIsTold) {
  Start();
  std::this_thread::sleep_for(milliseconds(200));
  EXPECT_THAT(Marks("orders", 0), IsEmpty());
  EXPECT_EQ(log_.text(), "");
}

TEST_F(MarkTellerTest, AnHBaseThatSendsChangesAndNoMarkersIsNamedUntilOneComes) {
  options_.longest_unmarked = milliseconds(100);
  Start();
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_EQ(log_.text(), "") << "a source at rest sends nothing, and proves nothing";
  teller_->Take(CallMarkers());
  ASSERT_TRUE(Trouble("HBase sends changes, but no replication markers"));
  EXPECT_THAT(Marks("orders", 0), IsEmpty());
  teller_->Take(CallMarkers());
  Beat(1'000);
  ASSERT_TRUE(Eventually([&] { return teller_->trouble().empty() && !Marks("orders", 0).empty(); }));
  EXPECT_THAT(log_.text(), HasSubstr("the watermark advances again"));
}

TEST_F(MarkTellerTest, SeveralLogsOfAServerAreToldToAPersonAndNoMarkIs) {
  hbase_.Queue(kA, "p", "host-a%2C16020%2C1.regiongroup-0.1732000000000");
  Start();
  Beat(1'000);
  ASSERT_TRUE(Trouble("writes several write-ahead logs"));
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_THAT(Marks("orders", 0), IsEmpty());
}

TEST_F(MarkTellerTest, AZooKeeperThatIsAwayIsTroubleThatPasses) {
  zookeeper_.SetDown(true);
  Start();
  Beat(1'000);
  ASSERT_TRUE(Trouble("ZooKeeper cannot be reached"));
  zookeeper_.SetDown(false);
  ASSERT_TRUE(Eventually([&] { return teller_->trouble().empty(); }));
  ASSERT_TRUE(Eventually([&] { return !Marks("orders", 0).empty() && !Marks("orders", 0).back().members.empty(); }));
  EXPECT_THAT(log_.text(), HasSubstr("the watermark advances again"));
}

TEST_F(MarkTellerTest, AKafkaThatIsAwayCollectsNoMarks) {
  options_.kafka.producer.delivery_timeout = milliseconds(300);
  Start();
  mock_.SetDown(true);
  for (int i = 0; i < 50; ++i) {
    Beat(1'000 + i);
    std::this_thread::sleep_for(milliseconds(20));
  }
  ASSERT_TRUE(Trouble("topic"));
  mock_.SetDown(false);
  Beat(5'000);
  ASSERT_TRUE(Eventually([&] { return teller_->trouble().empty() && !Marks("orders", 0).empty(); }));
  EXPECT_LT(Marks("orders", 0).size(), 20u);
}

TEST_F(MarkTellerTest, AClockThatIsAheadIsNamed) {
  Start();
  Beat(SystemClock()->WallMillis() + 3'600'000);
  EXPECT_TRUE(Trouble(std::string("the clock of region server ") + kA));
}

TEST_F(MarkTellerTest, AStopDoesNotWaitForASilentZooKeeper) {
  zookeeper_.SetSilent(true);
  Start();
  Beat(1'000);
  std::this_thread::sleep_for(milliseconds(100));
  const auto began = SystemClock()->MonotonicNow();
  teller_->Stop();
  EXPECT_LT(SystemClock()->MonotonicNow() - began, milliseconds(20'000)) << "a busy machine";
  zookeeper_.SetSilent(false);  // whose end waits for the thread that was left behind
}

}  // namespace
}  // namespace fensi::capture
