#include "store/instrumented_store.h"

#include <gtest/gtest.h>

#include "store/open_store.h"
#include "store/retrying_store.h"
#include "tests/doubles/fake_clock.h"
#include "tests/store/hbase/every_call.h"

namespace fensi::store {
namespace {

int64_t Calls(const StoreMetrics& measures) {
  int64_t calls = 0;
  for (const Histogram& each : measures.seconds) calls += each.snapshot().count;
  return calls;
}

int64_t Failures(const StoreMetrics& measures, FailureKind kind) {
  int64_t failures = 0;
  for (const auto& each : measures.failures) failures += each[static_cast<size_t>(kind)];
  return failures;
}

/// Answers every call with one status.
class RefusingStore final : public ForwardingStore {
 public:
  RefusingStore(Store* behind, Status status) : ForwardingStore(behind), status_(std::move(status)) {}
  Result<std::vector<RejectedRow>> Put(const std::string&, std::span<const RowMutation>) override { return status_; }
  Result<std::vector<RejectedRow>> Delete(const std::string&, std::span<const RowMutation>) override {
    return std::vector<RejectedRow>{{0, status_}};
  }

 private:
  std::unique_ptr<Store> Over(std::unique_ptr<Store> behind) override { return behind; }
  const Status status_;
};

TEST(MeasuredStoreTest, CountsEveryCallOnce) {
  const std::shared_ptr<Store> embedded = OpenMemoryStore(SystemClock()).value();
  StoreMetrics measures;
  InstrumentedStore store(embedded, &measures);
  const std::unique_ptr<Store> view = store.Guarded([] { return Status(); });
  int64_t calls = 0;
  for (Store* each : {static_cast<Store*>(&store), view.get()}) {
    for (const Call& call : EveryCall()) {
      (void)call.run(each);
      EXPECT_EQ(Calls(measures), ++calls) << call.name;
    }
  }
}

TEST(MeasuredStoreTest, CountsFailuresByWhatTheyAre) {
  const auto embedded = OpenMemoryStore(SystemClock()).value();
  const std::pair<StatusCode, FailureKind> cases[] = {{StatusCode::kUnavailable, FailureKind::kUnavailable},
                                                      {StatusCode::kRejected, FailureKind::kRejected},
                                                      {StatusCode::kPermission, FailureKind::kPermission},
                                                      {StatusCode::kConfiguration, FailureKind::kOther}};
  for (const auto& [code, kind] : cases) {
    StoreMetrics measures;
    InstrumentedStore store(std::make_shared<RefusingStore>(embedded.get(), Status(code, "x")), &measures);
    (void)store.Put("t", {});
    EXPECT_EQ(Failures(measures, kind), 1);
    (void)store.Delete("t", {});
    EXPECT_GE(Failures(measures, FailureKind::kRejected), 1) << "a row of it";
  }
}

TEST(MeasuredStoreTest, ToStopOrToLoseThePartitionIsNoFailureOfTheStore) {
  const auto embedded = OpenMemoryStore(SystemClock()).value();
  for (const StatusCode code : {StatusCode::kFenced, StatusCode::kCancelled}) {
    StoreMetrics measures;
    InstrumentedStore store(std::make_shared<RefusingStore>(embedded.get(), Status(code, "x")), &measures);
    (void)store.Put("t", {});
    for (size_t kind = 0; kind < kFailureKinds; ++kind)
      EXPECT_EQ(Failures(measures, static_cast<FailureKind>(kind)), 0);
  }
}

TEST(MeasuredStoreTest, EachAttemptOfARepeatedCallCounts) {
  const auto embedded = OpenMemoryStore(SystemClock()).value();
  StoreMetrics measures;
  InstrumentedStore store(std::make_shared<RefusingStore>(embedded.get(), Status(StatusCode::kUnavailable, "away")),
                          &measures);
  FakeClock clock;
  RetryingStore retrying(&store, {.clock = &clock, .give_up_after = std::chrono::seconds(2)});
  (void)retrying.Put("t", {});
  const int64_t attempts = measures.seconds[0].snapshot().count;
  EXPECT_GT(attempts, 2);
  EXPECT_EQ(Failures(measures, FailureKind::kUnavailable), attempts);
}

}  // namespace
}  // namespace fensi::store
