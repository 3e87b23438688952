#include "consumer/kafka/group/log_turns.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;
using Turn = LogTurns::Turn;
using View = LogTurns::View;

constexpr milliseconds kBegin{1'000'000};

TEST(LogTurnsTest, WithoutRequestsTheStreamIsRead) {
  const LogTurns turns;
  EXPECT_EQ(turns.Next({.queued = true, .next = 0}, {}, kBegin), Turn::kStream);
  EXPECT_EQ(turns.Next({.queued = false, .next = 0}, {}, kBegin), Turn::kNone);
}

TEST(LogTurnsTest, RequestsThatMayHaveBegunGoBeforeEverything) {
  const LogTurns turns(/*noted=*/10, /*stream_end=*/0);
  EXPECT_EQ(turns.Next({.queued = true, .next = 0}, {.queued = true, .next = 9}, kBegin), Turn::kRequests);
  EXPECT_EQ(turns.Next({.queued = true, .next = 0}, {.queued = false, .next = 9}, kBegin), Turn::kNone)
      << "the stream waits for them";
}

TEST(LogTurnsTest, NewRequestsWaitForTheStreamToItsEndAtTheOpening) {
  const LogTurns turns(/*noted=*/10, /*stream_end=*/100);
  EXPECT_EQ(turns.Next({.queued = true, .next = 99}, {.queued = true, .next = 10}, kBegin), Turn::kStream);
  EXPECT_EQ(turns.Next({.queued = false, .next = 99}, {.queued = true, .next = 10}, kBegin), Turn::kNone);
  EXPECT_EQ(turns.Next({.queued = false, .next = 100}, {.queued = true, .next = 10}, kBegin), Turn::kIdleRequests);
}

TEST(LogTurnsTest, FreelyTheStreamGoesFirstAndRequestsWhenTheirPauseIsOver) {
  LogTurns turns(0, 0);
  turns.RequestsDone(kBegin, kBegin + milliseconds(5));
  const View stream{.queued = true, .next = 7};
  const View requests{.queued = true, .next = 7};
  EXPECT_EQ(turns.Next(stream, requests, kBegin + milliseconds(204)), Turn::kStream);
  EXPECT_EQ(turns.Next(stream, requests, kBegin + milliseconds(205)), Turn::kRequests);
  EXPECT_EQ(turns.Next({.queued = false, .next = 7}, requests, kBegin + milliseconds(5)), Turn::kIdleRequests);
  EXPECT_EQ(turns.Next(stream, {.queued = false, .next = 7}, kBegin + milliseconds(900)), Turn::kStream);
}

/// How much of the time goes to requests while both always have a batch.
int RequestsPercent(milliseconds stream_batch, milliseconds request_batch) {
  LogTurns turns(0, 0);
  milliseconds now = kBegin;
  milliseconds spent{0};
  while (now < kBegin + milliseconds(100'000)) {
    if (turns.Next({.queued = true}, {.queued = true}, now) == Turn::kStream) {
      now += stream_batch;
      continue;
    }
    turns.RequestsDone(now, now + request_batch);
    now += request_batch;
    spent += request_batch;
  }
  return static_cast<int>(100 * spent / (now - kBegin));
}

TEST(LogTurnsTest, NeitherStarvesHoweverLongABatchTakes) {
  for (const int stream : {1, 20, 1000}) {
    for (const int requests : {1, 20, 200, 5000}) {
      const int percent = RequestsPercent(milliseconds(stream), milliseconds(requests));
      EXPECT_LE(percent, 51) << stream << " " << requests;
      EXPECT_GE(percent, requests >= 200 && stream <= 20 ? 45 : 0) << stream << " " << requests;
    }
  }
  EXPECT_LE(RequestsPercent(milliseconds(1), milliseconds(10)), 5) << "quick requests disturb little";
}

// Whatever comes when: no stream before the noted requests are done, no new request before the stream's end.
TEST(LogTurnsTest, KeepsTheOrderWhateverIsFetchedWhen) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    std::mt19937 random(seed);
    const int64_t noted = random() % 5;
    const int64_t end = random() % 5;
    LogTurns turns(noted, end);
    int64_t stream = 0;
    int64_t requests = 0;
    milliseconds now = kBegin;
    for (int step = 0; step < 200; ++step, now += milliseconds(random() % 150)) {
      const bool stream_queued = random() % 3 != 0;
      const bool requests_queued = random() % 3 != 0;
      const Turn turn = turns.Next({stream_queued, stream}, {requests_queued, requests}, now);
      if (turn == Turn::kStream) {
        ASSERT_TRUE(stream_queued && requests >= noted) << seed;
        ++stream;
      } else if (turn != Turn::kNone) {
        ASSERT_TRUE(requests_queued && (requests < noted || stream >= end)) << seed;
        turns.RequestsDone(now, now);
        ++requests;
      }
    }
    EXPECT_GT(stream, end) << seed;
    EXPECT_GT(requests, noted) << seed;
  }
}

}  // namespace
}  // namespace fensi::consumer
