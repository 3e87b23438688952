// What is remembered of a column and of a family: which put wins, what a marker hides, what is kept and forgotten.
#include "indexer/state/registers.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/indexer/state/made_put.h"

namespace fensi::testing {
namespace {

using indexer::ColumnState;
using indexer::FamilyState;
using indexer::kNoTime;

constexpr bool kKeep = true;
constexpr bool kReadSource = false;

std::string VisibleValue(const ColumnState& column, const FamilyState* markers = nullptr) {
  const indexer::PutRegister* put = column.Visible(markers);
  return put == nullptr ? "" : put->value;
}

TEST(ColumnState, ThePutWithTheGreaterTimestampWinsInAnyOrder) {
  ColumnState first, second;
  for (const int64_t time : {11, 13, 12}) first.Put(PutAt(time, 0, std::to_string(time)), kReadSource);
  for (const int64_t time : {13, 12, 11}) second.Put(PutAt(time, 0, std::to_string(time)), kReadSource);
  EXPECT_EQ(VisibleValue(first), "13");
  EXPECT_EQ(first, second);
}

/// What is visible of two puts at one timestamp with these sequence ids.
std::string WinnerAtOneTimestamp(uint64_t first, uint64_t second) {
  ColumnState column;
  column.Put(PutAt(11, first, "first"), kReadSource);
  EXPECT_EQ(column.Put(PutAt(11, second, "second"), kReadSource), second >= first);
  return VisibleValue(column);
}

TEST(ColumnState, AtEqualTimestampsTheGreaterSequenceIdWins) { EXPECT_EQ(WinnerAtOneTimestamp(8, 7), "first"); }

TEST(ColumnState, AtEqualTimestampAndSequenceIdTheLaterInTheLogWins) {
  EXPECT_EQ(WinnerAtOneTimestamp(7, 7), "second");
}

TEST(ColumnState, APutWithoutSequenceIdNeverReplacesOneWithIt) { EXPECT_EQ(WinnerAtOneTimestamp(7, 0), "first"); }

TEST(ColumnState, AnotherPutOfTheSameTimeAndSequenceIdIsTied) {
  ColumnState column;
  for (const int64_t time : {11, 12}) column.Put(PutAt(time, 0, "known"), kKeep);
  for (const int64_t time : {11, 12}) {
    EXPECT_FALSE(column.Tied(PutAt(time, 0, "known"), kKeep));
    EXPECT_TRUE(column.Tied(PutAt(time, 0, "other"), kKeep));
    EXPECT_FALSE(column.Tied(PutAt(time, 7, "other"), kKeep));
  }
  EXPECT_FALSE(column.Tied(PutAt(10, 0, "other"), kKeep));
}

TEST(ColumnState, APutWithAnotherEndIsTiedWhetherItIsTheNewestOrNot) {
  ColumnState column;
  const auto ending = [](int64_t time, int64_t end) {
    indexer::IncomingPut put = PutAt(time, 0, "value");
    put.expires_at = end;
    return put;
  };
  for (const int64_t time : {11, 12}) column.Put(ending(time, 20), kReadSource);
  for (const int64_t time : {11, 12}) {
    EXPECT_FALSE(column.Tied(ending(time, 20), kReadSource));
    EXPECT_TRUE(column.Tied(ending(time, 21), kReadSource));
  }
}

TEST(ColumnState, OfValuesTooLargeToBeKeptNoneIsTied) {
  const std::string large(indexer::kMaxKeptValueBytes + 1, 'x'), larger = large + 'y';
  ColumnState column;
  column.Put(PutAt(12, 0, large), kReadSource);
  EXPECT_FALSE(column.Tied(PutAt(12, 0, larger), kReadSource));
  EXPECT_TRUE(column.Tied(PutAt(12, 0, "small"), kReadSource));
}

TEST(ColumnState, BelowItsMarkerNoValueIsTied) {
  ColumnState column;
  column.Put(PutAt(12, 0, "value"), kReadSource);
  column.DeleteColumn(12, 0);
  EXPECT_FALSE(column.Tied(PutAt(12, 0, "other"), kReadSource));
}

/// The source may have compacted the marker away, and does not tell the end of what it shows.
TEST(ColumnState, TheEndOfAPutBelowAMarkerStaysUnlessTheMarkerSurelyCameLater) {
  ColumnState column;
  column.Put(PutAt(10, 1), kReadSource);
  column.DeleteColumn(10, 2);
  EXPECT_TRUE(column.Put({5, 3, 60, "c"}, kReadSource));
  EXPECT_EQ(column.ExpiresAt(5), 60);
  EXPECT_FALSE(column.Put({4, 1, 60, "c"}, kReadSource)) << "told once more";
  EXPECT_EQ(column.ExpiresAt(4), INT64_MAX);
}

TEST(ColumnState, OfTwoPutsOfOneTimeTheEndOfTheLaterOneCounts) {
  ColumnState column;
  column.Put(PutAt(20, 1), kReadSource);
  EXPECT_TRUE(column.Put({10, 2, 60, "c"}, kReadSource));
  EXPECT_TRUE(column.Put({10, 2, INT64_MAX, "a"}, kReadSource));
  EXPECT_EQ(column.ExpiresAt(10), INT64_MAX);
  EXPECT_FALSE(column.Put({10, 1, 60, "c"}, kReadSource)) << "it came first";
}

TEST(ColumnState, WhatIsToldAgainIsNoChange) {
  ColumnState column;
  for (const bool first : {true, false}) {
    EXPECT_EQ(column.Put(PutAt(11, 7), kKeep), first);
    EXPECT_EQ(column.Put(PutAt(10, 6), kKeep), first);
    EXPECT_EQ(column.DeleteVersion(9, kKeep), first);
    EXPECT_EQ(column.DeleteColumn(8, 5), first);
  }
}

TEST(ColumnState, AMarkerHidesWhatLiesAtOrBelowItAndNothingAbove) {
  ColumnState column;
  column.Put(PutAt(11), kReadSource);
  column.DeleteColumn(10, 0);
  EXPECT_EQ(VisibleValue(column), "v");
  column.DeleteColumn(11, 0);
  EXPECT_EQ(column.Visible(nullptr), nullptr);
  EXPECT_EQ(column.newest.value, "") << "nobody sees it again";
  EXPECT_EQ(column.newest.timestamp, 11) << "its time still counts";
}

TEST(ColumnState, AFamilysMarkerHidesTheSame) {
  ColumnState column;
  column.Put(PutAt(11), kReadSource);
  FamilyState family;
  family.DeleteFamily(10, 0);
  EXPECT_NE(column.Visible(&family), nullptr);
  family.DeleteFamily(11, 0);
  EXPECT_EQ(column.Visible(&family), nullptr);
}

TEST(ColumnState, AMarkerOfEqualTimeCountsOnlyWithAGreaterSequenceId) {
  ColumnState column;
  EXPECT_TRUE(column.DeleteColumn(11, 5));
  EXPECT_FALSE(column.DeleteColumn(11, 4));
  EXPECT_FALSE(column.DeleteColumn(10, 9));
  EXPECT_TRUE(column.DeleteColumn(11, 6));
}

TEST(ColumnState, AVersionDeleteUncoversTheNextOlderPutThatIsKept) {
  ColumnState column;
  for (const int64_t time : {11, 12, 13}) column.Put(PutAt(time, 0, std::to_string(time)), kKeep);
  column.DeleteVersion(13, kKeep);
  EXPECT_EQ(VisibleValue(column), "12");
  column.DeleteVersion(12, kKeep);
  EXPECT_EQ(VisibleValue(column), "11");
  column.DeleteVersion(11, kKeep);
  EXPECT_EQ(column.Visible(nullptr), nullptr);
}

TEST(ColumnState, WithASourceTableAVersionDeleteAtOrAboveTheNewestPutIsDoubt) {
  ColumnState column;
  column.Put(PutAt(12), kReadSource);
  column.DeleteVersion(11, kReadSource);
  EXPECT_FALSE(column.VersionDoubt(nullptr));
  column.DeleteVersion(12, kReadSource);
  EXPECT_TRUE(column.VersionDoubt(nullptr));
  column.DeleteColumn(12, 0);
  EXPECT_FALSE(column.VersionDoubt(nullptr)) << "a marker hides it anyway";
}

TEST(ColumnState, AFamilysVersionDeleteIsDoubtToo) {
  ColumnState column;
  column.Put(PutAt(12), kReadSource);
  FamilyState family;
  family.DeleteFamilyVersion(12, kReadSource);
  EXPECT_TRUE(column.VersionDoubt(&family));
}

TEST(ColumnState, OlderPutsAreKeptNewestFirstAndSoMany) {
  ColumnState column;
  for (int64_t time = 100; time > 0; --time) column.Put(PutAt(time), kKeep);
  EXPECT_EQ(column.kept.size(), indexer::kMaxKeptVersions);
  EXPECT_TRUE(std::is_sorted(column.kept.begin(), column.kept.end(),
                             [](const auto& a, const auto& b) { return a.timestamp > b.timestamp; }));
  EXPECT_EQ(column.kept.front().timestamp, 99);
  EXPECT_EQ(column.forgotten, 99 - static_cast<int64_t>(indexer::kMaxKeptVersions)) << "the newest that is not kept";
}

TEST(ColumnState, KeptValuesTakeNoMoreThanAnEighthOfWhatAValueMay) {
  ColumnState column;
  const std::string large(indexer::kMaxKeptValueBytes / 8 / 3, 'x');
  for (int64_t time = 1; time <= 10; ++time) column.Put(PutAt(time, 0, large), kKeep);
  EXPECT_EQ(column.kept.size(), 3u);
  EXPECT_EQ(column.forgotten, 6);
}

TEST(ColumnState, AColumnIsUncertainOnceADeleteReachesWhatIsForgotten) {
  ColumnState column;
  for (int64_t time = 1; time <= 100; ++time) column.Put(PutAt(time), kKeep);
  for (int64_t time = 100; time > column.forgotten + 1; --time) column.DeleteVersion(time, kKeep);
  EXPECT_FALSE(column.Uncertain(nullptr));
  column.DeleteVersion(column.forgotten + 1, kKeep);
  EXPECT_TRUE(column.Uncertain(nullptr));
  column.DeleteColumn(column.forgotten, 0);
  EXPECT_FALSE(column.Uncertain(nullptr)) << "what is forgotten is hidden";
}

TEST(ColumnState, AValueThatIsTooLargeIsDroppedAndSaysSo) {
  ColumnState column;
  column.Put(PutAt(11, 0, std::string(indexer::kMaxKeptValueBytes, 'x')), kKeep);
  EXPECT_FALSE(column.newest.dropped);
  column.Put(PutAt(12, 0, std::string(indexer::kMaxKeptValueBytes + 1, 'x')), kKeep);
  EXPECT_TRUE(column.newest.dropped);
  EXPECT_EQ(column.newest.value, "");
}

TEST(ColumnState, WithASourceTableOnlyTheEndsOfOlderPutsAreKept) {
  ColumnState column;
  column.Put(PutAt(11, 0, "old", 99), kReadSource);
  column.Put(PutAt(12, 0, "plain"), kReadSource);
  column.Put(PutAt(13, 0, "new", 77), kReadSource);
  ASSERT_EQ(column.kept.size(), 1u) << "a put that never ends need not be remembered";
  EXPECT_EQ(column.kept[0].value, "");
  EXPECT_EQ(column.ExpiresAt(11), 99);
  EXPECT_EQ(column.ExpiresAt(12), INT64_MAX);
  EXPECT_EQ(column.ExpiresAt(13), 77);
}

TEST(ColumnState, APutBelowAMarkerIsLateUnlessTheMarkerSurelyCameAfterIt) {
  ColumnState column;
  column.DeleteColumn(11, 5);
  EXPECT_FALSE(column.LatePut(PutAt(12, 6), nullptr)) << "above it";
  EXPECT_FALSE(column.LatePut(PutAt(11, 5), nullptr)) << "of one event, or before";
  EXPECT_TRUE(column.LatePut(PutAt(11, 6), nullptr));
  EXPECT_TRUE(column.LatePut(PutAt(11, 0), nullptr)) << "nobody knows";
}

TEST(ColumnState, APutBelowAFamilysMarkerIsLateByTheSameRule) {
  const ColumnState column;
  FamilyState family;
  family.DeleteFamily(11, 5);
  EXPECT_FALSE(column.LatePut(PutAt(12, 6), &family));
  EXPECT_FALSE(column.LatePut(PutAt(11, 4), &family));
  EXPECT_TRUE(column.LatePut(PutAt(11, 6), &family));
}

TEST(FamilyState, DeletedVersionsAreThoseAboveTheMarker) {
  FamilyState family;
  for (const int64_t time : {12, 10, 11}) EXPECT_TRUE(family.DeleteFamilyVersion(time, kKeep));
  EXPECT_FALSE(family.DeleteFamilyVersion(11, kKeep));
  EXPECT_EQ(family.deleted_versions, (std::vector<int64_t>{10, 11, 12}));
  family.DeleteFamily(11, 0);
  EXPECT_EQ(family.deleted_versions, std::vector<int64_t>{12});
  EXPECT_EQ(family.Newest(), 12);
}

TEST(FamilyStates, KnowsEachFamilyOnceAndTheNewestRegisterOfAll) {
  indexer::FamilyStates families;
  EXPECT_EQ(families.Newest(), kNoTime);
  families.FindOrAdd("f")->DeleteFamily(11, 0);
  families.FindOrAdd("g")->DeleteFamilyVersion(13, kReadSource);
  families.FindOrAdd("f")->DeleteFamily(12, 0);
  EXPECT_EQ(families.families.size(), 2u);
  EXPECT_EQ(families.Find("f")->marker, 12);
  EXPECT_EQ(families.Find("h"), nullptr);
  EXPECT_EQ(families.Newest(), 13);
}

}  // namespace
}  // namespace fensi::testing
