// What the log says of an index while it runs: partitions that come and go, dead letters, and a mapping that no event
// fits.
#include "daemon/indexes/index_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fensi::daemon {
namespace {

using consumer::GroupPhase;
using consumer::GroupState;
using indexer::Counters;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class IndexWatchTest : public ::testing::Test {
 protected:
  std::vector<std::string> Told() {
    std::vector<std::string> told;
    for (const LogEntry& due : watch_.Note(group_, counts_)) {
      EXPECT_EQ(due.fields.index, "x");
      told.push_back(std::string(due.event.rule().name) + ": " + due.text);
    }
    return told;
  }
  void Assign(std::vector<int32_t> partitions) {
    ++group_.assignments;
    group_.partitions = std::move(partitions);
    group_.phase = GroupPhase::kMember;
  }

  GroupState group_;
  Counters counts_;
  IndexWatch watch_{{.index = "x",
                     .topic = "t",
                     .group = "g",
                     .list_dead_letters = "fensi dead-letters list m.yaml x --source kafka://b:1",
                     .source = "s",
                     .watches = "f:q"}};
};

TEST_F(IndexWatchTest, SaysNothingWhileNothingHappens) { EXPECT_THAT(Told(), IsEmpty()); }

TEST_F(IndexWatchTest, TellsWhichPartitionsItIsGivenAndAskedToGiveBack) {
  Assign({0, 1, 2, 5});
  EXPECT_THAT(Told(), ElementsAre("partitions_assigned: index x: group g has given this daemon 4 partitions of topic "
                                  "t: 0 to 2, 5"));
  EXPECT_THAT(Told(), IsEmpty());
  ++group_.revocations;
  Assign({0, 1});
  EXPECT_THAT(Told(), ElementsAre("partitions_revoked: index x: group g takes back partitions 0 to 2, 5 of topic t to "
                                  "give the partitions out again",
                                  "partitions_assigned: index x: group g has given this daemon 2 partitions of topic "
                                  "t: 0, 1"));
  ++group_.revocations;
  Assign({});
  EXPECT_THAT(Told(),
              ElementsAre(HasSubstr("partitions_revoked"), HasSubstr("no partition of topic t: other members")));
}

TEST_F(IndexWatchTest, TellsOfOneLossForOneSilence) {
  Assign({0, 1});
  (void)Told();
  group_.phase = GroupPhase::kSilent;
  ++group_.fenced;
  EXPECT_THAT(Told(), ElementsAre(AllOf(HasSubstr("partitions_lost: index x: lost partitions 0, 1 of topic t"),
                                        HasSubstr("silent for too long"))));
  EXPECT_THAT(Told(), IsEmpty());
  group_.phase = GroupPhase::kLost;
  ++group_.losses;
  group_.partitions.clear();
  EXPECT_THAT(Told(), IsEmpty()) << "the same loss, as the group sees it";
  group_.age = std::chrono::seconds(43);
  EXPECT_THAT(WhyWithoutPartitions(group_),
              AllOf(HasSubstr("lost its partitions 43 s ago"), HasSubstr("not admitted this daemon again yet")));
  Assign({1});
  EXPECT_THAT(Told(), ElementsAre(HasSubstr("has given this daemon 1 partition of topic t: 1")));
  EXPECT_EQ(WhyWithoutPartitions(group_), "");
}

TEST_F(IndexWatchTest, TellsOfPartitionsThatAreKeptAfterASilence) {
  Assign({0});
  (void)Told();
  group_.phase = GroupPhase::kSilent;
  ++group_.fenced;
  (void)Told();
  group_.phase = GroupPhase::kMember;
  EXPECT_THAT(Told(), ElementsAre(HasSubstr("group g has kept for this daemon 1 partition of topic t: 0")));
}

TEST_F(IndexWatchTest, TellsOfALossThatTheGroupAloneKnows) {
  Assign({7});
  (void)Told();
  group_.phase = GroupPhase::kLost;
  ++group_.losses;
  EXPECT_THAT(Told(), ElementsAre(HasSubstr("lost partitions 7 of topic t: group g has given them to others")));
}

TEST_F(IndexWatchTest, NewDeadLettersHaveTheirReasonAndTheCommandThatListsThem) {
  counts_.letters_of[1] = 2;
  EXPECT_THAT(
      Told(),
      ElementsAre("dead_letters: index x: 2 new dead letters, reason unmappable. To list the dead letters, enter: "
                  "fensi dead-letters list m.yaml x --source kafka://b:1"));
  EXPECT_THAT(Told(), IsEmpty());
  counts_.letters_of[1] = 3;
  counts_.letters_of[2] = 1;
  EXPECT_THAT(Told(), ElementsAre(HasSubstr("1 new dead letter, reason unmappable"),
                                  HasSubstr("1 new dead letter, reason rejected")));
}

TEST_F(IndexWatchTest, ManyEventsWithoutAWatchedColumnAreToldOnce) {
  counts_.events = IndexWatch::kManyUntouched + 5;
  counts_.skipped = 6;
  EXPECT_THAT(Told(), IsEmpty());
  counts_.skipped = 5;
  EXPECT_THAT(Told(), ElementsAre(AllOf(
                          HasSubstr("no_event_matches: index x: fensi has read 10,000 events of table s, and none"),
                          HasSubstr("(f:q)"))));
  counts_.events = 50'000;
  EXPECT_THAT(Told(), IsEmpty());
}

TEST_F(IndexWatchTest, AnEventThatGaveAnEntryIsEnough) {
  counts_.events = 50'000;
  counts_.puts = 1;
  EXPECT_THAT(Told(), IsEmpty());
}

TEST_F(IndexWatchTest, WhoWasNeverLetInOrIsBeingShuffledSaysSo) {
  EXPECT_EQ(WhyWithoutPartitions(group_), "the consumer group has not admitted this daemon yet");
  Assign({0});
  group_.phase = GroupPhase::kRevoked;
  group_.age = std::chrono::seconds(3);
  EXPECT_EQ(WhyWithoutPartitions(group_), "the consumer group has been assigning the partitions again for 3 s");
}

}  // namespace
}  // namespace fensi::daemon
