#include "consumer/message_reassembler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/matchers.h"

namespace fensi::consumer {
namespace {

/// One message of a log. A capture that does not say that its parts hold the whole row is an older one.
struct Message {
  std::string row;
  uint32_t part = 0;
  uint32_t parts = 0;
  uint64_t attempt = 0;
  uint64_t sequence_id = 1;
  bool whole_row = true;
  int piece = 0;  // of the row, of which an older capture makes a mutation

  EventPart Part() const { return {part, parts, attempt, whole_row && parts > 0}; }
};

class PartJoinerTest : public ::testing::Test {
 protected:
  void Take(const std::vector<Message>& messages) {
    for (const Message& message : messages) {
      ChangeEvent event{.table = "t", .row = message.row, .sequence_id = message.sequence_id};
      event.cells = {{.family = "f", .qualifier = message.row + std::to_string(message.part), .value = value_}};
      const Result<bool> whole = joiner_.Take(offset_++, time_, message.Part(), &event);
      fault_ = whole.status();
      if (whole.ok() && *whole) events_.push_back(event);
    }
  }

  MessageReassembler joiner_;
  int64_t offset_ = 5;
  int64_t time_ = 1'700'000'000'000;
  std::string value_;
  std::vector<ChangeEvent> events_;
  Status fault_;
};

constexpr uint64_t A = 1, B = 2;

TEST_F(PartJoinerTest, LeavesWholeMutationsAsTheyAre) {
  Take({{"a"}, {"b"}});
  ASSERT_EQ(events_.size(), 2u);
  EXPECT_EQ(events_[1].row, "b");
  EXPECT_FALSE(joiner_.first_held_offset().has_value());
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
  EXPECT_EQ(joiner_.first_held_offset(), 5);
  Take({{"b"}, {"c", 1, 2}, {"a", 2, 2}});
  EXPECT_EQ(joiner_.first_held_offset(), 7);
  Take({{"c", 2, 2}});
  EXPECT_FALSE(joiner_.first_held_offset().has_value());
  EXPECT_EQ(joiner_.bytes(), 0u);
}

TEST_F(PartJoinerTest, PartsOfTwoWritersAreNotMixed) {
  Take({{"a", 1, 3, A}, {"a", 2, 3, A}, {"a", 1, 3, B}, {"a", 3, 3, A}, {"a", 2, 3, B}, {"a", 3, 3, B}});
  ASSERT_EQ(events_.size(), 1u);
  EXPECT_EQ(events_[0].cells.size(), 3u);
  EXPECT_FALSE(joiner_.first_held_offset().has_value());
}

TEST_F(PartJoinerTest, PartsOfTwoSizesAreNotMixed) {
  Take({{"a", 1, 2, A}, {"a", 1, 4, B}, {"a", 2, 2, A}, {"a", 2, 4, B}});
  ASSERT_EQ(events_.size(), 1u);
  EXPECT_EQ(events_[0].cells.size(), 2u);
  EXPECT_FALSE(joiner_.first_held_offset().has_value());
}

constexpr uint64_t C = 3, D = 4;

Message Older(uint32_t part, uint32_t parts, uint64_t attempt) { return {"a", part, parts, attempt, 1, false}; }

TEST_F(PartJoinerTest, BothPiecesOfARowThatOlderCapturesSentApartComeOut) {
  Take({Older(1, 2, A), Older(2, 2, A), {"b"}, Older(1, 2, B), Older(2, 2, B)});
  EXPECT_EQ(events_.size(), 3u);
  EXPECT_FALSE(joiner_.first_held_offset().has_value());
}

TEST_F(PartJoinerTest, ALargePieceComesOutAfterASmallOneOfItsRowWhoeverDied) {
  Take({Older(0, 0, 0), {"b"}, Older(1, 2, A)});                  // it died
  Take({Older(0, 0, 0), {"b"}, Older(1, 2, B), Older(2, 2, B)});  // all of it once more
  ASSERT_EQ(events_.size(), 5u);
  EXPECT_EQ(events_.back().cells.size(), 2u);
  EXPECT_FALSE(joiner_.first_held_offset().has_value());
}

TEST_F(PartJoinerTest, OfOlderCapturesTheSecondPieceIsNoRepetitionOfTheFirst) {
  // Two of them at once: A and B are attempts of the first piece, C and D of the second.
  Take({Older(1, 2, A), Older(1, 2, B), Older(2, 2, A), Older(1, 2, C), Older(2, 2, B), Older(2, 2, C), Older(1, 2, D),
        Older(2, 2, D)});
  EXPECT_EQ(events_.size(), 3u);
  EXPECT_FALSE(joiner_.first_held_offset().has_value());
}

TEST_F(PartJoinerTest, AWholeRowClosesWhatOlderCapturesHadBegunAndWhatTheySendLater) {
  Take({Older(1, 2, A), {"a", 1, 2, B}, {"a", 2, 2, B}, Older(2, 2, A), Older(1, 2, C), Older(2, 2, C)});
  EXPECT_EQ(events_.size(), 1u);
  EXPECT_FALSE(joiner_.first_held_offset().has_value());
}

TEST_F(PartJoinerTest, AnOlderCaptureFinishesWhatANewerOneHadBegun) {
  Take({{"a", 1, 3, A}, Older(0, 0, 0), {"b"}, Older(1, 2, B), Older(2, 2, B), {"a", 2, 3, A}});
  EXPECT_EQ(events_.size(), 3u);
  EXPECT_FALSE(joiner_.first_held_offset().has_value());
}

TEST_F(PartJoinerTest, AWholeMutationClosesItsParts) {
  Take({{"a", 1, 3, A}, {"a"}, {"a", 2, 3, A}});
  EXPECT_EQ(events_.size(), 1u);
  EXPECT_FALSE(joiner_.first_held_offset().has_value());
}

TEST_F(PartJoinerTest, KeepsMutationsOfOneRowApart) {
  Take({{"a", 1, 2, A, 10}, {"a", 1, 2, A, 11}, {"a", 2, 2, A, 11}, {"a", 2, 2, A, 10}});
  ASSERT_EQ(events_.size(), 2u);
  EXPECT_EQ(events_[0].sequence_id, 11u);
  EXPECT_EQ(events_[1].sequence_id, 10u);
}

TEST_F(PartJoinerTest, WhatNeverBecomesWholeIsGivenUpAndItsRowIsPutInDoubt) {
  value_ = "secret";
  Take({{"a", 2, 3, A}});
  time_ += MessageReassembler::kTimeout.count();
  Take({{"b"}});
  EXPECT_TRUE(joiner_.first_held_offset().has_value()) << "exactly an hour is in time";
  time_ += 1;
  Take({{"b"}});
  EXPECT_FALSE(joiner_.first_held_offset().has_value());
  const auto given_up = joiner_.TakeAbandoned();
  ASSERT_EQ(given_up.size(), 1u);
  EXPECT_EQ(given_up[0].first_offset, 5);
  EXPECT_THAT(given_up[0].reason,
              HasSubstr("2 of 3 parts of a mutation of row a in table t did not arrive within an hour"));
  EXPECT_THAT(given_up[0].event.cells,
              ElementsAre(Cell{.family = "f", .qualifier = "a2", .type = CellType::kUnknownDelete}));
  EXPECT_TRUE(joiner_.TakeAbandoned().empty());
}

TEST_F(PartJoinerTest, HoldsNoMoreBytesThanItsLimitAndOneMutation) {
  value_.assign(20 << 20, 'v');
  Take({{"a", 1, 2, A}, {"b", 1, 2, A}, {"c", 1, 2, A}});
  EXPECT_TRUE(joiner_.TakeAbandoned().empty());
  Take({{"d", 1, 2, A}});
  const auto given_up = joiner_.TakeAbandoned();
  ASSERT_EQ(given_up.size(), 1u);
  EXPECT_EQ(given_up[0].event.row, "a");
  EXPECT_LE(joiner_.bytes(), MessageReassembler::kMaxBytes);
  value_.assign(90 << 20, 'v');
  Take({{"e", 1, 2, A}, {"e", 2, 2, A}});
  EXPECT_EQ(events_.size(), 1u) << "one alone may be larger";
}

TEST_F(PartJoinerTest, LongNamesCountAsHeldBytes) {
  const std::string long_row(30'000, 'r');
  for (int i = 0; i < 3'000; ++i) Take({{long_row + std::to_string(i), 1, 2, A}});
  EXPECT_LE(joiner_.bytes(), MessageReassembler::kMaxBytes);
  EXPECT_GE(joiner_.bytes(), joiner_.held() * 60'000) << "the row, and the qualifier that has it, too";
  EXPECT_FALSE(joiner_.TakeAbandoned().empty());
}

TEST_F(PartJoinerTest, AHundredThousandIncompleteMutationsDoNotSlowTheOthersDown) {
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 100'000; ++i) Take({{"r" + std::to_string(i), 1, 2, A}});
  EXPECT_GE(joiner_.held(), 50'000u);
  for (int i = 0; i < 20'000; ++i) {
    Take({{"plain"}});
    ASSERT_TRUE(joiner_.first_held_offset());
  }
  EXPECT_LE(joiner_.bytes(), MessageReassembler::kMaxBytes);
  // Each message that walks over all of them takes a millisecond.
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
}

TEST_F(PartJoinerTest, AnAttemptWithoutATimeWaitsAnHourFromTheNextThatHasOne) {
  const int64_t now = std::exchange(time_, 0);
  Take({{"a", 1, 2, A}});
  time_ = now;
  Take({{"b"}});
  EXPECT_TRUE(joiner_.first_held_offset());
  time_ += MessageReassembler::kTimeout.count() + 1;
  Take({{"b"}});
  EXPECT_FALSE(joiner_.first_held_offset());
}

TEST_F(PartJoinerTest, APartBeyondTheLastIsNoEvent) {
  Take({{"a", 4, 3}});
  EXPECT_THAT(fault_.message(), HasSubstr("part 4 of 3"));
}

/// A log of mutations that several writers sent in parts of their own, of which at least one finished each.
std::vector<Message> RandomLog(std::mt19937* random, int mutations) {
  std::vector<std::vector<Message>> writers;
  uint64_t attempt = 0;
  for (int m = 0; m < mutations; ++m) {
    const size_t attempts = 1 + (*random)() % 3, good = (*random)() % attempts;
    for (size_t a = 0; a < attempts; ++a) {
      const uint32_t parts = 1 + (*random)() % 4;
      const uint32_t sent = a == good ? parts : (*random)() % (parts + 1);
      std::vector<Message> writer;
      ++attempt;
      for (uint32_t part = 1; part <= sent; ++part) {
        const Message whole{"r" + std::to_string(m)}, piece{"r" + std::to_string(m), part, parts, attempt};
        writer.push_back(parts == 1 ? whole : piece);
      }
      if (!writer.empty()) writers.push_back(writer);
    }
  }
  std::vector<Message> log;
  while (!writers.empty()) {
    const size_t i = (*random)() % std::min<size_t>(writers.size(), 4);
    log.push_back(writers[i].front());
    writers[i].erase(writers[i].begin());
    if (writers[i].empty()) writers.erase(writers.begin() + static_cast<ptrdiff_t>(i));
  }
  return log;
}

/// Reads from `offset` up to `end`; rows of the mutations that came out whole. Adds what must be read again to `hold`.
void Read(const std::vector<Message>& log, size_t offset, size_t end, MessageReassembler* joiner,
          std::set<std::string>* rows) {
  for (; offset < end; ++offset) {
    const Message& message = log[offset];
    ChangeEvent event{.table = "t", .row = message.row, .sequence_id = 1};
    const std::string attempt = std::to_string(message.attempt) + ":";
    event.cells = {{.family = "f", .qualifier = attempt + std::to_string(message.part)}};
    const Result<bool> whole = joiner->Take(static_cast<int64_t>(offset), 1, message.Part(), &event);
    ASSERT_TRUE(whole.ok());
    if (!*whole) continue;
    rows->insert(event.row);
    for (size_t part = 1; message.parts > 1 && part <= message.parts; ++part) {
      ASSERT_EQ(event.cells.at(part - 1).qualifier, attempt + std::to_string(part)) << "mixed";
    }
    ASSERT_EQ(event.cells.size(), std::max<size_t>(1, message.parts));
  }
}

TEST_F(PartJoinerTest, EveryMutationComesOutInAnyInterleavingWithDeathsOfTheReader) {
  std::mt19937 random(11);
  for (int round = 0; round < 5'000; ++round) {
    const int mutations = 1 + static_cast<int>(random() % 6);
    const std::vector<Message> log = RandomLog(&random, mutations);
    std::set<std::string> rows;
    size_t from = 0;
    const size_t death = random() % (log.size() + 1);
    {
      MessageReassembler first;
      Read(log, 0, death, &first, &rows);
      from = static_cast<size_t>(first.first_held_offset().value_or(static_cast<int64_t>(death)));
    }
    MessageReassembler second;
    Read(log, from, log.size(), &second, &rows);
    EXPECT_EQ(rows.size(), static_cast<size_t>(mutations)) << "round " << round;
    // Whole messages are not remembered: what a dead writer sent of one afterwards waits for its hour.
    const bool whole = std::any_of(log.begin(), log.end(), [](const Message& message) { return message.parts == 0; });
    EXPECT_TRUE(death > 0 || whole || !second.first_held_offset().has_value()) << "round " << round;
    ChangeEvent later{.table = "t", .row = "later"};
    (void)second.Take(1000, 2 + MessageReassembler::kTimeout.count(), {}, &later);
    EXPECT_FALSE(second.first_held_offset().has_value());
    EXPECT_EQ(second.bytes(), 0u);
  }
}

}  // namespace
}  // namespace fensi::consumer
