#include "daemon/history/index_history.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace fensi::daemon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr auto kPlan = static_cast<size_t>(indexer::Phase::kPlan);
constexpr auto kPut = static_cast<size_t>(store::StoreOp::kPut);

/// An index that is looked at second by second.
class IndexHistoryTest : public ::testing::Test {
 protected:
  void Second(int64_t events, int took = 1) {
    now_ += seconds(took);
    events_ += events;
    Look();
  }
  void Look() {
    IndexFigures figures{.wall_millis = clock_ + now_.count(), .events = events_};
    figures.lag_records = lag_;
    if (fresh_) figures.fresh_until = figures.wall_millis - *fresh_;
    for (size_t i = 0; i < figures.phases.size(); ++i) figures.phases[i] = (i == kPlan ? plan_ : none_).snapshot();
    for (size_t i = 0; i < figures.calls.size(); ++i) figures.calls[i] = (i == kPut ? put_ : none_).snapshot();
    history_.Add(figures, now_);
  }
  nlohmann::json Json() const {
    std::string text;
    history_.AppendJson("an \"index\"", &text);
    return nlohmann::json::parse(text);
  }

  IndexHistory history_;
  milliseconds now_{50'000};
  int64_t events_ = 0;
  std::optional<int64_t> lag_;
  std::optional<int64_t> fresh_;  // milliseconds before the time of the look
  int64_t clock_ = 1'000'000;     // at boot
  Histogram plan_{Histogram::kOfCalls}, put_{Histogram::kOfCalls}, none_{Histogram::kOfCalls};
};

TEST_F(IndexHistoryTest, RatesAreOfTheLastTenSeconds) {
  Look();
  EXPECT_EQ(history_.recent().events_per_second, std::nullopt) << "of one look there is none";
  for (int i = 0; i < 30; ++i) Second(100);
  EXPECT_DOUBLE_EQ(*history_.recent().events_per_second, 100);
  Second(0, 10);  // the machine stood still
  for (int i = 0; i < 8; ++i) Second(0);
  EXPECT_NEAR(*history_.recent().events_per_second, 100.0 / 19, 1e-9) << "of the time that has passed";
  Second(0);
  EXPECT_DOUBLE_EQ(*history_.recent().events_per_second, 0);
}

TEST_F(IndexHistoryTest, QuantilesAreOfWhatTheLastTenSecondsHad) {
  put_.Observe(9, 1'000);
  Look();
  put_.Observe(0.004, 98);
  put_.Observe(0.2, 2);
  plan_.Observe(0.5);
  Second(1);
  const Recent recent = history_.recent();
  EXPECT_DOUBLE_EQ(recent.calls[kPut].per_second, 100);
  EXPECT_LT(*recent.calls[kPut].p50, 0.005);
  EXPECT_GT(*recent.calls[kPut].p99, 0.1);
  EXPECT_LT(*recent.calls[kPut].p99, 0.25);
  EXPECT_NEAR(recent.phases[kPlan].busy, 0.5, 1e-9);
  EXPECT_EQ(recent.phases[0].p50, std::nullopt);
  for (int i = 0; i < 11; ++i) Second(0);
  EXPECT_EQ(history_.recent().calls[kPut].p50, std::nullopt) << "they are past";
}

TEST_F(IndexHistoryTest, AnotherRunOfTheIndexBeginsItsCountsAnew) {
  for (int i = 0; i < 5; ++i) Second(1'000);
  events_ = 0;
  Second(10);
  EXPECT_EQ(history_.recent().events_per_second, std::nullopt);
  Second(10);
  EXPECT_DOUBLE_EQ(*history_.recent().events_per_second, 10);
  for (const auto& rate : Json()["events_per_s"]) EXPECT_TRUE(rate.is_null() || rate >= 0);
}

TEST_F(IndexHistoryTest, OfEachSecondThereIsAValueAndOfTenMinutesNoMore) {
  for (int i = 0; i < 700; ++i) {
    lag_ = i % 2 == 0 ? std::optional<int64_t>(i) : std::nullopt;
    Second(7);
  }
  const nlohmann::json json = Json();
  EXPECT_EQ(json["name"], "an \"index\"");
  for (const char* key :
       {"times_ms", "events_per_s", "lag_records", "lag_seconds", "fresh_until_ms", "open_dead_letters"}) {
    EXPECT_EQ(json[key].size(), 600u) << key;
  }
  EXPECT_EQ(json["phases"].size(), indexer::kPhases);
  for (const auto& phase : json["phases"]) EXPECT_EQ(phase.size(), 600u);
  EXPECT_EQ(json["store"].size(), store::kCallKinds);
  for (const auto& call : json["store"]) EXPECT_EQ(call["p50_s"].size() + call["p99_s"].size(), 1200u);
  EXPECT_EQ(json["times_ms"].back(), 1'000'000 + now_.count());
  EXPECT_EQ(json["events_per_s"].back(), 7);
  EXPECT_TRUE(json["lag_records"].back().is_null());
  EXPECT_EQ(json["lag_records"][598], 698);
  EXPECT_TRUE(json["fresh_until_ms"].front().is_null());
}

TEST_F(IndexHistoryTest, AClockThatWasSetMovesAllThatWas) {
  fresh_ = 250;
  Second(1);
  Second(1);
  clock_ -= 300'000;
  Second(1);
  const auto now = static_cast<int64_t>(clock_ + now_.count());
  EXPECT_EQ(Json()["times_ms"], nlohmann::json({now - 2000, now - 1000, now}));
  EXPECT_EQ(Json()["fresh_until_ms"], nlohmann::json({now - 2250, now - 1250, now - 250}));
  fresh_ = std::nullopt;
  clock_ += 7'200'000;
  Second(1);
  EXPECT_EQ(Json()["times_ms"].front(), now + 7'200'000 - 2000);
  EXPECT_TRUE(Json()["fresh_until_ms"].back().is_null());
}

}  // namespace
}  // namespace fensi::daemon
