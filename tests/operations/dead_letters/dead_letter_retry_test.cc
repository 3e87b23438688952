#include "operations/dead_letters/dead_letter_retry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "consumer/codec/request.h"
#include "consumer/kafka/client/partitioner.h"
#include "tests/operations/dead_letters/memory_letters.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

using consumer::MessageWriter;
using consumer::PartitionedMessage;
using consumer::Placing;
using ::testing::Pair;

constexpr char kIncarnation[] = "0123456789abcdef";

/// Topics in memory: what goes to the dead letters is read again.
class TopicsInMemory final : public MessageWriter {
 public:
  struct Written {
    std::string topic;
    int32_t partition = 0;
    std::string key;
    std::string value;
    uint32_t replays = 0;
  };
  explicit TopicsInMemory(MemoryLetters* letters) : letters_(letters) {}

  Result<std::vector<Placing>> WriteAll(const std::string& topic,
                                        const std::vector<PartitionedMessage>& messages) override {
    const bool is_ledger = topic == "fensi.dead";
    if (is_ledger && --ledgers_to_death < 0) return Status(StatusCode::kUnavailable, "died before the ledger");
    most_at_once = std::max(most_at_once, messages.size());
    std::vector<Placing> placings;
    for (const PartitionedMessage& message : messages) {
      Placing& placing = placings.emplace_back();
      placing.offset = static_cast<int64_t>(written.size());
      if (std::string(message.key) == refused) {
        placing.status = Status(StatusCode::kRejected, "too large");
      } else if (is_ledger) {
        letters_->Add(std::string(message.value));
      } else {
        written.push_back(
            {topic, message.partition, std::string(message.key), std::string(message.value), message.replays});
      }
    }
    return placings;
  }

  std::vector<Written> written;
  size_t most_at_once = 0;
  int ledgers_to_death = INT32_MAX;
  std::string refused = "nobody";

 private:
  MemoryLetters* const letters_;
};

class DeadLetterRetryTest : public ::testing::Test {
 protected:
  DeadLetterRetryTest() : writer_(&letters_) {
    options_.filter.state = LetterState::kOpen;
    options_.stream = {.name = "guanzhu", .partitions = 1};
    options_.requests = {.name = "fensi.requests", .partitions = 1};
    options_.source_table = "guanzhu";
    options_.incarnation = kIncarnation;
  }

  struct Ended {
    Status status;
    int64_t planned = 0, sent = 0, unnamed = 0;
    std::map<std::string, DeadLetterRetry::Left> left;
  };

  Ended Replay() {
    DeadLetterLog parked(&letters_, "fensi");
    EXPECT_TRUE(parked.ReadLedger().ok());
    LedgerWriter ledger(&writer_, "fensi.dead", Entry(consumer::Resolution::Action::kReplayed, {}));
    DeadLetterRetry replay(&parked, options_);
    Status status = replay.Plan();
    if (status.ok()) status = replay.Execute(&writer_, &ledger);
    return {status, replay.planned(), replay.sent(), replay.unnamed(), replay.left()};
  }

  LetterState StateOf(int64_t offset) {
    DeadLetterLog parked(&letters_, "fensi");
    EXPECT_TRUE(parked.ReadLedger().ok());
    return parked.StateOf({0, offset});
  }

  /// A letter whose bytes are no event.
  static consumer::DeadLetter Garbage(int64_t offset) {
    consumer::DeadLetter letter = Letter(offset, "undecodable");
    letter.row.clear();
    return letter;
  }
  void NameUndecodable() { options_.filter.kinds = {"undecodable"}; }

  MemoryLetters letters_;
  TopicsInMemory writer_;
  ReplayOptions options_;
};

