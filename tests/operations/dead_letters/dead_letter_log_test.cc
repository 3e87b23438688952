#include "operations/dead_letters/dead_letter_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/bytes.h"
#include "consumer/codec/event_decoder.h"
#include "operations/dead_letters/letter_joiner.h"
#include "operations/dead_letters/listing.h"
#include "operations/dead_letters/showing.h"
#include "tests/operations/dead_letters/memory_letters.h"
#include "tests/operations/support/recorded_console.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

using consumer::DeadLetterRange;
using consumer::DeadLetterRecord;
using consumer::Resolution;
using Action = consumer::Resolution::Action;

TEST(LedgerTest, OfSeveralEntriesTheLastOneCountsForEachLetter) {
  std::mt19937 random(20161220);
  const auto draw = [&](int64_t below) { return static_cast<int64_t>(random() % static_cast<uint64_t>(below)); };
  for (int round = 0; round < 300; ++round) {
    const int64_t begin = draw(50), end = begin + 1 + draw(70);
    Ledger ledger;
    std::map<int64_t, LetterState> expected;
    ledger.See({3, begin});
    for (int entries = 0; entries < 12; ++entries) {
      const int64_t first = draw(end), last = first + draw(end - first);
      const bool dropped = draw(2) == 0;
      ASSERT_TRUE(ledger.Note({3, end}, Entry(dropped ? Action::kDropped : Action::kReplayed, {{first, last}})).ok());
      for (int64_t i = std::max(first, begin); i <= last; ++i) {
        expected[i] = dropped ? LetterState::kDiscarded : LetterState::kRetried;
      }
    }
    for (int64_t i = begin; i < end + 10; ++i) EXPECT_EQ(ledger.StateOf({3, i}), expected[i]) << i;
    EXPECT_EQ(ledger.StateOf({4, begin}), LetterState::kOpen);
  }
}

