#include "operations/dead_letters/discarding.h"

#include <gtest/gtest.h>

#include "tests/operations/dead_letters/memory_letters.h"

namespace fensi::operations {
namespace {

using consumer::PartitionedMessage;
using consumer::Placing;

/// What is written is read again with the letters, until it dies.
class LedgerInMemory final : public consumer::MessageWriter {
 public:
  explicit LedgerInMemory(MemoryLetters* letters) : letters_(letters) {}
  Result<std::vector<Placing>> WriteAll(const std::string&, const std::vector<PartitionedMessage>& messages) override {
    if (--left < 0) return Status(StatusCode::kUnavailable, "died");
    for (const PartitionedMessage& message : messages) letters_->Add(std::string(message.value));
    return std::vector<Placing>(messages.size());
  }
  int left = INT32_MAX;

 private:
  MemoryLetters* const letters_;
};

class DiscardingTest : public ::testing::Test {
 protected:
  void Read() {
    log_.emplace(&letters_, "fensi");
    ASSERT_TRUE(log_->ReadLedger().ok());
  }
  /// Reads the ledger, drops, and reads it again.
  Status Drop(const LetterFilter& filter, int64_t most = 0) {
    Read();
    DeadLetterDiscard dropping(&*log_, filter, most);
    EXPECT_TRUE(dropping.Run(nullptr).ok());
    const int64_t planned = dropping.letters();
    const Status status = dropping.Run(&ledger_);
    EXPECT_TRUE(!status.ok() || dropping.letters() == planned);
    dropped_ = dropping.letters();
    Read();
    return status;
  }
  LetterState StateOf(int64_t offset) const { return log_->StateOf({0, offset}); }

  MemoryLetters letters_;
  LedgerInMemory writer_{&letters_};
  LedgerWriter ledger_{&writer_, "fensi.dead", Entry(consumer::Resolution::Action::kDropped, {})};
  std::optional<DeadLetterLog> log_;
  int64_t dropped_ = 0;
};

TEST_F(DiscardingTest, NoEntryOfTheLedgerIsLargerThanATopicTakesHoweverManyLettersItIsAbout) {
  consumer::Resolution entry = Entry(consumer::Resolution::Action::kDropped, {});
  entry.index.assign(249, 'i');
  entry.who.assign(4'096, 'w');
  entry.why.assign(1'000, 'y');  // the most that --reason takes
  class Sizes final : public consumer::MessageWriter {
   public:
    Result<std::vector<Placing>> WriteAll(const std::string&,
                                          const std::vector<PartitionedMessage>& messages) override {
      for (const PartitionedMessage& message : messages) {
        EXPECT_LE(message.value.size() + 128, consumer::kLeastLetterBytes);
        const auto read = consumer::DecodeDeadLetterMessage(message.value);
        for (const auto& range : std::get<consumer::Resolution>(*read).letters) {
          letters += range.last - range.first + 1;
        }
      }
      return std::vector<Placing>(messages.size());
    }
    int64_t letters = 0;
  } sizes;
  std::vector<Place> places;
  for (int64_t i = 0; i < 10'000; ++i) places.push_back({.partition = 0, .offset = INT64_MAX - 1 - 2 * i});
  ASSERT_TRUE(LedgerWriter(&sizes, "fensi.dead", entry).Note(places).ok());
  EXPECT_EQ(sizes.letters, 10'000);
}

TEST_F(DiscardingTest, LettersBetweenThoseThatWereMeantStayOpen) {
  for (int64_t i = 0; i < 9; ++i) letters_.Add(Letter(i, i % 3 == 1 ? "rejected" : "unmappable"));
  ASSERT_TRUE(Drop({.kinds = {"unmappable"}, .state = LetterState::kOpen}).ok());
  EXPECT_EQ(dropped_, 6);
  for (int64_t i = 0; i < 9; ++i) EXPECT_EQ(StateOf(i) == LetterState::kOpen, i % 3 == 1) << i;
}

TEST_F(DiscardingTest, WhoDiesInTheMiddleGoesOnWithTheSameLine) {
  for (int64_t i = 0; i < 25'000; ++i) letters_.Add(Letter(i));
  writer_.left = 1;
  EXPECT_EQ(Drop({.state = LetterState::kOpen}).code(), StatusCode::kUnavailable);
  EXPECT_EQ(StateOf(9'999), LetterState::kDiscarded);
  EXPECT_EQ(StateOf(10'000), LetterState::kOpen);
  writer_.left = INT32_MAX;
  ASSERT_TRUE(Drop({.state = LetterState::kOpen}).ok());
  EXPECT_EQ(dropped_, 15'000);
  EXPECT_EQ(StateOf(24'999), LetterState::kDiscarded);
}

TEST_F(DiscardingTest, AtMostSoManyAreDropped) {
  for (int64_t i = 0; i < 10; ++i) letters_.Add(Letter(i));
  for (const int64_t dropped : {4, 4, 2, 0}) {
    ASSERT_TRUE(Drop({.state = LetterState::kOpen}, 4).ok());
    EXPECT_EQ(dropped_, dropped);
  }
}

TEST_F(DiscardingTest, LettersInPartsAreDroppedAsAWholeAndThoseThatAreNamedWhateverBecameOfThem) {
  consumer::DeadLetter large = Letter(1);
  large.original.assign(5000, 'x');
  for (const std::string& part : consumer::EncodeDeadLetterParts(large, 5, 3000)) letters_.Add(part);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(Drop({.places = {{0, 0}}}).ok());
    EXPECT_EQ(dropped_, 1);
    EXPECT_EQ(StateOf(0), LetterState::kDiscarded);
  }
}

TEST_F(DiscardingTest, TwoAtOnceEndAsOne) {
  letters_.Add(Letter(1));
  DeadLetterLog first(&letters_, "fensi"), second(&letters_, "fensi");
  for (DeadLetterLog* each : {&first, &second}) ASSERT_TRUE(each->ReadLedger().ok());
  for (DeadLetterLog* each : {&first, &second}) {
    EXPECT_TRUE(DeadLetterDiscard(each, {.state = LetterState::kOpen}, 0).Run(&ledger_).ok());
  }
  Read();
  EXPECT_EQ(StateOf(0), LetterState::kDiscarded);
}

}  // namespace
}  // namespace fensi::operations
