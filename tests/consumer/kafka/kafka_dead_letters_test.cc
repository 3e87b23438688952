#include "consumer/kafka/kafka_dead_letters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <thread>

#include "base/cut.h"
#include "consumer/dead_letters.h"
#include "proto/dead_letter.pb.h"
#include "tests/consumer/kafka/source_fixture.h"
#include "tests/doubles/fake_clock.h"
#include "tests/doubles/full_letter.h"
#include "tests/support/matchers.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

constexpr int16_t kProduce = 0;

const DeadLetter kLetter = FullLetter();

class KafkaDeadLettersTest : public ::testing::Test {
 protected:
  KafkaDeadLettersTest() {
    mock_.CreateTopic("letters", 1);
    options_.producer.cluster = mock_.cluster();
    options_.topic = "letters";
  }
  std::unique_ptr<KafkaDeadLetters> Letters() {
    auto letters = KafkaDeadLetters::Create(options_, &clock_);
    EXPECT_TRUE(letters.ok()) << letters.status().ToString();
    return std::move(*letters);
  }
  /// Until they are durable, as a worker does.
  static Status FlushWithRetry(KafkaDeadLetters* letters) {
    return RetryingDeadLetters(
               letters, SystemClock(), [] { return Status(); }, [](const std::string&) {})
        .Flush();
  }
  std::vector<proto::DeadLetter> Read() {
    std::vector<proto::DeadLetter> letters;
    for (const TopicTail::Message& message : mock_.ReadAll("letters")) {
      EXPECT_TRUE(letters.emplace_back().ParseFromString(message.value));
      EXPECT_LE(message.value.size(), options_.max_message_bytes);
    }
    return letters;
  }

  MockCluster mock_;
  FakeClock clock_;
  KafkaDeadLettersOptions options_;
};

TEST_F(KafkaDeadLettersTest, ATopicThatLostItsLettersEndsTheIndex) {
  const auto letters = Letters();
  ASSERT_TRUE(letters->Send(kLetter).ok());
  ASSERT_TRUE(FlushWithRetry(letters.get()).ok());
  ASSERT_TRUE(letters->Send(kLetter).ok());
  ASSERT_TRUE(FlushWithRetry(letters.get()).ok()) << "a log that grows";
  letters->producer()->DeliveredForTest("letters", 0, 100);
  ASSERT_TRUE(letters->Send(kLetter).ok());
  const Status lost = FlushWithRetry(letters.get());
  EXPECT_EQ(lost.code(), StatusCode::kGap);
  EXPECT_THAT(lost.message(),
              HasSubstr("topic letters partition 0: offset 2 follows offset 100. The topic was deleted"));
  EXPECT_THAT(lost.message(), HasSubstr("fensi verify"));
  EXPECT_EQ(Read().size(), 3u) << "the letter itself is there";
}

TEST_F(KafkaDeadLettersTest, KeepKeyReasonPlaceAndBytes) {
  const auto letters = Letters();
  ASSERT_TRUE(letters->Send(kLetter).ok());
  ASSERT_TRUE(FlushWithRetry(letters.get()).ok());
  const auto read = Read();
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].reason(), kLetter.reason);
  EXPECT_EQ(read[0].offset(), kLetter.offset);
  EXPECT_EQ(read[0].original(), kLetter.original);
  EXPECT_EQ(read[0].original_key(), kLetter.original_key);
  EXPECT_EQ(read[0].time(), clock_.WallMillis());
  EXPECT_EQ(mock_.ReadAll("letters")[0].key, kLetter.original_key);
}

TEST_F(KafkaDeadLettersTest, AboveTheMessageLimitComeInPartsThatMakeTheWhole) {
  DeadLetter letter = kLetter;
  for (int i = 0; i < 2'500'000; ++i) letter.original.push_back(static_cast<char>(i * 7 + i / 256));
  letter.original_key.assign(300'000, 'k');
  const auto letters = Letters();
  ASSERT_TRUE(letters->Send(letter).ok());
  ASSERT_TRUE(FlushWithRetry(letters.get()).ok());
  const auto read = Read();
  ASSERT_EQ(read.size(), 3u);
  std::string key;
  std::string original;
  for (uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read[i].part(), i + 1);
    EXPECT_EQ(read[i].parts(), 3u);
    EXPECT_EQ(read[i].offset(), kLetter.offset);
    key += read[i].original_key();
    original += read[i].original();
  }
  EXPECT_EQ(key, letter.original_key);
  EXPECT_TRUE(original == letter.original);
}

