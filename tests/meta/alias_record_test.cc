// An alias names one index at every moment, whoever changes it and wherever he dies, and knows the one before.
#include "meta/alias_record.h"

#include <gmock/gmock.h>

#include <optional>

#include "tests/meta/meta_world.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using meta::Alias;
using meta::AliasRecord;
using meta::IndexName;
using store::FaultyStore;

const IndexName kOld{"fans", "1111111111111111"}, kNew{"fans-2", "2222222222222222"},
    kThird{"fans-3", "3333333333333333"};

class AliasRecordTest : public ::testing::Test {
 protected:
  std::optional<Alias> Now() {
    const auto alias = record_.Read();
    EXPECT_TRUE(alias.ok()) << alias.status().message();
    return *alias;
  }
  void SwitchTo(const IndexName& to) {
    const Status status = record_.Switch(Now(), to);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  MetaWorld world_;
  AliasRecord record_{world_.Row(meta::AliasRow("fans"))};
};

TEST_F(AliasRecordTest, NobodyMadeIt) { EXPECT_FALSE(Now().has_value()); }

TEST_F(AliasRecordTest, AFirstOneHasNoFormer) {
  SwitchTo(kOld);
  EXPECT_EQ(Now()->current, kOld);
  EXPECT_EQ(Now()->former, std::nullopt);
}

TEST_F(AliasRecordTest, KnowsTheOneBeforeThereAndBack) {
  SwitchTo(kOld);
  SwitchTo(kNew);
  EXPECT_EQ(Now()->current, kNew);
  EXPECT_EQ(Now()->former, kOld);
  SwitchTo(*Now()->former);
  EXPECT_EQ(Now()->current, kOld);
  EXPECT_EQ(Now()->former, kNew);
  EXPECT_EQ(world_.Shown("alias:fans", "index"), "fans") << "what applications read";
}

TEST_F(AliasRecordTest, WhoHasReadAnOlderOneChangesNothing) {
  SwitchTo(kOld);
  const auto seen = Now();
  SwitchTo(kNew);
  SwitchTo(kOld);  // the same index as was seen, and another change
  const Status late = record_.Switch(seen, kThird);
  EXPECT_EQ(late.code(), StatusCode::kConfiguration);
  EXPECT_THAT(late.message(), HasSubstr("alias:fans"));
  EXPECT_EQ(Now()->current, kOld);
  EXPECT_EQ(record_.Switch(std::nullopt, kThird).code(), StatusCode::kConfiguration);
  EXPECT_EQ(Now()->current, kOld);
}

TEST_F(AliasRecordTest, OfTwoAtOneMomentOneIsToldSo) {
  SwitchTo(kOld);
  bool once = false;
  world_.faulty().SetObserver([&](FaultyStore::Call call, const std::string&) {
    if (call == FaultyStore::Call::kCompareAndPut && !std::exchange(once, true)) SwitchTo(kThird);
    return Status();
  });
  EXPECT_EQ(record_.Switch(Now(), kNew).code(), StatusCode::kConfiguration);
  EXPECT_EQ(Now()->current, kThird);
  EXPECT_EQ(Now()->former, kOld);
}

/// What a command does: it looks, and changes what is not so yet.
Status Attempt(const AliasRecord& record, const IndexName& to) {
  const Result<std::optional<Alias>> known = record.Read();
  FENSI_RETURN_IF_ERROR(known.status());
  return known->has_value() && (*known)->current == to ? Status() : record.Switch(*known, to);
}

TEST(AliasRecord, ADeathInAnyCallIsMendedByTheSameLine) {
  for (const auto when : {FaultyStore::When::kBefore, FaultyStore::When::kAfter}) {
    for (int call = 1;; ++call) {
      MetaWorld world;
      const AliasRecord record(world.Row(meta::AliasRow("fans")));
      ASSERT_TRUE(Attempt(record, kOld).ok());
      const int before = world.faulty().Calls();
      world.faulty().FailCall(call, when, Status(StatusCode::kInternal, "death"));
      const bool died = !Attempt(record, kNew).ok();
      if (!died && world.faulty().Calls() - before < call) break;
      const IndexName meanwhile = (*record.Read())->current;
      EXPECT_TRUE(meanwhile == kOld || meanwhile == kNew) << call;
      ASSERT_TRUE(Attempt(record, kNew).ok());
      EXPECT_EQ((*record.Read())->current, kNew) << call;
      EXPECT_EQ((*record.Read())->former, kOld) << "a second attempt does not forget it, call " << call;
    }
  }
}

TEST_F(AliasRecordTest, AnOutcomeThatNobodyKnowsIsAskedFor) {
  SwitchTo(kOld);
  for (const auto when : {FaultyStore::When::kBefore, FaultyStore::When::kAfter}) {
    world_.faulty().FailCall(1, when, {}, FaultyStore::Call::kCompareAndPut);
    SwitchTo(Now()->current == kOld ? kNew : kOld);
  }
  EXPECT_EQ(Now()->current, kOld);
  EXPECT_EQ(Now()->former, kNew);
}

TEST_F(AliasRecordTest, IsAboveWhatAPersonWroteByHand) {
  SwitchTo(kOld);
  const meta::VersionedMetaRow row = world_.Row(meta::AliasRow("fans"));
  ASSERT_TRUE(row.Write("index", 1'800'000'000'000, "strange").ok());
  ASSERT_TRUE(row.Write("former", 1'900'000'000'000, "strange").ok());
  SwitchTo(kNew);
  EXPECT_EQ(Now()->current, kNew);
  EXPECT_EQ(Now()->former->index, "strange");
}

TEST_F(AliasRecordTest, WhatIsNoAliasIsNamed) {
  ASSERT_TRUE(world_.Row("alias:fans").Write("index", 1, "fans").ok());
  EXPECT_EQ(record_.Read().status().code(), StatusCode::kInternal);
  EXPECT_THAT(record_.Read().status().message(), HasSubstr("alias:fans"));
  EXPECT_THAT(record_.Read().status().message(), HasSubstr("--remove"));
  EXPECT_TRUE(*record_.Remove());
  EXPECT_FALSE(Now().has_value());
  SwitchTo(kNew);
  EXPECT_EQ(Now()->current, kNew);
}

TEST_F(AliasRecordTest, OneThatWasRemovedNamesNothingAndMayNameSomethingAgain) {
  EXPECT_FALSE(*record_.Remove());
  SwitchTo(kOld);
  const auto seen = Now();
  EXPECT_TRUE(*record_.Remove());
  EXPECT_FALSE(Now().has_value());
  EXPECT_EQ(world_.Shown("alias:fans", "index"), "") << "what applications read";
  EXPECT_FALSE(*record_.Remove());
  EXPECT_EQ(record_.Switch(seen, kThird).code(), StatusCode::kConfiguration);
  EXPECT_FALSE(Now().has_value());
  SwitchTo(kNew);
  EXPECT_EQ(Now()->current, kNew);
  EXPECT_EQ(Now()->former, std::nullopt);
}

TEST_F(AliasRecordTest, OfASwitchAndARemovalAtOneMomentOneIsToldSo) {
  SwitchTo(kOld);
  bool once = false;
  world_.faulty().SetObserver([&](FaultyStore::Call call, const std::string&) {
    if (call == FaultyStore::Call::kCompareAndPut && !std::exchange(once, true)) SwitchTo(kThird);
    return Status();
  });
  EXPECT_EQ(record_.Remove().status().code(), StatusCode::kConfiguration);
  EXPECT_EQ(Now()->current, kThird);
}

}  // namespace
}  // namespace fensi::testing