TEST_F(DeadLetterRetryTest, WhatTheStateKnowsIsALookAtItsRowAndNeverTheSameBytes) {
  for (const char* kind : {"unmappable", "rejected", "unanswerable", "outside_keep", "of-a-newer-fensi"}) {
    letters_.Add(Letter(static_cast<int64_t>(writer_.written.size()) + 7, kind));
    EXPECT_EQ(Replay().sent, 1) << kind;
    const TopicsInMemory::Written& last = writer_.written.back();
    EXPECT_EQ(last.topic, "fensi.requests");
    EXPECT_EQ(last.replays, 1u);
    const Result<consumer::Request> request = consumer::DecodeRequest(last.key, last.value);
    ASSERT_TRUE(request.ok()) << request.status().ToString();
    EXPECT_EQ(request->kind, consumer::Request::Kind::kRecheck);
    EXPECT_EQ(request->table, "guanzhu");
    EXPECT_EQ(request->row, "r" + std::to_string(writer_.written.size() + 6));
    EXPECT_EQ(request->incarnation, kIncarnation);
    EXPECT_THAT(request->columns, IsEmpty()) << "all of the row";
  }
  EXPECT_EQ(Replay().sent, 0) << "none is open any more";
}

TEST_F(DeadLetterRetryTest, WhatNeverWasAnEventGoesBackByteForByteUnderItsKey) {
  consumer::DeadLetter letter = Garbage(7);
  letter.original = std::string("\0\xff bytes", 8);
  letters_.Add(letter);
  NameUndecodable();
  EXPECT_EQ(Replay().sent, 1);
  ASSERT_EQ(writer_.written.size(), 1u);
  EXPECT_EQ(writer_.written[0].topic, "guanzhu");
  EXPECT_EQ(writer_.written[0].key, "r7");
  EXPECT_EQ(writer_.written[0].value, letter.original);
  EXPECT_EQ(writer_.written[0].replays, 1u);
  EXPECT_EQ(StateOf(0), LetterState::kRetried);
}

TEST_F(DeadLetterRetryTest, OfARequestThatNamedAForeignCellTheRowIsLookedAt) {
  consumer::DeadLetter request = Letter(1, "undecodable");
  request.topic = "fensi.requests";
  letters_.Add(request);
  request.row.clear();  // whose bytes are none at all
  request.original = "garbage";
  letters_.Add(request);
  NameUndecodable();
  EXPECT_EQ(Replay().sent, 2);
  ASSERT_EQ(writer_.written.size(), 2u);
  EXPECT_EQ(writer_.written[0].value, "garbage");
  EXPECT_TRUE(consumer::IsRequest(writer_.written[1].value));
}

TEST_F(DeadLetterRetryTest, ManyLettersOfARowAreOneLook) {
  for (int64_t i = 0; i < 500; ++i) {
    consumer::DeadLetter letter = Letter(i);
    letter.row = i % 2 == 0 ? "even" : "odd";
    letter.replays = static_cast<uint32_t>(i % 3);
    letters_.Add(letter);
  }
  EXPECT_EQ(Replay().sent, 500);
  ASSERT_EQ(writer_.written.size(), 2u);
  EXPECT_EQ(writer_.written[0].replays, 3u) << "as often as the one of them that came most often";
  for (const int64_t i : {0, 1, 499}) EXPECT_EQ(StateOf(i), LetterState::kRetried) << i;
}

TEST_F(DeadLetterRetryTest, WhoDiesBeforeTheLedgerSendsOnceMoreAndNothingIsLost) {
  for (int64_t i = 0; i < 2500; ++i) letters_.Add(Letter(i));
  writer_.ledgers_to_death = 1;
  const Ended died = Replay();
  EXPECT_EQ(died.status.code(), StatusCode::kUnavailable);
  EXPECT_EQ(writer_.written.size(), 2000u) << "two chunks, of which one is noted";
  writer_.ledgers_to_death = INT32_MAX;
  EXPECT_EQ(Replay().sent, 1500);
  for (const int64_t i : {0, 999, 1000, 2499}) EXPECT_EQ(StateOf(i), LetterState::kRetried) << i;
  EXPECT_EQ(Replay().sent, 0);
}