/// What the parts of a letter hold together; each of them fits.
DeadLetter Joined(const std::vector<std::string>& parts, const std::string& key, size_t limit) {
  constexpr size_t kBatch = 128;  // what Kafka puts around a message
  DeadLetter whole;
  for (size_t i = 0; i < parts.size(); ++i) {
    EXPECT_LE(parts[i].size() + key.size() + kBatch, limit) << "part " << i + 1 << " of " << parts.size();
    proto::DeadLetter part;
    EXPECT_TRUE(part.ParseFromString(parts[i]));
    EXPECT_EQ(part.parts(), parts.size() == 1 ? 0 : parts.size());
    EXPECT_EQ(part.offset(), kLetter.offset);
    if (i == 0) whole.row = part.row();
    if (i == 0) whole.reason = part.reason();
    whole.original_key += part.original_key();
    whole.original += part.original();
  }
  return whole;
}

TEST(DeadLetterParts, FitWhateverALetterHolds) {
  std::mt19937 random(3);
  const auto any_of = [&random](const std::vector<size_t>& sizes) { return sizes[random() % sizes.size()]; };
  const auto bytes = [&random](size_t size) { return std::string(size, static_cast<char>(random() % 256)); };
  for (int round = 0; round < 2'000; ++round) {
    const size_t limit = any_of({kLeastLetterBytes, 100'000, 1'000'000});
    DeadLetter letter = kLetter;
    letter.index = letter.topic = std::string(249, 'n');
    letter.kind = "outside_keep";
    letter.row = bytes(any_of({0, 1, 7'999, 8'001, 32'767}));
    letter.original_key = bytes(any_of({0, 1, 7'999, 8'001, 32'767, 32'769, 500'000}));
    letter.original = bytes(any_of({0, 1, 13'000, 64'000, 100'000, 999'000, 3'000'000}));
    letter.reason = std::string(any_of({1, 500, 7'990, 8'010, 131'068, 2'000'000}), 'w');
    const std::string key = LetterKey(letter.original_key, limit);
    const DeadLetter whole = Joined(EncodeDeadLetterParts(letter, INT64_MAX, limit), key, limit);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "round " << round << ", limit " << limit;
    EXPECT_TRUE(whole.row == letter.row && whole.original_key == letter.original_key);
    EXPECT_TRUE(whole.original == letter.original);
    EXPECT_EQ(whole.reason, CutText(letter.reason, limit / 8));
  }
}

TEST_F(KafkaDeadLettersTest, AllPartsStandInOnePartitionWhateverTheKeyIs) {
  mock_.CreateTopic("many", 8);
  options_.topic = "many";
  for (const size_t key : {0, 1, 40'000}) {
    DeadLetter letter = kLetter;
    letter.original_key.assign(key, 'k');
    letter.original.assign(5'000'000, 'x');
    const auto letters = Letters();
    ASSERT_TRUE(letters->Send(letter).ok());
    ASSERT_TRUE(FlushWithRetry(letters.get()).ok());
  }
  std::map<size_t, std::set<int32_t>> partitions;
  for (const TopicTail::Message& message : mock_.ReadAll("many")) {
    partitions[message.key.size()].insert(message.partition);
  }
  ASSERT_EQ(partitions.size(), 3u);
  for (const auto& [key, of_key] : partitions) EXPECT_EQ(of_key.size(), 1u) << "of a key of " << key << " bytes";
}

TEST_F(KafkaDeadLettersTest, WaitForAKafkaThatIsAwayLongerThanAMessageMayTake) {
  options_.producer.delivery_timeout = milliseconds(1000);
  options_.flush_timeout = milliseconds(200);
  const auto letters = Letters();
  ASSERT_TRUE(letters->Send(kLetter).ok());
  ASSERT_TRUE(FlushWithRetry(letters.get()).ok());
  mock_.SetDown(true);
  ASSERT_TRUE(letters->Send(kLetter).ok());
  std::string trouble;
  const auto back_at = std::chrono::steady_clock::now() + milliseconds(5000);
  bool back = false;
  const auto go_on = [&] {
    if (!back && std::chrono::steady_clock::now() > back_at) mock_.SetDown(!(back = true));
    return Status();
  };
  RetryingDeadLetters patient(letters.get(), SystemClock(), go_on, [&](const std::string& text) {
    if (!text.empty()) trouble = text;
  });
  EXPECT_TRUE(patient.Flush().ok());
  EXPECT_THAT(trouble, HasSubstr("cannot write dead letters to topic letters"));
  EXPECT_GE(Read().size(), 2u);
}

TEST_F(KafkaDeadLettersTest, WaitOnlyAsLongAsTheWorkIsOurs) {
  options_.flush_timeout = milliseconds(100);
  const auto letters = Letters();
  mock_.SetDown(true);
  ASSERT_TRUE(letters->Send(kLetter).ok());
  const auto fenced = [] { return Status(StatusCode::kFenced, "gone"); };
  RetryingDeadLetters patient(letters.get(), SystemClock(), fenced, [](const std::string&) {});
  EXPECT_EQ(patient.Flush().code(), StatusCode::kFenced);
  mock_.SetDown(false);
}

TEST_F(KafkaDeadLettersTest, ARefusalIsToldToEveryWorkerWhoseLetterMayBeMissing) {
  const auto letters = Letters();
  ASSERT_TRUE(letters->Send(kLetter).ok());
  ASSERT_TRUE(FlushWithRetry(letters.get()).ok());
  const std::vector<rd_kafka_resp_err_t> refusals(10, RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED);
  rd_kafka_mock_push_request_errors_array(mock_.raw(), kProduce, refusals.size(), refusals.data());
  ASSERT_TRUE(letters->Send(kLetter).ok());
  EXPECT_EQ(FlushWithRetry(letters.get()).code(), StatusCode::kPermission);
  EXPECT_EQ(FlushWithRetry(letters.get()).code(), StatusCode::kPermission) << "another worker's Flush";
}

TEST_F(KafkaDeadLettersTest, AClientThatBrokeIsReplaced) {
  const auto letters = Letters();
  ASSERT_TRUE(letters->Send(kLetter).ok());
  ASSERT_TRUE(FlushWithRetry(letters.get()).ok());
  letters->producer()->BreakForTest();
  ASSERT_TRUE(letters->producer()->broken());
  ASSERT_TRUE(letters->Send(kLetter).ok());
  EXPECT_TRUE(FlushWithRetry(letters.get()).ok());
  EXPECT_EQ(Read().size(), 2u);
}

TEST_F(KafkaDeadLettersTest, ATopicThatIsNotThereIsNamedAndNotCreated) {
  options_.topic = "missing";
  options_.flush_timeout = milliseconds(200);
  rd_kafka_mock_topic_set_error(mock_.raw(), "missing", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  const auto letters = Letters();
  ASSERT_TRUE(letters->Send(kLetter).ok());
  EXPECT_EQ(letters->Flush().code(), StatusCode::kUnavailable) << "a broker that has just started knows no topic yet";
  const auto time_passes = [this] {
    clock_.Advance(milliseconds(1000));
    return Status();
  };
  const Status status =
      RetryingDeadLetters(letters.get(), SystemClock(), time_passes, [](const std::string&) {}).Flush();
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("topic missing does not exist"));
}

TEST_F(KafkaDeadLettersTest, ArriveAtAKafkaThatAnswersLaterThanAFlushWaits) {
  options_.flush_timeout = milliseconds(200);
  mock_.SetDelay(-1, milliseconds(300));
  const auto letters = Letters();
  ASSERT_TRUE(letters->Send(kLetter).ok());
  const auto give_up_at = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const auto go_on = [&] {
    return std::chrono::steady_clock::now() < give_up_at ? Status() : Status(StatusCode::kUnavailable, "too late");
  };
  EXPECT_TRUE(RetryingDeadLetters(letters.get(), SystemClock(), go_on, [](const std::string&) {}).Flush().ok());
  mock_.SetDelay(-1, milliseconds(0));
  EXPECT_GE(Read().size(), 1u);
}

TEST_F(KafkaDeadLettersTest, ABrokerThatDoesNotKnowTheTopicYetIsAskedAgain) {
  rd_kafka_mock_topic_set_error(mock_.raw(), "letters", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  const auto letters = Letters();
  ASSERT_TRUE(letters->Send(kLetter).ok());
  EXPECT_EQ(letters->Flush().code(), StatusCode::kUnavailable);
  rd_kafka_mock_topic_set_error(mock_.raw(), "letters", RD_KAFKA_RESP_ERR_NO_ERROR);
  EXPECT_TRUE(FlushWithRetry(letters.get()).ok());
}

TEST_F(KafkaDeadLettersTest, CannotBeMadeNeverToHearOfTheirDelivery) {
  options_.producer.cluster.properties["delivery.report.only.error"] = "true";
  const Status status = KafkaDeadLetters::Create(options_, &clock_).status();
  EXPECT_THAT(status.message(), HasSubstr("\"delivery.report.only.error\" is decided by fensi"));
}

TEST_F(KafkaDeadLettersTest, OfManyWorkersAreAllThere) {
  const auto letters = Letters();
  std::vector<std::thread> workers;
  for (int worker = 0; worker < 4; ++worker) {
    workers.emplace_back([&] {
      for (int i = 0; i < 25; ++i) {
        EXPECT_TRUE(letters->Send(kLetter).ok());
        EXPECT_TRUE(FlushWithRetry(letters.get()).ok());
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(Read().size(), 100u);
}

}  // namespace
}  // namespace fensi::consumer
