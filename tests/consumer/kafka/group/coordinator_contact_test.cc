#include "consumer/kafka/group/coordinator_contact.h"

#include <gtest/gtest.h>

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

TEST(CoordinatorContact, IsTheSilenceOfTheLogicalBroker) {
  EXPECT_EQ(CoordinatorSilence(R"({"brokers":{"b:1/1":{"source":"learned","rxidle":1000},
                                              "GroupCoordinator":{"source":"logical","rxidle":2500000}}})"),
            milliseconds(2500));
}

TEST(CoordinatorContact, IsUnknownWhenThereIsNoConnection) {
  EXPECT_EQ(CoordinatorSilence(R"({"brokers":{"GroupCoordinator":{"source":"logical","rxidle":-1}}})"), std::nullopt);
  EXPECT_EQ(CoordinatorSilence(R"({"brokers":{"b:1/1":{"source":"learned","rxidle":1000}}})"), std::nullopt);
}

TEST(WithoutLeader, ArePartitionsThatAreReadAndThatNobodyLeads) {
  const char* text = R"({"topics":{"t":{"partitions":{"0":{"partition":0,"leader":1,"desired":true},
      "1":{"partition":1,"leader":-1,"desired":true}, "2":{"partition":2,"leader":-1,"desired":false}}}}})";
  EXPECT_EQ(WithoutLeader(text, "t"), std::vector<int32_t>{1});
  EXPECT_TRUE(WithoutLeader(text, "u").empty());
  for (const char* none : {"", "{", "[]", "7", R"({"topics":7})", R"({"topics":{"t":{"partitions":{"0":7}}}})"}) {
    EXPECT_TRUE(WithoutLeader(none, "t").empty()) << none;
  }
}

TEST(CoordinatorContact, IsUnknownWhenTheStatisticsAreNone) {
  for (const char* text : {"", "{", "[]", "7", R"({"brokers":7})", R"({"brokers":{"x":7}})"}) {
    EXPECT_EQ(CoordinatorSilence(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace fensi::consumer
