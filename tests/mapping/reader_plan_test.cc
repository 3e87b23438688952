#include "mapping/reader_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/mapping/mapping_testing.h"

namespace fensi::mapping {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = PlannedReference::Kind;

ReaderPlan PlanOf(const std::string& row, const std::string& unknown = "") {
  const auto index = LoadIndex({"row: '" + row + "'", "columns: { 'f:q': '{f:v}' }"});
  return PlanReader(*index, [unknown](std::string_view function) { return function != unknown; });
}

TEST(ReaderPlan, HasThePartsOfAKeyInTheOrderInWhichAReaderGivesThem) {
  const ReaderPlan plan = PlanOf("{row | salt 4}{f:a | terminated}{f:t | int | from_s | seconds | to_be 4}{row}");
  ASSERT_THAT(plan.key, SizeIs(3));
  EXPECT_EQ(plan.key[0].name, "f:a");
  EXPECT_THAT(plan.key[0].decides, ElementsAre(1));
  EXPECT_EQ(plan.key[1].units, 1000);
  EXPECT_EQ(plan.key[2].name, "row");
  EXPECT_THAT(plan.key[2].decides, ElementsAre(0, 3));
  EXPECT_THAT(plan.row[0].salts, SizeIs(4));
  EXPECT_THAT(plan.row[1].salts, IsEmpty());
  EXPECT_THAT(plan.stored, IsEmpty());
}

TEST(ReaderPlan, BeginsAPartBehindTheLastFunctionThatIsNotRepeated) {
  const ReaderPlan plan = PlanOf("{f:a | lower | reverse | hex | terminated}{f:a | terminated}{row}", "reverse");
  const PlannedPart& part = plan.row[0];
  EXPECT_EQ(part.reference->kind, Kind::kStored);
  EXPECT_EQ(part.reference->name, "f:a | lower | reverse");
  ASSERT_THAT(part.steps, SizeIs(2));
  EXPECT_EQ(part.steps[0].function, "hex");
  EXPECT_TRUE(part.terminated);
  EXPECT_EQ(plan.row[1].reference->kind, Kind::kColumn);
  EXPECT_THAT(plan.stored, ElementsAre("f:a | lower | reverse"));
  ASSERT_THAT(plan.key, SizeIs(3));  // the value itself does not decide the stored form
  EXPECT_THAT(plan.key[0].decides, ElementsAre(0));
  EXPECT_THAT(plan.key[1].decides, ElementsAre(1));
}

TEST(ReaderPlan, TakesNoNumberForAStoredForm) {
  const ReaderPlan number = PlanOf("{f:a | int | mul 3 | to_be 4}{row}", "mul");
  EXPECT_EQ(number.row[0].reference->name, "f:a | int | mul 3 | to_be 4");
  EXPECT_THAT(number.row[0].steps, IsEmpty());
  const ReaderPlan time = PlanOf("{f:a | iso_time | seconds | to_be 4}{row}", "iso_time");
  EXPECT_EQ(time.row[0].reference->kind, Kind::kStoredTime);
  ASSERT_THAT(time.row[0].steps, SizeIs(2));
  EXPECT_EQ(time.row[0].steps[0].in, PlannedType::kTime);
}

TEST(ReaderPlan, HasTheWidthOfAStoredFormIfAllHaveTheSame) {
  const auto width = [](const std::string& row, const std::string& unknown) {
    return PlanOf(row, unknown).key[0].width;
  };
  EXPECT_EQ(width("{({f:a},{f:b}) | geohash 9}{row}", "geohash"), 9U);
  EXPECT_EQ(width("{({f:a},{f:b}) | geohash 9 | upper | terminated}{row}", "geohash"), 9U);
  EXPECT_EQ(width("{({f:a | fixed 2}{f:b | fixed 3}) | hex}{row}", ""), 5U);
  EXPECT_EQ(width("{f:a | md5 | first 3 | hex}{f:a | md5 | last 2 | hex}{row}", "md5"), 16U);
  EXPECT_EQ(width("{({f:a},{f:b}) | geohash 4 | default none}{row}", "geohash"), 4U);
  EXPECT_EQ(width("{({f:a},{f:b}) | geohash 9 | default none | terminated}{row}", "geohash"), std::nullopt);
  EXPECT_EQ(width("{f:a | reverse | terminated}{row}", "reverse"), std::nullopt);
  EXPECT_EQ(width("{f:a | md5}{row}", ""), std::nullopt) << "no stored form";
}

TEST(ReaderPlan, SaysWhetherEachIsOverAList) {
  const auto plan = [](const std::string& each) {
    return PlanReader(*LoadIndex({each, "row: '{row}'", "columns: { 'f:q': '{f:v}' }"}), [](auto) { return true; });
  };
  EXPECT_TRUE(plan("each: '{f:tags | split \",\"}'").of_items) << "no template uses {item}";
  EXPECT_FALSE(plan("each: 'g:a*'").of_items);
  EXPECT_FALSE(PlanOf("{row}").of_items);
}

TEST(ReaderPlan, SaysWhetherNegativeNumbersComeLast) {
  EXPECT_EQ(PlanOf("{f:a | i64 | to_be 8}{row}").row[0].steps[1].order, PlannedStep::Order::kSigned);
  EXPECT_EQ(PlanOf("{f:a | u64 | to_be 8}{row}").row[0].steps[1].order, PlannedStep::Order::kUnsigned);
  EXPECT_EQ(PlanOf("{f:a | i64 | descending | to_be 8}{row}").row[0].steps[1].order, PlannedStep::Order::kDown);
}

}  // namespace
}  // namespace fensi::mapping