TEST(LedgerTest, AMillionLettersThatWereResolvedOneByOneTakeAQuarterOfAMegabyte) {
  Ledger ledger;
  ledger.See({0, 0});
  for (int64_t i = 0; i < 1'000'000; i += 2) {
    ASSERT_TRUE(ledger.Note({0, 1'500'000 + i}, Entry(Action::kReplayed, {{i, i}})).ok());
  }
  EXPECT_EQ(ledger.StateOf({0, 999'998}), LetterState::kRetried);
  EXPECT_EQ(ledger.StateOf({0, 999'997}), LetterState::kOpen);
  EXPECT_LE(ledger.bytes(), 600'000u) << "twice of it, as vectors grow";
}

TEST(LedgerTest, AnEntryAboutLettersThatAreGoneTakesNoMemory) {
  Ledger ledger;
  const int64_t begin = 1'000'000'000'000;
  ledger.See({0, begin});
  ASSERT_TRUE(ledger.Note({0, begin + 10}, Entry(Action::kDropped, {{0, begin + 3}})).ok());
  EXPECT_EQ(ledger.StateOf({0, begin + 3}), LetterState::kDiscarded);
  EXPECT_EQ(ledger.StateOf({0, begin + 4}), LetterState::kOpen);
  EXPECT_LE(ledger.bytes(), 64u);
}

TEST(LedgerTest, AnEntryAboutLettersThatDoNotStandBeforeItIsRefusedAsAWhole) {
  Ledger ledger;
  ledger.See({0, 0});
  for (const DeadLetterRange bad : {DeadLetterRange{3, 9}, {-1, 2}, {4, 3}, {0, INT64_MAX}}) {
    EXPECT_EQ(ledger.Note({0, 9}, Entry(Action::kDropped, {{0, 1}, bad})).code(), StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(ledger.StateOf({0, 0}), LetterState::kOpen);
}

DeadLetterRecord Part(uint32_t part, uint32_t parts, const std::string& bytes, int64_t offset = 1) {
  DeadLetterRecord parked{.letter = Letter(offset), .time = offset, .part = part, .parts = parts};
  parked.letter.original = bytes;
  parked.letter.original_key.clear();
  return parked;
}

TEST(LetterJoinerTest, PartsOfSeveralLettersMayStandBetweenEachOther) {
  LetterJoiner joiner;
  EXPECT_FALSE(joiner.Take({0, 10}, Part(1, 2, "a", 1)).has_value());
  EXPECT_FALSE(joiner.Take({0, 11}, Part(1, 3, "x", 2)).has_value());
  EXPECT_FALSE(joiner.Take({0, 12}, Part(2, 3, "y", 2)).has_value());
  const auto first = joiner.Take({0, 13}, Part(2, 2, "b", 1));
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->place, (Place{0, 10}));
  EXPECT_EQ(first->parked.letter.original, "ab");
  const auto second = joiner.Take({0, 14}, Part(3, 3, "z", 2));
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->parked.letter.original, "xyz");
  EXPECT_THAT(joiner.TakeIncomplete(true), ElementsAre());
}

TEST(LetterJoinerTest, WhatLacksAPartIsGivenUpAndNamed) {
  LetterJoiner joiner;
  joiner.Take({0, 10}, Part(1, 3, "a"));
  EXPECT_FALSE(joiner.Take({0, 11}, Part(3, 3, "c")).has_value()) << "the second is missing";
  joiner.Take({0, 12}, Part(1, 3, "a"));  // its writer died, and the letter came again
  EXPECT_THAT(joiner.TakeIncomplete(false), ElementsAre(Place{0, 10}));
  joiner.Take({0, 13}, Part(2, 3, "b"));
  EXPECT_EQ(joiner.Take({0, 14}, Part(3, 3, "c"))->parked.letter.original, "abc");
}

TEST(LetterJoinerTest, WhatWaitsIsBoundedInBytes) {
  LetterJoiner joiner(1000);
  for (int64_t i = 0; i < 100; ++i) joiner.Take({0, i}, Part(1, 2, std::string(300, 'x'), i));
  EXPECT_EQ(joiner.TakeIncomplete(false).size(), 97u);
  EXPECT_TRUE(joiner.Take({0, 200}, Part(2, 2, "y", 99)).has_value()) << "the oldest go first";
}

class DeadLetterLogTest : public ::testing::Test {
 protected:
  std::string List(const ListingOptions& options = {}, const LetterFilter& filter = {}) {
    DeadLetterLog parked(&letters_, "fensi");
    EXPECT_TRUE(parked.ReadLedger().ok());
    said_ = console_.TakeMessages();
    EXPECT_TRUE(Listing(&parked, filter, options).Run().ok());
    return console_.TakeData();
  }

  RecordedConsole console_;
  MemoryLetters letters_;
  std::string said_;
};

TEST_F(DeadLetterLogTest, AreCountedByKindAndByWhatWasDone) {
  letters_.Add(Letter(1), 1000);
  letters_.Add(Letter(2, "undecodable"), 2000);
  letters_.Add(Letter(3), 3000);
  letters_.Add(Letter(4, ""), 4000);
  letters_.Add(Entry(Action::kReplayed, {{0, 0}, {3, 3}}));
  letters_.Add(Entry(Action::kDropped, {{3, 3}}));
  EXPECT_EQ(List(),
            "  undecodable: 1 open, oldest 1970-01-01T00:00:02.000Z, newest 1970-01-01T00:00:02.000Z\n"
            "  unknown: 1 discarded, oldest 1970-01-01T00:00:04.000Z, newest 1970-01-01T00:00:04.000Z\n"
            "  unmappable: 1 open, 1 retried, oldest 1970-01-01T00:00:01.000Z, newest 1970-01-01T00:00:03.000Z\n"
            "index fensi, topic fensi.dead: 2 open, 1 retried, 1 discarded\n");
  EXPECT_EQ(List({.letters = true}, {.kinds = {"unmappable"}}),
            "0/0 1970-01-01T00:00:01.000Z unmappable retried\n"
            "0/2 1970-01-01T00:00:03.000Z unmappable open\n");
  EXPECT_EQ(List({.letters = true}, {.row = "r2"}), "0/1 1970-01-01T00:00:02.000Z undecodable open\n");
  EXPECT_EQ(List({.letters = true}, {.since = 2000, .until = 4000, .state = LetterState::kOpen}),
            "0/1 1970-01-01T00:00:02.000Z undecodable open\n0/2 1970-01-01T00:00:03.000Z unmappable open\n");
}

TEST_F(DeadLetterLogTest, TellOfRowsOnlyWhereTheyAreAskedFor) {
  consumer::DeadLetter letter = Letter(1);
  letter.row = "secretrow\n";
  letter.reason = "the value 'secretvalue' is no number";
  letters_.Add(letter);
  for (const bool json : {false, true}) {
    for (const bool lines : {false, true}) {
      EXPECT_THAT(List({.letters = lines, .json = json}), Not(HasSubstr("secret")));
    }
    const std::string told = List({.letters = true, .rows = true, .json = json});
    EXPECT_THAT(told, HasSubstr("secretvalue"));
    EXPECT_THAT(told, HasSubstr("secretrow\\"));
    EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 1) << "a row is no line of its own";
  }
}

/// What no reader of today knows: an action of tomorrow.
std::string NewerEntry() {
  std::string bytes = consumer::EncodeResolution(Entry(Action::kDropped, {{0, 0}}));
  bytes[bytes.rfind(std::string("\x08\x02", 2)) + 1] = 9;
  return bytes;
}

TEST_F(DeadLetterLogTest, WhatIsCutForeignOrNewerIsNamedAndPassed) {
  letters_.Add(Letter(1));
  letters_.Add("");
  letters_.Add("somebody else's");
  letters_.Add(consumer::EncodeDeadLetter(Letter(2), 5).substr(0, 20));
  letters_.Add(NewerEntry());
  letters_.Add(Entry(Action::kDropped, {{6, 6}}));  // about a letter behind it
  letters_.Add(Letter(3));
  EXPECT_THAT(List(), HasSubstr("2 open, 0 retried, 0 discarded; 5 messages skipped\n"));
  for (const char* words : {"0/1 is skipped: the message is no dead letter of fensi: it lacks",
                            "0/2 is skipped: the message is no dead letter of fensi, and no record",
                            "0/3 is skipped: the message is no dead letter of fensi, and no record",
                            "0/4 is skipped: the message records the action 9",
                            "0/5 is skipped: this message marks the dead letters at offsets 6 to 6"}) {
    EXPECT_THAT(said_, HasSubstr(words));
  }
}

TEST_F(DeadLetterLogTest, ThousandsOfForeignMessagesAreNoThousandsOfLines) {
  for (int i = 0; i < 5000; ++i) letters_.Add("\x01\x02\x03");
  EXPECT_THAT(List(), HasSubstr("; 5,000 messages skipped\n"));
  EXPECT_EQ(std::count(said_.begin(), said_.end(), '\n'), 11);
  EXPECT_THAT(said_, HasSubstr("skips 4,990 more messages that it cannot read"));
}

TEST_F(DeadLetterLogTest, OfOtherIndexesAreLeftAloneAndSoIsTheirLedger) {
  letters_.Add(Letter(1));
  consumer::DeadLetter other = Letter(2);
  other.index = "other";
  letters_.Add(other);
  consumer::Resolution entry = Entry(Action::kDropped, {{0, 1}});
  entry.index = "other";
  letters_.Add(entry);
  EXPECT_THAT(List(), HasSubstr("1 open, 0 retried, 0 discarded; 1 dead letter of other indexes\n"));
}

TEST_F(DeadLetterLogTest, InPartsAreOne) {
  consumer::DeadLetter large = Letter(1);
  large.original.assign(5000, 'x');
  const auto parts = consumer::EncodeDeadLetterParts(large, 5, 3000);
  ASSERT_GT(parts.size(), 2u);
  letters_.Add(Letter(9));
  for (const std::string& part : parts) {
    letters_.Add(part);
    letters_.Add(Letter(10));
  }
  EXPECT_THAT(List({}, {.row = "r1"}), HasSubstr("index fensi, topic fensi.dead: 1 open,"));
  DeadLetterLog parked(&letters_, "fensi");
  ASSERT_TRUE(parked.ReadLedger().ok());
  EXPECT_EQ(FindLetter(parked, {0, 1})->parked.letter.original, large.original);
  EXPECT_EQ(FindLetter(parked, {0, 3}).status().code(), StatusCode::kNotFound) << "the second part is no dead letter";
  EXPECT_EQ(FindLetter(parked, {1, 1}).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(FindLetter(parked, {0, 1000}).status().code(), StatusCode::kNotFound);
}

TEST_F(DeadLetterLogTest, AnEntryOfTheLedgerIsNoEventForOtherReaders) {
  ChangeEvent event;
  const std::string entry = consumer::EncodeResolution(Entry(Action::kDropped, {{0, 1}}));
  EXPECT_EQ(consumer::EventDecoder(consumer::Format::kChangeEvent).Decode("", entry, &event).code(),
            StatusCode::kInvalidArgument);
}

/// A million letters that nobody keeps.
class EndlessLetters final : public LetterReader {
 public:
  Status ForEach(const std::optional<Place>&, const Use& use) override {
    const std::string letter = consumer::EncodeDeadLetter(Letter(1), 5);
    for (int64_t i = 0; i < 1'000'000; ++i) {
      const bool entry = i % 2 == 1;
      const Result<bool> more =
          use({0, i}, consumer::DecodeDeadLetterMessage(
                          entry ? consumer::EncodeResolution(Entry(Action::kDropped, {{i - 1, i - 1}})) : letter));
      if (!more.ok() || !*more) return more.status();
    }
    return Status();
  }
  std::string name() const override { return "topic endless"; }
};

TEST(ManyDeadLettersTest, EachWithAnEntryOfItsOwnAreFolded) {
  EndlessLetters letters;
  DeadLetterLog parked(&letters, "fensi");
  ASSERT_TRUE(parked.ReadLedger().ok());
  EXPECT_EQ(parked.StateOf({0, 999'998}), LetterState::kDiscarded);
  EXPECT_EQ(parked.unreadable(), 0);
}

TEST(RemedyTest, OfBytesThatFensiCouldNotDecodeDependsOnTheirTopic) {
  consumer::DeadLetter letter = Letter(1, "undecodable");
  EXPECT_THAT(RemedyText(letter), HasSubstr("If the sender of the changes ('fensi capture', 'fensi publish' or the "
                                            "HBase Kafka proxy) did not write it, discard it"));
  letter.topic = "fensi.requests";
  EXPECT_THAT(RemedyText(letter), HasSubstr("'fensi repair MAPPING fensi ROW --execute'"))
      << "the topic may have got more partitions";
}

TEST(PlaceTest, IsWrittenInOneWay) {
  EXPECT_EQ(*ParsePlace("3/1207"), (Place{3, 1207}));
  EXPECT_EQ(PlaceText({3, 1207}), "3/1207");
  for (const char* bad : {"", "3", "3/", "/7", "3/7x", "-1/7", "3/-7", "3/7/1", "99999999999/1", "3 /7"}) {
    EXPECT_EQ(ParsePlace(bad).status().code(), StatusCode::kInvalidArgument) << bad;
  }
}

TEST(LetterEntryTest, TheLastEntryAboutALetterSaysWhoEndedItAndStrangersSayNothing) {
  MemoryLetters letters;
  letters.Add(Letter(1));
  letters.Add(Letter(2));
  consumer::Resolution entry = Entry(Action::kReplayed, {{0, 1}});
  letters.Add(entry);
  entry = Entry(Action::kDropped, {{0, 0}});
  entry.who = "last@here";
  entry.why = "a test";
  letters.Add(entry);
  entry.index = "other";
  letters.Add(entry);
  letters.Add(Entry(Action::kReplayed, {{0, 99}}));  // which nobody could have known
  DeadLetterLog parked(&letters, "fensi");
  ASSERT_TRUE(parked.ReadLedger().ok());
  const auto last = parked.EntryAbout({0, 0});
  ASSERT_TRUE(last.ok() && last->has_value());
  EXPECT_EQ((*last)->who, "last@here");
  EXPECT_EQ((*last)->action, Action::kDropped);
  EXPECT_EQ(parked.EntryAbout({0, 1})->value().who, "me@here");
  EXPECT_FALSE(parked.EntryAbout({1, 0})->has_value());
}

}  // namespace
}  // namespace fensi::operations
