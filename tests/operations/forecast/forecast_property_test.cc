// The intervals of forecasts hold the truth, for eight example mappings and a hundred samples of each.
#include <gtest/gtest.h>

#include <string>

#include "operations/forecast/forecast.h"
#include "operations/trial/trial.h"
#include "tests/operations/forecast/example_tables.h"

namespace fensi::operations {
namespace {

constexpr int kRows = 700;
constexpr size_t kSampled = 80;
constexpr int kSamples = 100;
constexpr int kMustHold = 90;

/// What the tables have after every row of the source was applied.
Reality RealityOf(const std::shared_ptr<const mapping::Index>& index, store::Store* source) {
  const auto trial = Trial::Start(index);
  EXPECT_TRUE(trial.ok());
  store::ScanRequest request{.max_rows = 100'000};
  const auto rows = source->Scan(index->source_table(), request);
  EXPECT_TRUE(rows.ok());
  std::vector<ChangeEvent> events;
  for (const store::Row& row : *rows) {
    events.push_back({.table = index->source_table(), .row = row.row, .cells = row.cells});
  }
  EXPECT_TRUE((*trial)->Apply(std::move(events), nullptr).ok());
  const auto reality = CountReality(*index, (*trial)->store(), SystemClock());
  EXPECT_TRUE(reality.ok()) << reality.status().message();
  return *reality;
}

class ForecastProperty : public ::testing::TestWithParam<size_t> {};

TEST_P(ForecastProperty, TheIntervalsHoldInNinetyOfAHundredSamples) {
  const Example example = Examples().at(GetParam());
  const std::shared_ptr<const mapping::Index> index = IndexOf(example);
  const std::unique_ptr<store::Store> store = StoreOf(example, index->source_table(), kRows);
  const Reality reality = RealityOf(index, store.get());
  std::map<std::string, int> held;
  for (int seed = 1; seed <= kSamples; ++seed) {
    ForecastOptions options{.changes = false};
    options.sample = {.rows = kSampled, .seed = static_cast<uint64_t>(seed), .time_scan = false};
    const auto forecast = MakeForecast(index, store.get(), options, SystemClock());
    ASSERT_TRUE(forecast.ok()) << forecast.status().message();
    for (const Compared& one : Compare(*forecast, reality)) {
      held[one.figure] += one.forecast.Holds(one.reality) ? 1 : 0;
    }
  }
  for (const auto& [figure, times] : held) {
    EXPECT_GE(times, kMustHold) << figure;
    RecordProperty(figure.substr(0, figure.find(' ')), times);
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, ForecastProperty, ::testing::Range<size_t>(0, 8));

}  // namespace
}  // namespace fensi::operations
