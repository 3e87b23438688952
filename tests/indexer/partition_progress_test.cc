// What who asks an index learns of it from its own row.
#include "indexer/partition_progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "indexer/meta_row.h"
#include "tests/indexer/support/rules.h"
#include "tests/indexer/support/world.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using ::testing::Pair;

class OwnerProgressTest : public ::testing::Test {
 protected:
  void Keep(const std::string& column, const std::string& value) {
    Must(indexer::MetaRow(&world_.index(), world_.store()).Write(column, 5, value));
  }
  Result<indexer::PartitionProgress> Read() { return indexer::ReadPartitionProgress(world_.index(), world_.store()); }
  Status Require(int32_t partitions) {
    return indexer::RequireAllPartitionsInitialized(world_.index(), *Read(), partitions);
  }

  World world_{ValueRule(), true};
};

TEST_F(OwnerProgressTest, OfAnIndexThatNobodyOpenedNothingIsKnown) {
  EXPECT_EQ(Read()->incarnation, "");
  const Status status = Require(1);
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(), HasSubstr("no 'fensi run' has begun index"));
}

TEST_F(OwnerProgressTest, EveryPartitionMustHaveBegun) {
  Keep("incarnation", "0123456789abcdef");
  Keep("birth/" + world_.index().topic() + "/0", "0");
  Keep("birth/another/1", "0");
  Must(Require(1));
  const Status status = Require(2);
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(), HasSubstr("has not begun partition 1"));
  Keep("birth/" + world_.index().topic() + "/1", "7");
  Must(Require(2));
}

TEST_F(OwnerProgressTest, TellsHowFarRequestsAreDone) {
  Keep("requests/0", "3 7 aaaaaaaaaaaaaaaa");
  Keep("requests/11", "5 5 bbbbbbbbbbbbbbbb");
  Keep("requests/x", "9 9 cccccccccccccccc");
  EXPECT_THAT(Read()->done, ElementsAre(Pair(0, 3), Pair(11, 5)));
}

TEST_F(OwnerProgressTest, ThatOfAnotherIncarnationProvesNothing) {
  const std::string asked = "0123456789abcdef";
  Keep("incarnation", asked);
  EXPECT_TRUE(indexer::CheckIncarnation(world_.index(), *Read(), asked).ok());
  world_.Reset();
  EXPECT_THAT(indexer::CheckIncarnation(world_.index(), *Read(), asked).message(), HasSubstr("inverse_state has none"));
  Keep("incarnation", "fedcba9876543210");
  Keep("requests/0", "9 9 aaaaaaaaaaaaaaaa");
  const Status replaced = indexer::CheckIncarnation(world_.index(), *Read(), asked);
  EXPECT_EQ(replaced.code(), StatusCode::kConfiguration);
  EXPECT_THAT(replaced.message(), HasSubstr("this process works for incarnation 0123456789abcdef, and state "
                                            "table inverse_state has incarnation fedcba9876543210"));
}

TEST_F(OwnerProgressTest, APositionThatIsNoneIsNamed) {
  Keep("requests/0", "rubbish");
  EXPECT_EQ(Read().status().code(), StatusCode::kInternal);
  EXPECT_THAT(Read().status().message(), HasSubstr("i:requests/0"));
}

}  // namespace
}  // namespace fensi::testing