TEST_F(DeadLetterRetryTest, WhatTheBrokerRefusesStaysOpenAndTheOthersAreNoted) {
  for (int64_t i = 0; i < 3; ++i) letters_.Add(Letter(i));
  writer_.refused = "r1";
  const Ended ended = Replay();
  EXPECT_EQ(ended.status.code(), StatusCode::kRejected);
  EXPECT_THAT(ended.status.message(), HasSubstr("dead letter 0/1"));
  EXPECT_EQ(StateOf(0), LetterState::kRetried);
  EXPECT_EQ(StateOf(1), LetterState::kOpen);
  EXPECT_EQ(StateOf(2), LetterState::kRetried);
}

TEST_F(DeadLetterRetryTest, ALetterThatCameBackThreeTimesNeedsForce) {
  for (const uint32_t replays : {2, 3, 4}) {
    consumer::DeadLetter letter = Letter(replays);
    letter.replays = replays;
    letters_.Add(letter);
  }
  const Ended ended = Replay();
  EXPECT_EQ(ended.sent, 1);
  EXPECT_EQ(writer_.written[0].replays, 3u);
  ASSERT_EQ(ended.left.size(), 1u);
  EXPECT_THAT(ended.left.begin()->first, HasSubstr("--force"));
  EXPECT_EQ(ended.left.begin()->second.letters, 2);
  EXPECT_EQ(ended.left.begin()->second.first, (Place{0, 1}));
  options_.force = true;
  EXPECT_EQ(Replay().sent, 2);
}

TEST_F(DeadLetterRetryTest, WhatNobodyCouldDecodeIsSentOnlyWhenNamed) {
  letters_.Add(Garbage(1));
  consumer::DeadLetter unsaid = Garbage(2);
  unsaid.kind.clear();  // of a fensi that did not say
  letters_.Add(unsaid);
  letters_.Add(Letter(3, ""));  // that did not say either, and knew its row
  const Ended ended = Replay();
  EXPECT_EQ(ended.sent, 1);
  EXPECT_EQ(ended.unnamed, 2);
  EXPECT_EQ(writer_.written[0].key, "r3");
  NameUndecodable();
  EXPECT_EQ(Replay().sent, 1);
  options_.filter = {.places = {{0, 1}}};
  EXPECT_EQ(Replay().sent, 1);
}

TEST_F(DeadLetterRetryTest, WhatIsEndedIsNotTakenAgainUnlessItsStateIsAskedFor) {
  letters_.Add(Letter(1));
  letters_.Add(Letter(2));
  letters_.Add(Entry(consumer::Resolution::Action::kDropped, {{1, 1}}));
  options_.filter = {.places = {{0, 0}, {0, 1}}};
  const Ended ended = Replay();
  EXPECT_EQ(ended.sent, 1);
  EXPECT_THAT(ended.left, ElementsAre(Pair(HasSubstr("--state discarded"), ::testing::_)));
  options_.ended_too = true;
  options_.filter.state = LetterState::kDiscarded;
  EXPECT_EQ(Replay().sent, 1);
}

TEST_F(DeadLetterRetryTest, ALetterThatTheTopicForgotIsNamed) {
  letters_.begin = 100;  // the log lost what was before
  letters_.Add(Letter(1));
  options_.filter = {.places = {{0, 99}, {0, 100}, {3, 0}}};
  const Ended ended = Replay();
  EXPECT_EQ(ended.sent, 1);
  ASSERT_EQ(ended.left.size(), 1u);
  EXPECT_THAT(ended.left.begin()->first, HasSubstr("or Kafka deleted it"));
  EXPECT_EQ(ended.left.begin()->second.letters, 2);
}

TEST_F(DeadLetterRetryTest, PartsWhoseBeginTheTopicForgotAreNoLetter) {
  consumer::DeadLetter large = Garbage(1);
  large.original.assign(5000, 'x');
  const std::vector<std::string> parts = consumer::EncodeDeadLetterParts(large, 5, 3000);
  ASSERT_GE(parts.size(), 2u);
  letters_.Add(parts.back());
  NameUndecodable();
  EXPECT_EQ(Replay().sent, 0);
  letters_.Add(parts.front());
  const Ended ended = Replay();
  EXPECT_EQ(ended.sent, 0);
  EXPECT_THAT(ended.left, ElementsAre(Pair(HasSubstr("parts of it are missing"), ::testing::_)));
}

