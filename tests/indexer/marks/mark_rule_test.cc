// F40: each natural simplification of the rule of marks (M20) tells a time up to which something is missing.
#include "indexer/marks/mark_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fensi::indexer {
namespace {

using consumer::Mark;
using ::testing::Eq;
using ::testing::Optional;

constexpr int64_t kSkew = 1'000;
constexpr int64_t kLater = 1'000'000;

Mark Call(const std::string& server, int64_t first, int64_t last) { return {.calls = {{server, first, last}}}; }
Mark Call(const std::string& server, int64_t only) { return Call(server, only, only); }
Mark Members(std::vector<std::string> names, int64_t time) {
  return {.members = std::move(names), .members_time = time};
}

class MarkRuleTest : public ::testing::Test {
 protected:
  std::optional<int64_t> After(const std::vector<Mark>& marks) {
    for (const Mark& mark : marks) rule_.Meet(mark);
    return rule_.complete_to();
  }
  MarkRule rule_{kSkew};
};

TEST_F(MarkRuleTest, KnowsNothingAtFirst) {
  EXPECT_EQ(rule_.complete_to(), std::nullopt);
  EXPECT_EQ(rule_.basis(), MarkBasis::kNone);
}

// Changes that were logged before the marker may be in other calls of the same batch, which are still on their way.
TEST_F(MarkRuleTest, F40AMarkerAloneProvesNothing) {
  EXPECT_EQ(After({Members({"a"}, kLater), Call("a", 5'000)}), std::nullopt);
}

TEST_F(MarkRuleTest, ALaterCallProvesWhatWasLoggedBeforeTheMarkerThatWasMet) {
  EXPECT_THAT(After({Members({"a"}, kLater), Call("a", 5'000), Call("a", 6'000)}), Optional(4'999));
  EXPECT_THAT(After({Call("a", 7'000)}), Optional(5'999));
}

// The older of two markers of one call is no proof of an end of the batch between them.
TEST_F(MarkRuleTest, F40MarkersOfOneCallProveNothing) {
  EXPECT_EQ(After({Members({"a"}, kLater), Call("a", 5'000, 6'000)}), std::nullopt);
}

TEST_F(MarkRuleTest, AServerWhoseMarkersDoNotComeIsNamed) {
  After({Members({"a", "b"}, 10'000), Call("a", 10'000), Call("b", 10'000), Call("a", 40'000)});
  EXPECT_EQ(rule_.silent(), std::nullopt);
  After({Call("a", 41'000), Members({"a", "b"}, 41'000)});
  ASSERT_TRUE(rule_.silent());
  EXPECT_EQ(rule_.silent()->server, "b");
  EXPECT_EQ(rule_.silent()->millis, 31'000);
  After({Call("b", 41'000)});
  EXPECT_EQ(rule_.silent(), std::nullopt);
}

TEST_F(MarkRuleTest, AServerOfWhichNoMarkerEverCameIsNamedWhenItHadTheTimeToWriteOne) {
  After({Members({"a"}, 100'000), Call("a", 100'000), Members({"a", "new"}, 200'000), Call("a", 200'000)});
  EXPECT_EQ(rule_.silent(), std::nullopt);
  After({Members({"a", "new"}, 231'000), Call("a", 231'000)});
  ASSERT_TRUE(rule_.silent());
  EXPECT_EQ(rule_.silent()->server, "new");
}

TEST_F(MarkRuleTest, WhoHasAClockThatIsAheadMakesNobodySilent) {
  After({Members({"a", "b", "c"}, 10'000), Call("a", 10'000), Call("b", 10'000), Call("c", 100'000)});
  EXPECT_EQ(rule_.silent(), std::nullopt);
  After({Members({"a", "b", "c"}, 200'000)});
  EXPECT_EQ(rule_.silent()->millis, 90'000) << "by the clock that is ahead, and by no other";
  After({Call("a", 11'000), Call("b", 11'000), Members({"a", "b"}, 300'000)});
  EXPECT_EQ(rule_.silent(), std::nullopt) << "a capture's clock alone says so";
}

// Who has one server has nobody else to go by than the captures, which tell the members again and again.
TEST_F(MarkRuleTest, TheOnlyServerIsNamedToo) {
  After({Members({"a"}, 10'000), Call("a", 10'000), Members({"a"}, 50'000)});
  ASSERT_TRUE(rule_.silent());
  EXPECT_EQ(rule_.silent()->millis, 40'000);
  After({Members({"b"}, 60'000)});
  EXPECT_EQ(rule_.silent(), std::nullopt) << "it is no member any more";
}

// A call that failed comes again with what was logged since, in one batch.
TEST_F(MarkRuleTest, F40ACallThatComesAgainAndBringsMoreProvesNothing) {
  EXPECT_EQ(After({Members({"a"}, kLater), Call("a", 5'000), Call("a", 5'000, 6'000)}), std::nullopt);
  EXPECT_THAT(After({Call("a", 7'000)}), Optional(5'999));
}

// Told late by another capture: not younger than what was met.
TEST_F(MarkRuleTest, F40AnOlderMarkerThatComesAgainProvesNothing) {
  EXPECT_EQ(After({Members({"a"}, kLater), Call("a", 6'000), Call("a", 5'000)}), std::nullopt);
  EXPECT_EQ(After({Call("a", 6'000)}), std::nullopt);
}

// A server that joined after the members were read may have logged something since.
TEST_F(MarkRuleTest, F40NothingIsKnownOfTheTimeAfterTheMembersWereRead) {
  EXPECT_THAT(After({Members({"a"}, 10'000), Call("a", 20'000), Call("a", 30'000)}), Optional(10'000 - kSkew - 1));
}

TEST_F(MarkRuleTest, AMemberThatIsSilentHoldsThePartitionBack) {
  EXPECT_EQ(After({Members({"a", "b"}, kLater), Call("a", 5'000), Call("a", 6'000)}), std::nullopt);
  EXPECT_EQ(After({Call("b", 2'000)}), std::nullopt);
  EXPECT_THAT(After({Call("b", 3'000)}), Optional(1'999));
}

TEST_F(MarkRuleTest, AMemberThatIsGoneHoldsNothingBack) {
  EXPECT_THAT(After({Members({"a", "b"}, 10'000), Call("a", 50'000), Call("a", 60'000), Members({"a"}, 20'000)}),
              Optional(20'000 - kSkew - 1));
}

TEST_F(MarkRuleTest, OlderNewsOfMembersAreNoNews) {
  EXPECT_THAT(After({Members({"a"}, 20'000), Call("a", 50'000), Call("a", 60'000), Members({"a", "b"}, 10'000)}),
              Optional(20'000 - kSkew - 1));
}

TEST_F(MarkRuleTest, AClockThatWentBackIsWaitedFor) {
  EXPECT_THAT(After({Members({"a"}, kLater), Call("a", 5'000), Call("a", 6'000), Call("a", 100), Call("a", 200)}),
              Optional(4'999));
}

TEST_F(MarkRuleTest, AMemberThatLeavesAndComesBackBeginsAnew) {
  EXPECT_EQ(After({Members({"a", "b"}, 100'000), Call("a", 5'000), Call("a", 6'000), Members({"b"}, 110'000),
                   Members({"a"}, 120'000)}),
            std::nullopt);
}

TEST_F(MarkRuleTest, AProducerOfTheWholeStreamSaysItItself) {
  EXPECT_THAT(After({{.complete_to = 70}}), Optional(70));
  EXPECT_THAT(After({{.complete_to = 60}}), Optional(70));
  EXPECT_EQ(rule_.basis(), MarkBasis::kProducer);
}

TEST_F(MarkRuleTest, WhereACaptureWritesAnotherProducerIsNotBelieved) {
  EXPECT_EQ(After({{.complete_to = 70}, Call("a", 50)}), std::nullopt);
  EXPECT_EQ(rule_.basis(), MarkBasis::kMarkers);
}

TEST_F(MarkRuleTest, StrangersTakeNoMemoryAndKeepNoMemberOut) {
  for (int i = 0; i < 100'000; ++i) rule_.Meet(Call("stranger" + std::to_string(i), 1'000));
  EXPECT_THAT(After({Members({"a"}, kLater), Call("a", 5'000), Call("a", 6'000)}), Optional(Eq(4'999)));
}

}  // namespace
}  // namespace fensi::indexer
