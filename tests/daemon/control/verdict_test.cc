// A verdict comes over HTTP as it was, and an answer that is none is known.
#include "daemon/control/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace fensi::daemon {
namespace {

TEST(ReloadVerdictTest, ComesBackAsItWasSent) {
  const ReloadVerdict taken{.refused = {}, .done = {"index x: begins"}, .waits = {"--workers (f:1)"}};
  const admin::Verdict answer = AnswerOf(taken);
  EXPECT_EQ(answer.status, 200);
  const Result<ReloadVerdict> back = VerdictIn(answer.body);
  ASSERT_TRUE(back.ok());
  EXPECT_THAT(LinesOf(*back), ElementsAre("index x: begins", "needs a restart: --workers (f:1)"));
}

TEST(ReloadVerdictTest, OfARefusalTellsWhoAskedAllWords) {
  const ReloadVerdict refused{
      .refused = {"m.yaml:3:9: error: " + RedactableText::Quote("no 'secret'")}, .done = {}, .waits = {}};
  const admin::Verdict answer = AnswerOf(refused);
  EXPECT_EQ(answer.status, 422);
  const Result<ReloadVerdict> back = VerdictIn(answer.body);
  ASSERT_TRUE(back.ok());
  EXPECT_THAT(LinesOf(*back), ElementsAre("refused: m.yaml:3:9: error: no 'secret'"));
}

TEST(ReloadVerdictTest, WhatIsNoneIsToldFromOne) {
  for (const char* body :
       {"", "nothing", "[]", "{}", R"({"refused":[],"done":[]})", R"({"refused":[1],"done":[],"needs_restart":[]})"}) {
    EXPECT_EQ(VerdictIn(body).status().code(), StatusCode::kConfiguration) << body;
  }
}

TEST(ReloadVerdictTest, OfAStrangerIsBounded) {
  constexpr size_t kBytes = size_t{4} << 20;
  EXPECT_FALSE(VerdictIn(std::string(kBytes, '[')).ok());
  EXPECT_FALSE(VerdictIn(R"({"refused":[],"done":[],"needs_restart":[)" + std::string(kBytes, '[')).ok());
}

}  // namespace
}  // namespace fensi::daemon
