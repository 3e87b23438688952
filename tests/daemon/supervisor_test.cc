// What the main thread of `fensi run` does with signals and with ends of indexes.
#include "daemon/supervisor.h"

#include <gmock/gmock.h>

#include <csignal>
#include <optional>
#include <utility>

#include "operations/jobs/signals.h"
#include "store/open_store.h"
#include "tests/daemon/support/silent_source.h"
#include "tests/operations/support/recorded_console.h"
#include "tests/support/matchers.h"

namespace fensi::daemon {
namespace {

class SupervisorTest : public ::testing::Test {
 protected:
  SupervisorTest() { operations::BlockStopSignals(); }

  int Run(IndexRuns made) {
    IndexRunList runs(std::move(made));
    OpenLetterWatch letters(SystemClock());
    RunStatus shown(runs, {}, SystemClock(), [](const std::string&) { return std::nullopt; });
    RunControl control(runs, {}, [](const auto&) { return admin::Verdict(); });
    ServiceReport service(&shown, SystemClock(), ManagerOfEnvironment());
    AdminCertificateWatch certificate = WatchAdminCertificate({}, {}, nullptr);
    return Supervisor({runs, start_, nullptr, shown, control, service, certificate, letters}).Run();
  }

  operations::RecordedConsole console_;
  const std::shared_ptr<store::Store> store_ = store::OpenMemoryStore(SystemClock()).value();
  StartOptions start_;
};

TEST_F(SupervisorTest, ASignalStopsAllIndexesAndARunThatEndsByItselfWasCutOff) {
  start_.source.url = "file:a";
  ASSERT_EQ(std::raise(SIGTERM), 0);  // for this thread alone: others of the process may not have it blocked
  EXPECT_EQ(Run({SilentRun("one", store_), SilentRun("other", store_)}), ExitCode(StatusCode::kCancelled));
  const std::string log = console_.TakeMessages();
  EXPECT_THAT(log, HasSubstr("stopping: finishing the events in flight"));
  EXPECT_THAT(log, HasSubstr("index one stopped: the run was stopped before the end of"));
  EXPECT_THAT(log, HasSubstr("index other stopped: "));
}

TEST_F(SupervisorTest, EndsAtOnceWithoutAnIndex) {
  start_.source.url = "file:a";
  EXPECT_EQ(Run({}), kExitDone);
}

}  // namespace
}  // namespace fensi::daemon
