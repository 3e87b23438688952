#include "consumer/part_joiner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace fensi::consumer {
namespace {

using ::testing::HasSubstr;

struct Message {
  std::string row;
  uint32_t part = 0;
  uint32_t parts = 0;
  uint64_t sequence_id = 1;
};

/// What comes out of messages at consecutive offsets.
class PartJoinerTest : public ::testing::Test {
 protected:
  void Take(const std::vector<Message>& messages) {
    for (const Message& message : messages) {
      ChangeEvent event{.table = "t", .row = message.row, .sequence_id = message.sequence_id};
      event.cells = {{.family = "f", .qualifier = message.row + std::to_string(message.part)}};
      const Result<bool> whole = joiner_.Take(offset_++, {message.part, message.parts}, &event);
      fault_ = whole.status();
      if (whole.ok() && *whole) events_.push_back(event);
    }
  }

  PartJoiner joiner_;
  int64_t offset_ = 5;
  std::vector<ChangeEvent> events_;
  Status fault_;
};

TEST_F(PartJoinerTest, LeavesWholeMutationsAsTheyAre) {
  Take({{"a"}, {"b"}});
  ASSERT_EQ(events_.size(), 2u);
  EXPECT_EQ(events_[1].row, "b");
  EXPECT_FALSE(joiner_.hold_from().has_value());
}

TEST_F(PartJoinerTest, PutsPartsTogetherWithOtherRowsInBetween) {
  Take({{"a", 1, 3}, {"b"}, {"a", 2, 3}, {"a", 3, 3}});
  ASSERT_EQ(events_.size(), 2u);
  EXPECT_EQ(events_[0].row, "b");
  ASSERT_EQ(events_[1].cells.size(), 3u);
  EXPECT_EQ(events_[1].cells[2].qualifier, "a3");
}

TEST_F(PartJoinerTest, TellsFromWhereItHoldsParts) {
  Take({{"a", 1, 2}});
  EXPECT_EQ(joiner_.hold_from(), 5);
  Take({{"b"}, {"c", 1, 2}, {"a", 2, 2}});
  EXPECT_EQ(joiner_.hold_from(), 7);
  Take({{"c", 2, 2}});
  EXPECT_FALSE(joiner_.hold_from().has_value());
}

TEST_F(PartJoinerTest, BeginsAnewWhenTheFirstPartComesAgain) {
  Take({{"a", 1, 3}, {"a", 2, 3}, {"a", 1, 3}, {"a", 2, 3}, {"a", 2, 3}, {"a", 3, 3}});
  ASSERT_EQ(events_.size(), 1u);
  EXPECT_EQ(events_[0].cells.size(), 3u);
}

TEST_F(PartJoinerTest, KeepsMutationsOfOneRowApart) {
  Take({{"a", 1, 2, 10}, {"a", 1, 2, 11}, {"a", 2, 2, 11}, {"a", 2, 2, 10}});
  ASSERT_EQ(events_.size(), 2u);
  EXPECT_EQ(events_[0].sequence_id, 11u);
  EXPECT_EQ(events_[1].sequence_id, 10u);
}

TEST_F(PartJoinerTest, APartWithoutThoseBeforeItIsNoEvent) {
  Take({{"a", 2, 3}});
  EXPECT_THAT(fault_.message(), HasSubstr("part 2 of a mutation of row a came without those before it"));
  Take({{"a", 1, 3}, {"a", 3, 3}});
  EXPECT_FALSE(fault_.ok());
  EXPECT_TRUE(events_.empty());
}

}  // namespace
}  // namespace fensi::consumer
