// Letters in a topic: read, ended, and what a consumer learns of one that was sent again.
#include <gtest/gtest.h>

#include "consumer/kafka/producer/partitioned_producer.h"
#include "operations/dead_letters/dead_letter_log.h"
#include "operations/dead_letters/ledger_writer.h"
#include "tests/consumer/kafka/source_fixture.h"
#include "tests/operations/dead_letters/memory_letters.h"

namespace fensi::operations {
namespace {

using consumer::Batch;
using consumer::KafkaSourceTest;

class DeadLetterTopicTest : public KafkaSourceTest {
 protected:
  DeadLetterTopicTest() {
    MakeTopic(2);
    mock_.CreateTopic("fensi.dead", 2);
  }
  void Park(int32_t partition, const consumer::DeadLetter& letter) {
    mock_.Produce("fensi.dead", partition, letter.original_key, consumer::EncodeDeadLetter(letter, 5));
  }
};

TEST_F(DeadLetterTopicTest, EntriesOfTheLedgerStandInThePartitionOfTheirLettersAndAreReadBack) {
  Park(0, Letter(1));
  Park(1, Letter(2));
  mock_.Produce("fensi.dead", 1, "", "somebody else's");
  mock_.Flush();
  const auto producer = consumer::PartitionedProducer::Create({.cluster = mock_.cluster()});
  ASSERT_TRUE(producer.ok()) << producer.status().ToString();
  LedgerWriter ledger(producer->get(), "fensi.dead", Entry(consumer::Resolution::Action::kDropped, {}));
  ASSERT_TRUE(ledger.Note({{1, 0}}).ok());
  TopicLetters reader(mock_.cluster(), "fensi.dead", std::chrono::seconds(30));
  DeadLetterLog parked(&reader, "fensi");
  ASSERT_TRUE(parked.ReadLedger().ok());
  EXPECT_EQ(parked.unreadable(), 1);
  EXPECT_EQ(parked.StateOf({1, 0}), LetterState::kDiscarded);
  EXPECT_EQ(parked.StateOf({0, 0}), LetterState::kOpen);
}

TEST_F(DeadLetterTopicTest, AMessageTellsItsConsumerHowOftenItWasSentAgain) {
  const auto producer = consumer::PartitionedProducer::Create({.cluster = mock_.cluster()});
  ASSERT_TRUE(producer.ok()) << producer.status().ToString();
  const auto placed = (*producer)->WriteAll("changes", {{1, "k", "first", 2}, {1, "k", "second", 0}});
  ASSERT_TRUE(placed.ok() && placed->at(0).status.ok() && placed->at(1).status.ok());
  EXPECT_EQ(placed->at(1).offset, 1);
  const auto source = Source();
  const consumer::Work work = consumer::NextBatch(source.get());
  const auto& records = std::get<Batch>(work).records;
  EXPECT_EQ(records.at(0).value, "first");
  EXPECT_EQ(records.at(0).replays, 2u);
}

}  // namespace
}  // namespace fensi::operations
