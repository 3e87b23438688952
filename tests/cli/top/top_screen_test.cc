// The picture, line by line.
#include "cli/top/top_screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/reading/text_width.h"
#include "tests/cli/top/told.h"
#include "tests/support/matchers.h"

namespace fensi::cli {
namespace {

using ::testing::Each;
using ::testing::StartsWith;

std::vector<std::string> TextOf(const TopFigures& figures, const TopChoice& choice = {}, ScreenSize size = {}) {
  std::vector<std::string> texts;
  for (const ScreenLine& line : TopScreen(figures, choice, "12:00:01Z", size)) texts.push_back(line.text);
  return texts;
}

TopFigures TwoIndexes() {
  TopFigures figures;
  for (int64_t second : {1, 2}) {
    Told(second,
         {{ToldBy("127.0.0.1:16180", {ToldIndex("fensi", 1200 * second, {{0, 1000, 0.4}, {3, 234, 75}}),
                                      ToldIndex("guanzhu", 0, {}, "stopped")})},
          {}},
         &figures);
  }
  return figures;
}

TEST(TopScreen, ATerminalOf80By24ShowsAllColumns) {
  const std::vector<std::string> lines = TextOf(TwoIndexes());
  ASSERT_EQ(lines.size(), 24u);
  EXPECT_EQ(lines[0], "fensi top  12:00:01Z  1 daemon, 2 indexes, by events behind  ?: help");
  EXPECT_EQ(lines[1], "INDEX    STATE       PARTITIONS  EVENTS/S    BEHIND    OLDEST  LETTERS LAST 60 S");
  EXPECT_EQ(lines[2], "fensi    running            2/4     1,200     1,234  1 m 15 s        2         █");
  EXPECT_EQ(lines[3], "guanzhu  stopped            0/4         0         0       0 s        2         ▁");
  EXPECT_EQ(lines[4], "");
}

TEST(TopScreen, AFigureThatDoesNotFitIsNotTakenForASmallerOne) {
  TopFigures figures;
  for (int64_t second : {1, 2}) {
    Told(second, {{ToldBy("127.0.0.1:16180", {ToldIndex("fensi", 0, {{0, 12'345'678'901, 123 * 86'400.0}})})}, {}},
         &figures);
  }
  EXPECT_THAT(TextOf(figures)[2], HasSubstr("    12.3G     123 d"));
}

TEST(TopScreen, NoLineIsWiderThanTheScreenWhateverIsInIt) {
  TopFigures figures;
  const std::string wide = "关注关注关注关注关注关注关注关注关注关注关注关注关注关注关注关注关注关注关注关注";
  auto paused = ToldIndex(wide + "\x1b[2J\n" + std::string(300, 'x'), 7, {{0, 1'000'000'000'000, 1e9}}, "paused");
  paused["paused"] = "\x1b]0;evil\x07 " + wide;
  Told(1, {{ToldBy("unix:/run/" + wide, {paused})}, {}}, &figures);
  figures.Take(std::chrono::seconds(1'000'000), Status(StatusCode::kUnavailable, "nobody"));
  for (const size_t columns : {1, 7, 40, 79, 80, 81, 200}) {
    for (const size_t rows : {1, 2, 3, 24}) {
      for (const TopView view : {TopView::kIndexes, TopView::kPartitions}) {
        const TopChoice choice{.view = view, .index = figures.indexes().begin()->first};
        const std::vector<std::string> lines = TextOf(figures, choice, {rows, columns});
        ASSERT_EQ(lines.size(), rows);
        for (const std::string& line : lines) EXPECT_LE(TextWidth(line), columns) << line;
        EXPECT_THAT(lines, Each(Not(HasSubstr("\x1b"))));
        EXPECT_THAT(lines, Each(Not(HasSubstr("\n"))));
      }
    }
  }
}

TEST(TopScreen, WideNamesKeepTheColumnsInLine) {
  TopFigures figures;
  Told(1, {{ToldBy("one:1", {ToldIndex("关注", 1, {}), ToldIndex("abcd", 1, {})})}, {}}, &figures);
  const std::vector<std::string> lines = TextOf(figures, {.sort = TopSort::kName});
  EXPECT_THAT(lines[2], StartsWith("abcd     running"));
  EXPECT_THAT(lines[3], StartsWith("关注     running"));
}

TEST(TopScreen, TheMarkedIndexIsShownHoweverFarDownItIs) {
  TopFigures figures;
  std::vector<nlohmann::ordered_json> indexes;
  for (int i = 100; i < 200; ++i) indexes.push_back(ToldIndex("index" + std::to_string(i), 1, {}));
  Told(1, {{ToldBy("one:1", indexes)}, {}}, &figures);
  const std::vector<ScreenLine> lines =
      TopScreen(figures, {.sort = TopSort::kName, .index = "index180"}, "12:00:01Z", {10, 80});
  EXPECT_THAT(lines.back().text, StartsWith("index180 "));
  EXPECT_EQ(lines.back().style, LineStyle::kMarked);
}

TEST(TopScreen, AnUnreachableDaemonIsNamedWithTheTimeSinceAndItsIndexesAreUnreachable) {
  TopFigures figures = TwoIndexes();
  figures.Take(std::chrono::seconds(3), Status(StatusCode::kUnavailable, "nobody"));
  figures.Take(std::chrono::seconds(78), Status(StatusCode::kUnavailable, "nobody"));
  const std::vector<ScreenLine> lines = TopScreen(figures, {.index = "guanzhu"}, "12:00:01Z", {});
  EXPECT_EQ(lines[1].text, "127.0.0.1:16180 is unreachable for 1 m 15 s: the daemon does not answer");
  EXPECT_EQ(lines[1].style, LineStyle::kAlarm);
  EXPECT_THAT(lines[3].text, StartsWith("fensi    unreachable "));
  EXPECT_EQ(lines[3].style, LineStyle::kDim);
}

TEST(TopScreen, PartitionsStandBelowWhatTheIndexWaitsForTheOldestFirst) {
  const std::vector<std::string> lines = TextOf(TwoIndexes(), {.view = TopView::kPartitions, .index = "fensi"});
  EXPECT_EQ(lines[1], "fensi: running, 2 of the 2 partitions owned here are behind, the oldest first");
  EXPECT_EQ(lines[2], "PARTITION       BEHIND     OLDEST  QUEUE   DAEMON");
  EXPECT_EQ(lines[3], "        3          234   1 m 15 s          127.0.0.1:16180");
  EXPECT_EQ(lines[4], "        0        1,000      0.4 s          127.0.0.1:16180");
  EXPECT_THAT(TextOf(TwoIndexes(), {.view = TopView::kPartitions, .index = "gone"})[1],
              HasSubstr("no daemon has index gone any more"));
}

TEST(TopScreen, SkippingEndsAtTheLastPartition) {
  TopFigures figures;
  std::vector<ToldPartition> many;
  for (int64_t i = 0; i < 50; ++i) many.push_back({i, 1, static_cast<double>(50 - i)});
  Told(1, {{ToldBy("one:1", {ToldIndex("fensi", 1, many)})}, {}}, &figures);
  const std::vector<std::string> lines =
      TextOf(figures, {.view = TopView::kPartitions, .index = "fensi", .skipped = 1000}, {10, 80});
  EXPECT_THAT(lines.back(), StartsWith("       49 "));
}

TEST(TopScreen, CapturesStandBelow) {
  TopFigures figures;
  const nlohmann::ordered_json capture = {
      {"registered", false}, {"connections", 2}, {"events", 1000}, {"alarms", 1}, {"newest_write_ms", 0}};
  Told(1, {{{"two:2", {{"format", 1}, {"process", {}}, {"capture", capture}}}}, {}}, &figures);
  EXPECT_EQ(TextOf(figures, {}, {24, 200})[2],
            "capture two:2: 2 connections, 1,000 events, newest write not seen yet, 1 alarm, region servers may not "
            "find it");
}

TEST(Sparkline, IsAsWideAsItMayBeAndItsHighestIsTheMost) {
  EXPECT_EQ(Sparkline({}, 3), "   ");
  EXPECT_EQ(Sparkline({0.0, std::nullopt, 7.0, 14.0}, 60), std::string(56, ' ') + "▁ ▅█");
  EXPECT_EQ(Sparkline({1.0}, 0), "");
  const std::deque<std::optional<double>> minute(kTopSeconds, 5.0);
  EXPECT_EQ(Sparkline(minute, 4), "████");
  EXPECT_EQ(TextWidth(Sparkline(minute, 7)), 7u);
}

}  // namespace
}  // namespace fensi::cli
