// A bulk load waits until a job has read the very meeting of it that the job had taken (M27).

#include "meta/bulk_loads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "meta/index_record.h"
#include "tests/meta/meta_world.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using meta::BulkLoads;
using meta::LoadedRegion;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

constexpr char kIncarnation[] = "1111111111111111";

LoadedRegion Load(const std::string& region, uint64_t sequence_id, int64_t met = 100) {
  return {.region = region, .sequence_id = sequence_id, .row = "row of " + region, .written = 50, .met = met};
}

class BulkLoadsTest : public ::testing::Test {
 protected:
  std::vector<LoadedRegion> Waiting() {
    const auto loads = loads_.Waiting();
    EXPECT_TRUE(loads.ok()) << loads.status().message();
    return loads.ok() ? *loads : std::vector<LoadedRegion>();
  }
  std::vector<std::string> Regions() {
    std::vector<std::string> regions;
    for (const LoadedRegion& load : Waiting()) regions.push_back(load.region);
    return regions;
  }
  MetaWorld world_;
  BulkLoads loads_{world_.Row(meta::LoadsRow("fensi")), kIncarnation};
};

TEST_F(BulkLoadsTest, WaitTheOldestFirstWithEverythingThatWasSaid) {
  ASSERT_TRUE(loads_.Note(Load("b", 7, 200)).ok());
  ASSERT_TRUE(
      loads_.Note({.region = "a \x01/", .sequence_id = 9, .row = std::string(1, '\0'), .written = 0, .met = 100}).ok());
  const std::vector<LoadedRegion> waiting = Waiting();
  ASSERT_EQ(waiting.size(), 2u);
  EXPECT_EQ(waiting[0].region, "a \x01/");
  EXPECT_EQ(waiting[0].row, std::string(1, '\0'));
  EXPECT_EQ(waiting[0].written, 0);
  EXPECT_EQ(waiting[1].row, "row of b");
  EXPECT_EQ(waiting[1].sequence_id, 7u);
  EXPECT_EQ(waiting[1].met, 200);
}

TEST_F(BulkLoadsTest, ALoadThatIsMetAgainIsOneLoad) {
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(loads_.Note(Load("a", 7)).ok());
  ASSERT_TRUE(loads_.Note(Load("a", 8)).ok());
  EXPECT_EQ(Waiting().size(), 2u);
}

TEST_F(BulkLoadsTest, LoadsWithoutARegionAreToldApartByTheirRows) {
  for (const char* row : {"m", "n"}) ASSERT_TRUE(loads_.Note({.row = row}).ok());
  EXPECT_EQ(Waiting().size(), 2u);
}

TEST_F(BulkLoadsTest, AJobForgetsWhatItHasTakenAndNothingElse) {
  ASSERT_TRUE(loads_.Note(Load("a", 7)).ok());
  ASSERT_TRUE(loads_.Note(Load("b", 7)).ok());
  ASSERT_TRUE(loads_.Take("job", Waiting()).ok());
  ASSERT_TRUE(loads_.Note(Load("c", 7)).ok());
  ASSERT_TRUE(loads_.Note(Load("b", 7)).ok()) << "met again while the job reads";
  ASSERT_TRUE(loads_.Finish("job").ok());
  EXPECT_THAT(Regions(), ::testing::UnorderedElementsAre("b", "c"));
  ASSERT_TRUE(loads_.Finish("job").ok()) << "by another process, too";
  EXPECT_EQ(Waiting().size(), 2u);
}

TEST_F(BulkLoadsTest, ALoadThatIsMetAgainAfterItsEndWaitsAgain) {
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(loads_.Note(Load("a", 7)).ok());
    ASSERT_EQ(Waiting().size(), 1u) << "above the delete marker of the time before";
    ASSERT_TRUE(loads_.Take("job" + std::to_string(i), Waiting()).ok());
    ASSERT_TRUE(loads_.Finish("job" + std::to_string(i)).ok());
    ASSERT_THAT(Waiting(), IsEmpty());
  }
}

TEST_F(BulkLoadsTest, OfAnotherIncarnationAreOthers) {
  ASSERT_TRUE(loads_.Note(Load("a", 7)).ok());
  const BulkLoads later(world_.Row(meta::LoadsRow("fensi")), "2222222222222222");
  EXPECT_THAT(*later.Waiting(), IsEmpty());
}

TEST_F(BulkLoadsTest, AJobThatIsNotOnTheBoardForgetsNothing) {
  ASSERT_TRUE(loads_.Note(Load("a", 7)).ok());
  ASSERT_TRUE(loads_.Take("slower", Waiting()).ok());
  ASSERT_TRUE(loads_.Take("faster", Waiting()).ok());
  ASSERT_TRUE(loads_.ForgetJobsBut("faster").ok());
  ASSERT_TRUE(loads_.Finish("slower").ok());
  EXPECT_EQ(Waiting().size(), 1u);
  ASSERT_TRUE(loads_.Finish("faster").ok());
  EXPECT_THAT(Waiting(), IsEmpty());
}

TEST_F(BulkLoadsTest, ACellThatAPersonWroteIsNamed) {
  ASSERT_TRUE(world_.Row(meta::LoadsRow("fensi")).Write(std::string("load/") + kIncarnation + "/a/x", 1, "?").ok());
  EXPECT_EQ(loads_.Waiting().status().code(), StatusCode::kInternal);
}

TEST_F(BulkLoadsTest, TheWatermarkStaysBeforeALoadThatWaits) {
  const meta::IndexRecord record(world_.Row(meta::IndexRow("fensi")));
  ASSERT_TRUE(record.Register({kIncarnation, "fensi", "fensi_state", "guanzhu", "guanzhu", "abcd"}).ok());
  const auto note = [&](int64_t time) { return *record.NoteMarks(kIncarnation, {{{0, time}}, 1, "markers"}); };
  EXPECT_THAT(note(10), Optional(10));
  ASSERT_TRUE(loads_.Note(Load("a", 7)).ok());  // written at 50
  EXPECT_THAT(note(1'000), Optional(49));
  EXPECT_THAT((*record.Read())->complete, Optional(49));
  EXPECT_THAT((*record.Read())->reached, Optional(1'000)) << "changes reach the index all the same";
  ASSERT_TRUE(loads_.Take("job", Waiting()).ok());
  ASSERT_TRUE(loads_.Finish("job").ok());
  EXPECT_THAT(note(2'000), Optional(2'000));
  ASSERT_TRUE(loads_.Note({.region = "b", .row = "b", .written = 0}).ok());  // at an unknown time
  EXPECT_THAT(note(3'000), Optional(2'000));
}

TEST_F(BulkLoadsTest, WhetherHBaseReportsThemIsInTheRecordOfTheIndex) {
  const meta::IndexRecord record(world_.Row(meta::IndexRow("fensi")));
  ASSERT_TRUE(record.Register({kIncarnation, "fensi", "fensi_state", "guanzhu", "guanzhu", "abcd"}).ok());
  EXPECT_EQ((*record.Read())->bulk_loads, "");
  ASSERT_TRUE(record.NoteMarks(kIncarnation, {{{0, 5}}, 1, "markers", "not reported"}).ok());
  EXPECT_EQ((*record.Read())->bulk_loads, "not reported");
  ASSERT_TRUE(record.NoteMarks(kIncarnation, {{{0, 6}}, 1, "markers", "reported"}).ok());
  EXPECT_EQ((*record.Read())->bulk_loads, "reported");
}

}  // namespace
}  // namespace fensi::testing
