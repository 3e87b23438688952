// What several processes make of one row: nobody's word is lost, and an unknown outcome becomes known.
#include <gmock/gmock.h>

#include "tests/meta/meta_world.h"

namespace fensi::testing {
namespace {

using meta::VersionedMetaRow;
using store::FaultyStore;

class SharedRowTest : public ::testing::Test {
 protected:
  MetaWorld world_;
  VersionedMetaRow row_ = world_.Row("row");
};

TEST_F(SharedRowTest, AnAbsentRowHasNoCells) {
  EXPECT_TRUE(row_.ReadAll()->empty());
  EXPECT_FALSE(row_.Read("a")->has_value());
}

TEST_F(SharedRowTest, TheHigherVersionStaysWhicheverComesLast) {
  ASSERT_TRUE(row_.Write("a", 7, "seven").ok());
  ASSERT_TRUE(row_.Write("a", 3, "three, of a late process").ok());
  EXPECT_EQ(world_.Shown("row", "a"), "seven");
}

TEST_F(SharedRowTest, ReplacesExactlyWhatItKnows) {
  ASSERT_EQ(row_.Replace("a", std::nullopt, "first")->value, "first");
  const auto known = *row_.Read("a");
  ASSERT_EQ(row_.Replace("a", known, "second")->value, "second");
  EXPECT_EQ(row_.Replace("a", known, "of one who knows the first only")->value, "second");
  EXPECT_EQ(row_.Replace("a", std::nullopt, "of one who knows none")->value, "second");
}

TEST_F(SharedRowTest, ACellAboveWhichNothingCanBePutIsNamedWithTheRemedy) {
  ASSERT_TRUE(row_.Write("a", INT64_MAX - 1, "by hand").ok());
  const Status status = row_.Replace("a", *row_.Read("a"), "mine").status();
  EXPECT_EQ(status.code(), StatusCode::kInternal);
  EXPECT_NE(status.message().find("'i:a', 9223372036854775806. Then remove it from the files of the table: flush '"),
            std::string::npos)
      << status.message();
  EXPECT_NE(status.message().find("then major_compact '"), std::string::npos) << status.message();
  ASSERT_TRUE(row_.Write("b", INT64_MAX - 2, "the last but one").ok());
  EXPECT_EQ(row_.Replace("b", *row_.Read("b"), "mine")->value, "mine");
}

TEST_F(SharedRowTest, WhatGoesWithAReplacementGoesWithItOnly) {
  ASSERT_EQ(row_.Replace("a", std::nullopt, "mine", {VersionedMetaRow::CellOf("b", 1, "beside mine")})->value, "mine");
  ASSERT_EQ(row_.Replace("a", std::nullopt, "late", {VersionedMetaRow::CellOf("b", 2, "beside late")})->value, "mine");
  EXPECT_EQ(world_.Shown("row", "b"), "beside mine");
}

TEST_F(SharedRowTest, AnUnknownOutcomeIsAskedFor) {
  for (const auto when : {FaultyStore::When::kBefore, FaultyStore::When::kAfter}) {
    world_.faulty().FailCall(1, when, {}, FaultyStore::Call::kCompareAndPut);
    const auto known = *row_.Read("a");
    const std::string value = "after " + std::to_string(static_cast<int>(when));
    ASSERT_EQ(row_.Replace("a", known, value)->value, value);
    EXPECT_EQ(world_.Shown("row", "a"), value);
  }
}

TEST_F(SharedRowTest, AColumnThatIsGoneIsNotWaitedFor) {
  ASSERT_TRUE(row_.Write("a", 1, "there").ok());
  const auto known = *row_.Read("a");
  const store::RowMutation gone{
      "row", {{.family = meta::kFamily, .qualifier = "a", .timestamp = 9, .type = CellType::kDeleteColumn}}};
  ASSERT_TRUE(world_.faulty().Delete(MetaWorld::kTable, {&gone, 1}).ok());
  EXPECT_EQ(row_.Replace("a", known, "next").status().code(), StatusCode::kNotFound);
}

TEST_F(SharedRowTest, SetsWhateverStandsThereAndWritesNothingTwice) {
  for (const char* value : {"building", "live", "building"}) {
    ASSERT_TRUE(row_.Set("phase", value).ok());
    EXPECT_EQ(world_.Shown("row", "phase"), value);
  }
  const int before = world_.faulty().Calls(FaultyStore::Call::kCompareAndPut);
  ASSERT_TRUE(row_.Set("phase", "building").ok());
  EXPECT_EQ(world_.faulty().Calls(FaultyStore::Call::kCompareAndPut), before);
}

TEST_F(SharedRowTest, SetGoesOnWhenSomebodyWasFaster) {
  bool once = false;
  world_.faulty().SetObserver([&](FaultyStore::Call call, const std::string&) {
    if (call == FaultyStore::Call::kCompareAndPut && !std::exchange(once, true)) {
      EXPECT_TRUE(row_.Write("phase", 1, "of another").ok());
    }
    return Status();
  });
  ASSERT_TRUE(row_.Set("phase", "mine").ok());
  EXPECT_EQ(world_.Shown("row", "phase"), "mine");
}

TEST_F(SharedRowTest, ForgetsWhatItIsToldAndNothingYounger) {
  ASSERT_TRUE(row_.Write("a", 3, "old").ok() && row_.Write("b", 3, "stays").ok());
  VersionedMetaRow::Cells known = *row_.ReadAll();
  known.erase("b");
  ASSERT_TRUE(row_.Write("a", 4, "written since").ok());
  ASSERT_TRUE(row_.Forget(known).ok());
  EXPECT_EQ(world_.Shown("row", "a"), "written since");
  EXPECT_EQ(world_.Shown("row", "b"), "stays");
  ASSERT_TRUE(row_.Forget(*row_.ReadAll()).ok());
  EXPECT_TRUE(row_.ReadAll()->empty());
  EXPECT_TRUE(row_.Forget({}).ok());
}

TEST_F(SharedRowTest, WhatADeleteMarkerHidesIsPutAboveIt) {
  int64_t at = 1'000;
  for (const CellType type : {CellType::kDeleteColumn, CellType::kDeleteFamily, CellType::kDelete}) {
    ASSERT_TRUE(row_.Set("a", "before").ok());
    const bool of_version = type == CellType::kDelete;
    const int64_t time = of_version ? row_.Read("a")->value().timestamp : at *= 1'000;
    const std::string name = type == CellType::kDeleteFamily ? "" : "a";
    const store::RowMutation gone{"row", {{.family = "i", .qualifier = name, .timestamp = time, .type = type}}};
    ASSERT_TRUE(world_.faulty().Delete(MetaWorld::kTable, {&gone, 1}).ok());
    const std::string mine = "after " + std::to_string(static_cast<int>(type));
    const auto now = row_.Replace("a", *row_.Read("a"), mine, {VersionedMetaRow::CellOf("b", 1, "beside")});
    ASSERT_TRUE(now.ok()) << now.status().message();
    EXPECT_EQ(world_.Shown("row", "a"), mine);
    EXPECT_EQ(world_.Shown("row", "b"), "beside");
  }
}

TEST_F(SharedRowTest, WhoDeletesEachPutIsToldOfAfterABound) {
  int64_t at = 1'000;
  world_.faulty().SetObserver([&](FaultyStore::Call call, const std::string&) {
    if (call != FaultyStore::Call::kGet) return Status();
    const store::RowMutation gone{
        "row", {{.family = "i", .qualifier = "a", .timestamp = at += 1'000, .type = CellType::kDeleteColumn}}};
    return world_.faulty().Delete(MetaWorld::kTable, {&gone, 1}).status();
  });
  const Status status = row_.Replace("a", std::nullopt, "mine").status();
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_NE(status.message().find("column i:a: a delete marker hides"), std::string::npos) << status.message();
}

TEST_F(SharedRowTest, AnOutcomeThatStaysUnknownEndsIt) {
  world_.faulty().SetObserver([&](FaultyStore::Call call, const std::string&) {
    return call == FaultyStore::Call::kCompareAndPut ? FaultyStore::Lost() : Status();
  });
  const auto began = world_.clock().MonotonicNow();
  EXPECT_EQ(row_.Replace("a", std::nullopt, "mine").status().code(), StatusCode::kUnavailable);
  EXPECT_GE(world_.clock().MonotonicNow() - began, std::chrono::minutes(10));
}

TEST_F(SharedRowTest, SetEndsWhenOthersAreAlwaysFaster) {
  int others = 0;
  world_.faulty().SetObserver([&](FaultyStore::Call call, const std::string&) {
    if (call != FaultyStore::Call::kCompareAndPut) return Status();
    ++others;
    return row_.Write("phase", others, "of another " + std::to_string(others));
  });
  const Status status = row_.Set("phase", "mine");
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_NE(status.message().find("other processes changed the column 100 times"), std::string::npos)
      << status.message();
}

TEST_F(SharedRowTest, AStoreThatFailsIsTold) {
  world_.faulty().FailAlways(Status(StatusCode::kPermission, "no"));
  EXPECT_EQ(row_.ReadAll().status().code(), StatusCode::kPermission);
  EXPECT_EQ(row_.Write("a", 1, "x").code(), StatusCode::kPermission);
  EXPECT_EQ(row_.Replace("a", std::nullopt, "x").status().code(), StatusCode::kPermission);
  EXPECT_EQ(row_.Set("a", "x").code(), StatusCode::kPermission);
}

}  // namespace
}  // namespace fensi::testing
