#include "daemon/service/service_report.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/admin/fixed_source.h"
#include "tests/daemon/service/manager_socket.h"
#include "tests/doubles/fake_clock.h"

namespace fensi::daemon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr char kMoreTime[] = "EXTEND_TIMEOUT_USEC=30000000\n";

class ServiceReportTest : public ::testing::Test {
 protected:
  ServiceReportTest() { source_.readiness = {{"process", ""}, {"index a", "no broker"}, {"index b", "no store"}}; }

  ServiceReport Watched(milliseconds watchdog) {
    return ServiceReport(&source_, &clock_, {.socket = manager_.address(), .watchdog = watchdog});
  }
  void BecomeReady() { source_.readiness = {{"process", ""}, {"index a", ""}, {"index b", ""}}; }
  /// What a turn after a second says.
  std::string Turn(ServiceReport* report) {
    clock_.Advance(seconds(1));
    report->Tick();
    return manager_.Next();
  }

  FakeClock clock_;
  admin::FixedSource source_;
  ManagerSocket manager_{ManagerSocket::Kind::kAbstract};
};

TEST_F(ServiceReportTest, IsReadyWhenTheProbeSaysSo) {
  ServiceReport report = Watched(milliseconds(0));
  EXPECT_EQ(Turn(&report), kMoreTime + std::string("STATUS=waits: index a: no broker; index b: no store\n"));
  EXPECT_EQ(Turn(&report), kMoreTime) << "a status is told once";
  BecomeReady();
  EXPECT_EQ(Turn(&report), "READY=1\nSTATUS=ready\n");
  EXPECT_EQ(Turn(&report), "nothing");
}

TEST_F(ServiceReportTest, IsReadyOnceAndSaysLaterWhatItWaitsFor) {
  BecomeReady();
  ServiceReport report = Watched(milliseconds(0));
  EXPECT_EQ(Turn(&report), "READY=1\nSTATUS=ready\n");
  source_.readiness = {{"index a", "no\nbroker"}};
  EXPECT_EQ(Turn(&report), "STATUS=waits: index a: no broker\n") << "one line, and no second start";
  BecomeReady();
  EXPECT_EQ(Turn(&report), "STATUS=ready\n");
}

TEST_F(ServiceReportTest, LooksOnceASecondHoweverOftenItTurns) {
  ServiceReport report = Watched(milliseconds(0));
  EXPECT_NE(Turn(&report), "nothing");
  clock_.Advance(milliseconds(999));
  report.Tick();
  EXPECT_EQ(manager_.Next(), "nothing");
  clock_.Advance(milliseconds(1));
  report.Tick();
  EXPECT_EQ(manager_.Next(), kMoreTime);
}

TEST_F(ServiceReportTest, FeedsTheWatchdogOnlyWhileHealthy) {
  BecomeReady();
  ServiceReport report = Watched(seconds(60));
  EXPECT_EQ(Turn(&report), "READY=1\nSTATUS=ready\nWATCHDOG=1\n");
  source_.health = {{"main thread", ""}, {"poll thread of index a", "has made no progress for 60 s"}};
  EXPECT_EQ(Turn(&report), "nothing");
  source_.health = {{"main thread", ""}};
  EXPECT_EQ(Turn(&report), "WATCHDOG=1\n");
}

TEST_F(ServiceReportTest, AsksForNoMoreTimeWhileItIsNotHealthy) {
  ServiceReport report = Watched(seconds(60));
  source_.health = {{"main thread", "has made no progress for 10 s"}};
  EXPECT_EQ(Turn(&report), "STATUS=waits: index a: no broker; index b: no store\n");
  EXPECT_EQ(Turn(&report), "nothing");
}

TEST_F(ServiceReportTest, FeedsAShortWatchdogFourTimesInItsTime) {
  BecomeReady();
  ServiceReport report = Watched(milliseconds(400));
  Turn(&report);
  clock_.Advance(milliseconds(100));
  report.Tick();
  EXPECT_EQ(manager_.Next(), "WATCHDOG=1\n");
}