TEST_F(DeadLetterRetryTest, IntoATopicWithOtherPartitionsNothingGoesBack) {
  consumer::DeadLetter moved = Garbage(2);
  for (int64_t i = 0; consumer::PartitionOf(moved.original_key, 7) == 0; ++i) moved.original_key = std::to_string(i);
  letters_.Add(moved);
  consumer::DeadLetter beyond = Garbage(3);
  beyond.original_key.clear();
  beyond.partition = 9;
  letters_.Add(beyond);
  options_.stream.partitions = 7;
  NameUndecodable();
  const Ended ended = Replay();
  EXPECT_THAT(ended.left, ElementsAre(Pair(HasSubstr("has 7 partitions"), ::testing::_)));
  EXPECT_EQ(ended.left.begin()->second.letters, 2);
  EXPECT_THAT(writer_.written, IsEmpty());
}

TEST_F(DeadLetterRetryTest, ARowIsAskedForInThePartitionOfTodayWhereverItsLetterCameFrom) {
  consumer::DeadLetter letter = Letter(1);
  letter.partition = 3;  // of a topic that had others
  letters_.Add(letter);
  options_.stream.partitions = options_.requests.partitions = 7;
  EXPECT_EQ(Replay().sent, 1);
  EXPECT_EQ(writer_.written[0].partition, consumer::PartitionOf("r1", 7));
}

