// What the metrics of an index say of its state.
#include "daemon/indexes/index_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "metrics/text.h"
#include "store/open_store.h"
#include "store/wrapped_store.h"
#include "tests/daemon/support/silent_source.h"

namespace fensi::daemon {
namespace {

using store::TableIdentity;
using ::testing::HasSubstr;

/// A store whose tables are as old as the test says.
class AgedStore final : public store::DelegatingStore {
 public:
  explicit AgedStore(std::shared_ptr<store::Store> behind) : DelegatingStore(std::move(behind)) {}
  Result<std::optional<TableIdentity>> IdentityOf(const std::string&) override { return std::optional(identity); }

  TableIdentity identity{100, 90};  // changes only while no index runs
};

std::string MetricsOf(const IndexRun& run) {
  metrics::Snapshot snapshot;
  CollectIndex(run, SystemClock()->WallMillis(), &snapshot);
  return metrics::Text(snapshot);
}

std::string StateLine(const std::string& state, int value) {
  return "fensi_index_state{index=\"x\",state=\"" + state + "\"} " + std::to_string(value) + "\n";
}

std::shared_ptr<AgedStore> NewAgedStore() {
  return std::make_shared<AgedStore>(store::OpenMemoryStore(SystemClock()).value());
}

std::shared_ptr<IndexRun> Started(const std::shared_ptr<store::Store>& store, bool at_rest) {
  auto run = SilentRun("x", store, at_rest);
  run->Start();
  while (run->state() == std::string("starting")) std::this_thread::yield();
  return run;
}

/// The index has worked before, and its table was created again.
std::shared_ptr<IndexRun> StartedAsMismatch(bool at_rest) {
  const auto store = NewAgedStore();
  Started(store, /*at_rest=*/false).reset();
  store->identity = {200, 190};
  return Started(store, at_rest);
}

// A pause must not silence the alert FensiIndexMismatch.
TEST(IndexMetricsTest, APausedIndexWhoseTableWasMadeAgainIsMismatchToo) {
  const auto run = StartedAsMismatch(/*at_rest=*/true);
  EXPECT_EQ(run->state(), std::string("paused"));
  const std::string metrics = MetricsOf(*run);
  EXPECT_THAT(metrics, HasSubstr(StateLine("paused", 1)));
  EXPECT_THAT(metrics, HasSubstr(StateLine("mismatch", 1)));
  EXPECT_THAT(metrics, HasSubstr(StateLine("running", 0)));
}

TEST(IndexMetricsTest, AnIndexWhoseTableWasMadeAgainIsMismatchAlone) {
  const auto run = StartedAsMismatch(/*at_rest=*/false);
  const std::string metrics = MetricsOf(*run);
  EXPECT_THAT(metrics, HasSubstr(StateLine("mismatch", 1)));
  EXPECT_THAT(metrics, HasSubstr(StateLine("paused", 0)));
}

TEST(IndexMetricsTest, APausedIndexIsNoMismatch) {
  const auto run = Started(NewAgedStore(), /*at_rest=*/true);
  const std::string metrics = MetricsOf(*run);
  EXPECT_THAT(metrics, HasSubstr(StateLine("paused", 1)));
  EXPECT_THAT(metrics, HasSubstr(StateLine("mismatch", 0)));
}

}  // namespace
}  // namespace fensi::daemon