TEST_F(ServiceReportTest, AStopIsToldAndTheWatchdogFedToTheEnd) {
  BecomeReady();
  ServiceReport report = Watched(seconds(60));
  Turn(&report);
  report.NoteStop();
  EXPECT_EQ(manager_.Next(), "STOPPING=1\nSTATUS=finishing the events in flight\n");
  source_.readiness = {{"process", "is ending"}};
  EXPECT_EQ(Turn(&report), "WATCHDOG=1\n") << "and nothing covers the status";
}

TEST_F(ServiceReportTest, AStopDuringTheStartIsNoReadiness) {
  ServiceReport report = Watched(milliseconds(0));
  Turn(&report);
  report.NoteStop();
  manager_.Next();
  BecomeReady();
  EXPECT_EQ(Turn(&report), "nothing");
}

TEST_F(ServiceReportTest, WhatEndsByItselfIsReadyAtOnceAndOnce) {
  ServiceReport report = Watched(milliseconds(0));
  report.NoteReady();
  EXPECT_EQ(manager_.Next(), "READY=1\n");
  BecomeReady();
  EXPECT_EQ(Turn(&report), "STATUS=ready\n");
}

TEST_F(ServiceReportTest, ManyFaultsAreOneShortLine) {
  source_.readiness.assign(1000, {"index", "no broker"});
  ServiceReport report = Watched(milliseconds(0));
  const std::string told = Turn(&report);
  EXPECT_LT(told.size(), 700u);
  EXPECT_TRUE(told.ends_with("; …\n")) << told;
}

TEST_F(ServiceReportTest, WithoutAManagerTheProbesAreNotAsked) {
  class Untouched final : public admin::StatusSource {
    void Collect(metrics::Snapshot*) const override { ADD_FAILURE(); }
    std::string Status() const override { return (ADD_FAILURE(), ""); }
    std::string Version() const override { return (ADD_FAILURE(), ""); }
    std::string History() const override { return (ADD_FAILURE(), ""); }
    std::string Flags() const override { return (ADD_FAILURE(), ""); }
    std::vector<admin::Check> Health() const override { return (ADD_FAILURE(), std::vector<admin::Check>()); }
    std::vector<admin::Check> Readiness() const override { return (ADD_FAILURE(), std::vector<admin::Check>()); }
  } untouched;
  ServiceReport report(&untouched, &clock_, {});
  report.Tick();
  report.NoteReady();
  report.NoteStop();
}

class ServiceManagerTest : public ::testing::Test {
 protected:
  void SetUp() override { Unset(); }
  void TearDown() override { Unset(); }
  static void Unset() {
    for (const char* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) unsetenv(name);
  }
  static void Put(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }
};

TEST_F(ServiceManagerTest, ThereIsNoneUnlessTheEnvironmentNamesIt) {
  EXPECT_EQ(ManagerOfEnvironment().socket, "");
  EXPECT_EQ(ManagerOfEnvironment().watchdog, milliseconds(0));
  Put("NOTIFY_SOCKET", "/run/systemd/notify");
  Put("WATCHDOG_USEC", "60000000");
  EXPECT_EQ(ManagerOfEnvironment().socket, "/run/systemd/notify");
  EXPECT_EQ(ManagerOfEnvironment().watchdog, seconds(60));
}

TEST_F(ServiceManagerTest, AWatchdogIsForTheProcessThatItNames) {
  Put("WATCHDOG_USEC", "60000000");
  Put("WATCHDOG_PID", std::to_string(getpid()));
  EXPECT_EQ(ManagerOfEnvironment().watchdog, seconds(60));
  Put("WATCHDOG_PID", "1");
  EXPECT_EQ(ManagerOfEnvironment().watchdog, milliseconds(0));
}

TEST_F(ServiceManagerTest, WhatIsNoNumberIsNoWatchdog) {
  for (const char* text : {"", "soon", "-1", "60s", "99999999999999999999"}) {
    Put("WATCHDOG_USEC", text);
    EXPECT_EQ(ManagerOfEnvironment().watchdog, milliseconds(0)) << text;
  }
}

}  // namespace
}  // namespace fensi::daemon
