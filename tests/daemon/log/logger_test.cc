#include "daemon/log/logger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/quoted.h"
#include "base/status.h"
#include "tests/doubles/fake_clock.h"
#include "tests/support/matchers.h"

namespace fensi::daemon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::Each;
using ::testing::EndsWith;

class LoggerTest : public ::testing::Test {
 protected:
  void Begin(const LogSettings& settings) {
    logger_ = std::make_unique<Logger>(settings, &clock_, [this](const std::string& line) {
      lines_.push_back(line);
      times_.push_back(clock_.MonotonicNow());
    });
  }
  /// Text, from the least level on, with the default window.
  void Begin() { Begin({.least = LogLevel::kDebug, .window = seconds(10)}); }

  void Log(Event event, const std::string& text, const std::string& index = "") {
    logger_->Log(event, RedactableText(text), {.index = index});
  }
  void Wait(milliseconds duration) {
    clock_.Advance(duration);
    logger_->Tick();
  }
  /// The most lines that were written within a second.
  size_t Densest() const {
    size_t most = 0;
    std::deque<milliseconds> second;
    for (const milliseconds time : times_) {
      second.push_back(time);
      while (second.front() + seconds(1) <= time) second.pop_front();
      most = std::max(most, second.size());
    }
    return most;
  }

  FakeClock clock_;
  std::unique_ptr<Logger> logger_;
  std::vector<std::string> lines_;
  std::vector<milliseconds> times_;
};

TEST_F(LoggerTest, WhatIsBelowTheLevelIsNotWritten) {
  Begin({.least = LogLevel::kWarning});
  Log("kafka_client", "debug");
  Log("progress", "info");
  Log("watermark_stalled", "warning");
  Log("index_stopped", "error");
  EXPECT_THAT(lines_, ElementsAre(EndsWith("warning: warning\n"), EndsWith("error: error\n")));
}

TEST_F(LoggerTest, TheSameAgainIsCountedAndToldAtTheEndOfTheWindow) {
  Begin();
  Log("scrub_failed", "first", "fensi");
  for (int i = 0; i < 99; ++i) Log("scrub_failed", "again", "fensi");
  Log("scrub_failed", "last", "fensi");
  Wait(milliseconds(9'999));
  EXPECT_THAT(lines_, ElementsAre(EndsWith("warning: first\n")));
  Wait(milliseconds(1));
  EXPECT_THAT(lines_, ElementsAre(EndsWith("first\n"), EndsWith("warning: last (100 times since the last one)\n")));
  Wait(seconds(30));
  EXPECT_THAT(lines_, SizeIs(2));
}

TEST_F(LoggerTest, AWindowThatEndedWithNothingHeldBeginsAnew) {
  Begin();
  Log("scrub_failed", "one");
  Wait(seconds(10));
  Log("scrub_failed", "two");
  EXPECT_THAT(lines_, ElementsAre(EndsWith("one\n"), EndsWith("two\n")));
}

TEST_F(LoggerTest, EventsIndexesAndTablesHaveWindowsOfTheirOwn) {
  Begin();
  Log("scrub_failed", "a", "one");
  Log("scrub_failed", "b", "two");
  Log("scrub_suspended", "c", "one");
  logger_->Log("bulk_load", RedactableText("d"), {.table = "t"});
  logger_->Log("bulk_load", RedactableText("e"), {.table = "u"});
  EXPECT_THAT(lines_, SizeIs(5));
}

TEST_F(LoggerTest, WithoutAWindowNothingIsHeld) {
  Begin({});
  for (int i = 0; i < 100; ++i) Log("scrub_failed", "again");
  EXPECT_THAT(lines_, SizeIs(100));
}

TEST_F(LoggerTest, ErrorsThatStopAnIndexAreNeverHeld) {
  Begin();
  for (int i = 0; i < 1'000; ++i) Log("scrub_failed", "storm", "fensi");
  for (int i = 0; i < 3; ++i) Log("index_stopped", "why", "fensi");
  EXPECT_THAT(lines_, ElementsAre(HasSubstr("storm"), HasSubstr("error: why"), HasSubstr("why"), HasSubstr("why")));
}

TEST_F(LoggerTest, WhatIsHeldIsWrittenAtTheEndInTheOrderInWhichItCame) {
  Begin();
  for (const char* event : {"marks", "marks"}) {
    Log("watermark_stalled", event);
    clock_.Advance(std::chrono::milliseconds(1));
    Log("watermark_resumed", event);
    clock_.Advance(seconds(1));
  }
  logger_->Flush();
  ASSERT_THAT(lines_, SizeIs(4));
  EXPECT_THAT(lines_[2], HasSubstr("warning: marks (1 time"));
  EXPECT_THAT(lines_[3], Not(HasSubstr("warning")));
  logger_->Flush();
  EXPECT_THAT(lines_, SizeIs(4));
}

/// Every event that may be held, in turn, as fast as can be: 10^5 lines in 20 s.
TEST_F(LoggerTest, NoStormWritesMoreThanFiveLinesASecondOfAnIndex) {
  Begin();
  std::vector<Event> storm;
  for (const EventRule& rule : kEvents) {
    if (rule.again == Again::kHeld) storm.emplace_back(rule);
  }
  for (int i = 0; i < 100'000; ++i) {
    Log(storm[static_cast<size_t>(i) % storm.size()], "bad message " + std::to_string(i), "fensi");
    if (i % 50'000 == 0) Log("progress", "and how far it is", "fensi");
    if (i % 5 == 0) Wait(milliseconds(1));
  }
  EXPECT_LE(Densest(), 5u);
  for (const Event& event : storm) Log(event, "once more", "fensi");
  Wait(seconds(1));
  EXPECT_GE(lines_.size(), storm.size()) << "each was told";
}

TEST_F(LoggerTest, OfAStormEveryLineIsCounted) {
  Begin();
  for (int i = 0; i < 100'000; ++i) {
    Log("connection_refused", "bad");
    if (i % 5 == 0) Wait(milliseconds(1));
  }
  logger_->Flush();
  EXPECT_THAT(lines_, SizeIs(4)) << "at 0 s, 10 s, 20 s and the end";
  int64_t told = 0;
  for (const std::string& line : lines_) {
    const size_t bracket = line.find('(');
    std::string digits;
    for (const char c : line.substr(std::min(bracket, line.size()))) {
      if (std::isdigit(static_cast<unsigned char>(c)) != 0) digits += c;
    }
    told += digits.empty() ? 1 : std::stoll(digits);
  }
  EXPECT_EQ(told, 100'000);
}

TEST_F(LoggerTest, WhatIsQuotedIsHiddenUnlessRowsAreAskedFor) {
  const Status status(StatusCode::kRejected,
                      "row " + QuotedBytes("4711") + ", column " + QuotedColumn("f", "secret") + ": no");
  for (const bool as_json : {false, true}) {
    Begin({.json = as_json});
    logger_->Log("index_stopped", "stopped: " + status.words(), {});
    EXPECT_THAT(lines_, Each(AllOf(HasSubstr("stopped: row [hidden], column f:[hidden]: no"), Not(HasSubstr("4711")),
                                   Not(HasSubstr("secret")))));
    lines_.clear();
    Begin({.json = as_json, .rows = true});
    logger_->Log("index_stopped", "stopped: " + status.words(), {});
    EXPECT_THAT(lines_, ElementsAre(HasSubstr("stopped: row 4711, column f:secret: no")));
    lines_.clear();
  }
}

}  // namespace
}  // namespace fensi::daemon
