// Rates, and who is unreachable.
#include "cli/top/top_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/top/told.h"
#include "tests/support/matchers.h"

namespace fensi::cli {
namespace {

const Status kNobody(StatusCode::kUnavailable, "one:1: no process listens there");

TEST(TopFigures, ARateIsThatOfAllDaemonsTogetherAndKnownFromTheSecondAnswer) {
  TopFigures figures;
  Told(10, {{ToldBy("one:1", {ToldIndex("fensi", 100, {})}), ToldBy("two:2", {ToldIndex("fensi", 1000, {})})}, {}},
       &figures);
  EXPECT_EQ(figures.indexes().at("fensi").per_second, std::nullopt);
  Told(12, {{ToldBy("one:1", {ToldIndex("fensi", 140, {})}), ToldBy("two:2", {ToldIndex("fensi", 1100, {})})}, {}},
       &figures);
  EXPECT_DOUBLE_EQ(*figures.indexes().at("fensi").per_second, 70);
  EXPECT_EQ(figures.daemons(), 2u);
}

TEST(TopFigures, ADaemonThatComesOrBeginsAnewIsNoLeapOfTheRate) {
  TopFigures figures;
  const operations::Daemon one = ToldBy("one:1", {ToldIndex("fensi", 500, {})});
  Told(1, {{one}, {}}, &figures);
  Told(2, {{one, ToldBy("two:2", {ToldIndex("fensi", 1'000'000, {})})}, {}}, &figures);
  EXPECT_DOUBLE_EQ(*figures.indexes().at("fensi").per_second, 0);
  Told(3, {{ToldBy("one:1", {ToldIndex("fensi", 5, {})}), ToldBy("two:2", {ToldIndex("fensi", 1'000'010, {})})}, {}},
       &figures);
  EXPECT_DOUBLE_EQ(*figures.indexes().at("fensi").per_second, 10);
}

TEST(TopFigures, WhatALostDaemonSaidLastIsKeptWithTheTimeSince) {
  TopFigures figures;
  Told(5, {{ToldBy("one:1", {ToldIndex("fensi", 1, {{0, 7, 1.5}})})}, {}}, &figures);
  figures.Take(std::chrono::seconds(6), kNobody);
  figures.Take(std::chrono::seconds(9), kNobody);
  ASSERT_THAT(figures.unreachable(), SizeIs(1));
  EXPECT_EQ(figures.unreachable()[0].place, "one:1");
  EXPECT_EQ(figures.unreachable()[0].since, std::chrono::seconds(6));
  EXPECT_TRUE(figures.indexes().at("fensi").unreachable);
  EXPECT_EQ(figures.indexes().at("fensi").standing.EventsBehind(), 7);
  EXPECT_EQ(figures.indexes().at("fensi").per_second, std::nullopt);
  Told(10, {{ToldBy("one:1", {ToldIndex("fensi", 3, {})})}, {}}, &figures);
  EXPECT_THAT(figures.unreachable(), IsEmpty());
  EXPECT_FALSE(figures.indexes().at("fensi").unreachable);
}

TEST(TopFigures, AnIndexThatItsDaemonDoesNotRunAnyMoreGoes) {
  TopFigures figures;
  Told(1, {{ToldBy("one:1", {ToldIndex("a", 1, {}), ToldIndex("b", 1, {})})}, {}}, &figures);
  Told(2, {{ToldBy("one:1", {ToldIndex("a", 1, {})})}, {}}, &figures);
  EXPECT_THAT(figures.indexes(), SizeIs(1));
}

TEST(TopFigures, ADaemonThatCannotBeReadIsLostWithTheReasonAndTheOthersAreShown) {
  TopFigures figures;
  operations::Daemon odd = ToldBy("odd:1", {});
  odd.status["indexes"] = {{{"name", 7}}};
  Told(1, {{odd, ToldBy("one:1", {ToldIndex("fensi", 1, {})})}, {Status(StatusCode::kPermission, "two:2: no token")}},
       &figures);
  ASSERT_THAT(figures.unreachable(), SizeIs(2));
  EXPECT_EQ(figures.unreachable()[0].place, "odd:1");
  EXPECT_EQ(figures.unreachable()[1].why, "no token");
  EXPECT_THAT(figures.indexes(), SizeIs(1));
}

TEST(TopFigures, AMinuteIsKeptAndNoMore) {
  TopFigures figures;
  for (int64_t i = 0; i < 100; ++i) Told(i, {{ToldBy("one:1", {ToldIndex("fensi", i * 10, {})})}, {}}, &figures);
  EXPECT_THAT(figures.indexes().at("fensi").minute, SizeIs(kTopSeconds));
  EXPECT_DOUBLE_EQ(*figures.indexes().at("fensi").minute.front(), 10);
}

}  // namespace
}  // namespace fensi::cli