TEST_F(DeadLetterRetryTest, WhereNobodyCanBeAskedNothingIsSentAtAll) {
  options_.filter = {.kinds = {"undecodable", "rejected"}, .state = LetterState::kOpen};
  letters_.Add(Garbage(1));
  letters_.Add(Letter(2, "rejected"));
  options_.may_ask = Status(StatusCode::kConfiguration, "no topic of requests");
  EXPECT_EQ(Replay().status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(writer_.written, IsEmpty());
  NameUndecodable();
  EXPECT_EQ(Replay().sent, 1) << "for which nobody is asked";
}

TEST_F(DeadLetterRetryTest, ToATopicThatIsNotOfTheIndexNothingIsSentWhateverALetterSays) {
  consumer::DeadLetter planted = Garbage(1);
  planted.topic = "payments";
  letters_.Add(planted);
  planted = Letter(2);
  planted.topic = "payments";
  letters_.Add(planted);
  options_.filter.kinds = {"undecodable", "unmappable"};
  const Ended ended = Replay();
  EXPECT_TRUE(ended.status.ok());
  EXPECT_THAT(writer_.written, IsEmpty());
  EXPECT_THAT(ended.left, ElementsAre(Pair(HasSubstr("it comes from a topic that index"), ::testing::_)));
}

TEST_F(DeadLetterRetryTest, ARowThatCannotBeIsLeftAndNamed) {
  consumer::DeadLetter letter = Letter(1);
  letter.row.clear();
  letters_.Add(letter);
  letter.row.assign(40'000, 'x');
  letters_.Add(letter);
  letters_.Add("a stranger's");
  consumer::DeadLetter other = Letter(3);
  other.index = "other";
  letters_.Add(other);
  EXPECT_EQ(Replay().sent, 0);
  EXPECT_THAT(Replay().left.begin()->first, HasSubstr("it has no valid row key"));
  EXPECT_THAT(writer_.written, IsEmpty());
}

TEST_F(DeadLetterRetryTest, WhatIsLargerThanTheTopicTakesIsLeftWithTheRemedy) {
  consumer::DeadLetter large = Garbage(1);
  large.original.assign(5000, 'x');
  for (const std::string& part : consumer::EncodeDeadLetterParts(large, 5, 3000)) letters_.Add(part);
  letters_.Add(Garbage(2));
  options_.stream.max_message_bytes = 4000;
  NameUndecodable();
  const Ended ended = Replay();
  EXPECT_EQ(ended.sent, 1);
  EXPECT_THAT(ended.left, ElementsAre(Pair(HasSubstr("max.message.bytes"), ::testing::_)));
  options_.stream.max_message_bytes = 8000;
  EXPECT_EQ(Replay().sent, 1);
  EXPECT_EQ(writer_.written[1].value, large.original) << "of all its parts";
}

TEST_F(DeadLetterRetryTest, ARowWhoseRequestIsLargerThanTheTopicTakesIsLeftWithTheRemedy) {
  consumer::DeadLetter letter = Letter(1);
  letter.row = letter.original_key = std::string(32'767, 'r');
  letters_.Add(letter);
  options_.requests.max_message_bytes = 66'000;
  const Ended ended = Replay();
  EXPECT_EQ(ended.sent, 0);
  EXPECT_THAT(ended.left, ElementsAre(Pair(HasSubstr("it is larger than topic fensi.requests takes"), ::testing::_)));
  options_.requests.max_message_bytes = 70'000;
  EXPECT_EQ(Replay().sent, 1);
}

TEST_F(DeadLetterRetryTest, AtMostSoManyAreSentAndTheRestLater) {
  for (int64_t i = 0; i < 10; ++i) letters_.Add(Letter(i));
  options_.most = 4;
  for (const int64_t sent : {4, 4, 2, 0}) EXPECT_EQ(Replay().sent, sent);
}

TEST_F(DeadLetterRetryTest, LettersBetweenThoseThatWereMeantStayOpen) {
  for (int64_t i = 0; i < 9; ++i) letters_.Add(Letter(i, i % 3 == 1 ? "rejected" : "unmappable"));
  options_.filter.kinds = {"unmappable"};
  EXPECT_EQ(Replay().sent, 6);
  for (int64_t i = 0; i < 9; ++i) EXPECT_EQ(StateOf(i) == LetterState::kOpen, i % 3 == 1) << i;
}

TEST_F(DeadLetterRetryTest, TwoAtOnceSendTwiceAndTheLedgerIsRight) {
  letters_.Add(Letter(1));
  DeadLetterLog first(&letters_, "fensi"), second(&letters_, "fensi");
  ASSERT_TRUE(first.ReadLedger().ok());
  ASSERT_TRUE(second.ReadLedger().ok());
  for (DeadLetterLog* parked : {&first, &second}) {
    LedgerWriter ledger(&writer_, "fensi.dead", Entry(consumer::Resolution::Action::kReplayed, {}));
    EXPECT_TRUE(DeadLetterRetry(parked, options_).Execute(&writer_, &ledger).ok());
  }
  EXPECT_EQ(writer_.written.size(), 2u) << "which is harmless: to look at a row twice changes nothing but versions";
  EXPECT_EQ(StateOf(0), LetterState::kRetried);
}

TEST_F(DeadLetterRetryTest, WhoIsStoppedHasNotedWhatHeSent) {
  for (int64_t i = 0; i < 3000; ++i) letters_.Add(Letter(i));
  int asked = 0;
  options_.stopped = [&asked] { return ++asked > 3000 + 1500; };  // in the middle of the work behind the plan
  EXPECT_EQ(Replay().status.code(), StatusCode::kCancelled);
  EXPECT_EQ(writer_.written.size(), 1000u);
  EXPECT_EQ(StateOf(999), LetterState::kRetried);
  EXPECT_EQ(StateOf(1000), LetterState::kOpen);
}

TEST_F(DeadLetterRetryTest, HundredsOfThousandsAreSentInChunksAndEachIsNoted) {
#ifdef FENSI_SANITIZED
  constexpr int64_t kLetters = 20'000;
#else
  constexpr int64_t kLetters = 200'000;
#endif
  for (int64_t i = 0; i < kLetters; ++i) letters_.Add(Letter(i));
  EXPECT_EQ(Replay().sent, kLetters);
  EXPECT_EQ(writer_.written.size(), static_cast<size_t>(kLetters));
  EXPECT_EQ(writer_.most_at_once, 1000u);
  EXPECT_EQ(Replay().planned, 0);
}

}  // namespace
}  // namespace fensi::operations
