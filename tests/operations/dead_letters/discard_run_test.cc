// What `fensi dead-letters discard` shows, and what it writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/diagnostics.h"
#include "mapping/mapping.h"
#include "operations/dead_letters/discarding.h"
#include "tests/operations/dead_letters/memory_letters.h"
#include "tests/operations/support/recorded_console.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

/// Keeps the entries of the ledger.
class KeptEntries final : public consumer::MessageWriter {
 public:
  Result<std::vector<consumer::Placing>> WriteAll(const std::string& topic,
                                                  const std::vector<consumer::PartitionedMessage>& messages) override {
    EXPECT_EQ(topic, "fensi.dead");
    for (const consumer::PartitionedMessage& message : messages) {
      entries.push_back(std::get<consumer::Resolution>(*consumer::DecodeDeadLetterMessage(message.value)));
    }
    return std::vector<consumer::Placing>(messages.size());
  }
  std::vector<consumer::Resolution> entries;
};

class DiscardRunTest : public ::testing::Test {
 protected:
  DiscardRunTest() {
    for (int64_t i = 0; i < 3; ++i) letters_.Add(Letter(i, i == 1 ? "rejected" : "unmappable"));
    EXPECT_TRUE(log_.ReadLedger().ok());
    mapping::Diagnostics diagnostics;
    mappings_ = mapping::Load(
        {{"m.yaml", "source: guanzhu\nindexes:\n  fensi: { table: i, row: '{f1:a}', columns: { 'f1:{row}': '' } }\n"}},
        &diagnostics);
  }
  DiscardWish Wish(LetterFilter filter) {
    return {.filter = std::move(filter), .most = 0, .reason = "a test", .say_the_line = [this] { ++lines_; }};
  }

  RecordedConsole console_;
  MemoryLetters letters_;
  DeadLetterLog log_{&letters_, "fensi"};
  std::vector<mapping::Mapping> mappings_;
  int lines_ = 0;
};

TEST_F(DiscardRunTest, APlanCountsByKindAndShowsTheLineThatDoesIt) {
  EXPECT_TRUE(PlanDiscard(log_, Wish({.state = LetterState::kOpen})).ok());
  EXPECT_EQ(console_.TakeData(), "index fensi: 3 dead letters to be discarded\n  rejected: 1\n  unmappable: 2\n");
  EXPECT_EQ(lines_, 1);
  EXPECT_TRUE(PlanDiscard(log_, Wish({.kinds = {"undecodable"}})).ok());
  EXPECT_EQ(lines_, 1) << "there is nothing to do";
}

TEST_F(DiscardRunTest, WritesTheReasonAndTheLettersIntoTheLedger) {
  KeptEntries ledger;
  EXPECT_TRUE(DiscardDeadLetters(*mappings_.at(0).indexes.at(0), log_, Wish({.kinds = {"rejected"}}), &ledger).ok());
  ASSERT_EQ(ledger.entries.size(), 1U);
  EXPECT_EQ(ledger.entries[0].why, "a test");
  EXPECT_EQ(ledger.entries[0].index, "fensi");
  ASSERT_EQ(ledger.entries[0].letters.size(), 1U);
  EXPECT_EQ(ledger.entries[0].letters[0].first, 1);
  EXPECT_THAT(console_.TakeMessages(), HasSubstr("1 dead letter discarded"));
}

}  // namespace
}  // namespace fensi::operations
