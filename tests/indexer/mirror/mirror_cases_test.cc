// The shrunk failures of a stateless index without one of its rules (docs/maintenance.md), each as the shortest history
// that tells it from the rule.
#include <gtest/gtest.h>

#include "tests/indexer/support/scenario.h"
#include "tests/indexer/support/two_logs.h"
#include "tests/indexer/support/zombie_store.h"

namespace fensi::testing {
namespace {

using Source = Scenario::Source;

TEST(MirrorCases, A1ADeleteOfAFamilyRemovesEveryColumnThatTheRowHad) {
  Scenario s(MirrorEachTimeRule(), Source::kRead);
  s.Tells({s.Happens("k=a@11"), s.Happens("v=a@11")});
  s.Tells({s.Happens("DF@12")});
  EXPECT_EQ(s.Index(), Entries());
}

TEST(MirrorCases, A1WithinOneMutationAndOneBatch) {
  Scenario s(MirrorEachTimeRule(), Source::kRead);
  s.Tells({s.Happens("k=a@11"), s.Happens("v=a@12 DF@13")});
  EXPECT_EQ(s.Index(), Entries());
}

TEST(MirrorCases, A2ColumnsThatARowHadOutliveTheirOwner) {
  Scenario s(MirrorEachTimeRule(), Source::kRead);
  s.Tells({s.Happens("k=a@11")});
  s.Restarts();
  s.Tells({s.Happens("DF@12")});
  EXPECT_EQ(s.Index(), Entries());
}

/// A read of the source, raw or not, knows nothing of a column that was deleted and flushed.
TEST(MirrorCases, A3WhatTheSourceForgotIsRemovedAllTheSame) {
  Scenario s(MirrorEachTimeRule(), Source::kRead);
  const auto put = s.Happens("k=a@11"), gone = s.Happens("DF@12");
  s.world()->CompactSource();
  s.Tells({put});
  s.Restarts();
  s.Tells({gone});
  EXPECT_EQ(s.Index(), Entries());
}

TEST(MirrorCases, A4AColumnThatNobodyKnewIsAskedForBelowADeleteOfItsFamily) {
  for (const char* gone : {"DF@11", "DFV@10"}) {
    Scenario s(MirrorEachTimeRule(), Source::kRead);
    s.Tells({s.Happens(gone)});
    s.Tells({s.Happens("k=a@10")});
    EXPECT_EQ(s.Index(), Entries()) << gone;
    EXPECT_EQ(s.Difference(), "") << gone;
  }
}

TEST(MirrorCases, A5ALatePutBelowADeleteIsAskedFor) {
  Scenario s(MirrorValueRule(), Source::kRead);
  s.Tells({s.Happens("DC:k@11")});
  s.world()->CompactIndex(true);  // its marker is gone, the one of the source is not
  s.Tells({s.Happens("k=a@10")});
  EXPECT_EQ(s.Difference(), "");
  s.world()->CompactSource();
  EXPECT_EQ(s.Difference(), "");
}

TEST(MirrorCases, A6WhatTheSourceShowsBelowADeleteIsPut) {
  Scenario s(MirrorValueRule(), Source::kRead);
  s.Tells({s.Happens("DC:k@11")});
  s.world()->CompactSource();
  s.Tells({s.Happens("k=a@10")});
  EXPECT_EQ(s.Index(), (Entries{{{"r", "f:k"}, "a"}}));
  EXPECT_EQ(s.Difference(), "");
}

TEST(MirrorCases, A7FloorsOutliveTheirOwner) {
  Scenario s(MirrorValueRule(), Source::kRead);
  const auto gone = s.Happens("DC:k@11");
  s.Tells({gone, gone});
  s.Restarts();
  s.Tells({s.Happens("k=a@12")});
  EXPECT_EQ(s.Difference(), "");
}

TEST(MirrorCases, A8WhatIsReadIsPutAboveEveryMarkerOfTheIndex) {
  Scenario s(MirrorTimeRule(), Source::kRead);
  s.Tells({s.Happens("DF@11")});
  s.world()->CompactSource();
  s.Tells({s.Happens("k=a@10")});
  EXPECT_EQ(s.Index(), (Entries{{{"r", "f:k"}, "10"}}));
  EXPECT_EQ(s.Difference(), "");
}

TEST(MirrorCases, A9AVersionDeleteAsksTheSource) {
  Scenario s(MirrorValueRule(), Source::kRead);
  s.Tells({s.Happens("k=a@11")});
  s.Tells({s.Happens("k=b@12")});
  s.world()->CompactIndex(true);  // one version stays
  s.Tells({s.Happens("D:k@12")});
  EXPECT_EQ(s.Index(), (Entries{{{"r", "f:k"}, "a"}}));
  s.Tells({s.Happens("D:k@20")});  // which is no version of it
  EXPECT_EQ(s.Index(), (Entries{{{"r", "f:k"}, "a"}}));
  EXPECT_EQ(s.Difference(), "");
}

TEST(MirrorCases, A10OfTwoPutsOfOneTimeTheLaterStaysThoughTheOtherIsWrittenLast) {
  World world(MirrorValueRule(), true);
  ZombieStore zombie(world.store());
  std::vector<ChangeEvent> events;
  for (const char* cell : {"k=b@12", "k=c@12"}) {
    events.push_back({.table = "source", .row = "r", .cells = {ParseCell(cell)}, .sequence_id = events.size() + 1});
  }
  zombie.KeepBackOnly(1);
  EXPECT_FALSE(world.NewMaintainer(true, &zombie)->Apply(world.MakeBatch({events.data(), 1})).ok());
  world.Tell(events);
  zombie.Drain();
  EXPECT_EQ(world.Difference(), "");
}

TEST(MirrorCases, A11ADeleteThatIsToldBehindWhatCameLaterAsksTheSource) {
  Scenario s(MirrorTimeRule(), Source::kRead);
  const auto gone = s.Happens("DF@11");
  s.world()->CompactSource();
  const auto put = s.Happens("k=a@10");
  s.Tells({put});
  s.Tells({gone});
  EXPECT_EQ(s.Index(), (Entries{{{"r", "f:k"}, "10"}}));
  EXPECT_EQ(s.Difference(), "");
}

TEST(MirrorCases, A11WhatWasToldOfARegionOutlivesItsOwner) {
  Scenario s(MirrorTimeRule(), Source::kRead);
  const auto gone = s.Happens("DF@11");
  s.world()->CompactSource();
  s.Tells({s.Happens("k=a@10")});
  s.Restarts();
  s.Tells({gone});
  EXPECT_EQ(s.Difference(), "");
}

TEST(MirrorCases, A12APutThatItsBatchRemovesIsNotWritten) {
  Scenario s(MirrorTimeRule(), Source::kRead);
  const auto put = s.Happens("k=a@11"), gone = s.Happens("DF@12");
  s.Tells({put, gone});
  EXPECT_EQ(s.world()->counters()->puts, 0);
  EXPECT_EQ(s.world()->counters()->deletes, 1);
  EXPECT_EQ(s.Difference(), "");
}

TEST(MirrorCases, A13AQuestionTakesItsVersionsWhateverTheAnswer) {
  Scenario s(MirrorValueRule(), Source::kRead);
  const auto gone = s.Happens("DC:k@11"), put = s.Happens("k=a@12"), late = s.Happens("k=b@11");
  s.DiesBeforeStates({gone, gone, put, late});
  const auto version = s.Happens("D:k@12");
  s.Tells({gone, gone, put, late, version});
  EXPECT_EQ(s.Difference(), "");
}

TEST(MirrorCases, A15DuringAReplayNothingShowsThatIsGone) {
  Scenario s(MirrorTimeRule(), Source::kRead);
  const auto put = s.Happens("k=a@11"), gone = s.Happens("DF@12");
  s.Tells({put});
  s.Tells({gone});
  s.world()->CompactIndex(true);
  s.Restarts();
  s.Tells({put});
  EXPECT_EQ(s.Index(), Entries());
}

TEST(MirrorCases, A16ASourceThatShowsLateIsLookedAtAgain) {
  Scenario s(MirrorValueRule(), Source::kRead);
  const auto gone = s.Happens("DC:k@11");
  s.Tells({gone});
  s.Tells({gone});
  s.world()->ShowSourceLate(1);
  s.Tells({s.Happens("k=a@12")});
  EXPECT_EQ(s.Difference(), "");
}

TEST(MirrorCases, AnImageOfBeforeAPutThatItsMarkerDoesNotHideAnyMoreAsksTheSource) {
  Scenario s(MirrorTimeRule(), Source::kRead);
  const auto before = s.Happens("DC:k@11");  // told by a scan alone
  s.world()->CompactSource();
  s.Tells({s.Happens("k=a@10")});
  const auto owner = s.world()->NewMaintainer(false);
  consumer::Request image{.table = "source", .row = "r", .incarnation = kIncarnation, .job = "scan"};
  image.cells = before.cells;
  Must(ApplyRequests(s.world(), owner.get(), {image}));
  EXPECT_EQ(s.Difference(), "");
}

}  // namespace
}  // namespace fensi::testing
