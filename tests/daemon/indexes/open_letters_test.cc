// Open dead letters are those that nobody has settled, whichever process wrote them and whenever it began.
#include "daemon/indexes/open_letters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "consumer/kafka/kafka_dead_letters.h"
#include "tests/doubles/fake_clock.h"
#include "tests/operations/dead_letters/memory_letters.h"

namespace fensi::daemon {
namespace {

using Action = consumer::Resolution::Action;
using operations::Entry;
using operations::Letter;
using operations::MemoryLetters;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(OpenLettersTest, WhatIsSettledIsNotOpen) {
  MemoryLetters letters;
  letters.Add(Letter(0));
  letters.Add(Letter(1));
  letters.Add(Letter(2, "rejected"));
  letters.Add(Letter(3, "a word of tomorrow"));
  letters.Add(Entry(Action::kDropped, {{0, 0}}));
  const Result<OpenLetters> open = CountOpenLetters(&letters, "fensi");
  ASSERT_TRUE(open.ok());
  EXPECT_THAT(*open, ElementsAre(Pair("rejected", 1), Pair("unknown", 1), Pair("unmappable", 1)));
  letters.Add(Entry(Action::kReplayed, {{1, 3}}));
  EXPECT_THAT(*CountOpenLetters(&letters, "fensi"), IsEmpty());
  EXPECT_THAT(*CountOpenLetters(&letters, "another"), IsEmpty());
}

TEST(OpenLettersTest, ALetterInPartsCountsOnce) {
  MemoryLetters letters;
  consumer::DeadLetter large = Letter(0);
  large.original.assign(10'000, 'x');
  const std::vector<std::string> parts = consumer::EncodeDeadLetterParts(large, 5, 2'000);
  ASSERT_GT(parts.size(), 1u);
  for (const std::string& part : parts) letters.Add(part);
  EXPECT_THAT(*CountOpenLetters(&letters, "fensi"), ElementsAre(Pair("unmappable", 1)));
}

/// Letters that cannot be read.
class ClosedLetters final : public operations::LetterReader {
 public:
  explicit ClosedLetters(Status why) : why_(std::move(why)) {}
  Status ForEach(const std::optional<operations::Place>&, const Use&) override { return why_; }
  std::string name() const override { return "topic fensi.dead"; }

 private:
  const Status why_;
};

TEST(OpenLettersTest, WithoutAFileThereAreNone) {
  ClosedLetters letters(Status(StatusCode::kNotFound, "no such file"));
  EXPECT_THAT(*CountOpenLetters(&letters, "fensi"), IsEmpty());
}

class OpenLetterWatchTest : public ::testing::Test {
 protected:
  /// After so long, until the count is that; the clock hardly moves meanwhile. What was told on the way.
  std::optional<LogEntry> After(seconds time, const std::shared_ptr<operations::LetterReader>& reader, int64_t written,
                                const std::optional<OpenLetters>& expected, bool until_told = false) {
    clock_.Advance(time);
    const auto wanted = [&] {
      return std::map<std::string, OpenLetterWatch::Wanted>{{"fensi", {[&] { return reader; }, written}}};
    };
    std::optional<LogEntry> told;
    for (int i = 0; i < 20'000 && (watch_.Of("fensi") != expected || (until_told && !told)); ++i) {
      if (auto entry = watch_.Tick(wanted)) told = std::move(entry);
      clock_.Advance(milliseconds(1));
      std::this_thread::sleep_for(milliseconds(1));
    }
    EXPECT_EQ(watch_.Of("fensi"), expected);
    return told;
  }

  FakeClock clock_;
  OpenLetterWatch watch_{&clock_};
};

TEST_F(OpenLetterWatchTest, CountsAtTheStartNowAndThenAndSoonAfterNewOnes) {
  const auto letters = std::make_shared<MemoryLetters>();
  letters->Add(Letter(0));
  EXPECT_EQ(watch_.Of("fensi"), std::nullopt);
  After(seconds(1), letters, 0, OpenLetters{{"unmappable", 1}});  // of a process before
  letters->Add(Letter(1));
  After(seconds(3), letters, 1, OpenLetters{{"unmappable", 2}});  // this process has written one
  letters->Add(Entry(Action::kDropped, {{0, 1}}));
  After(seconds(31), letters, 1, OpenLetters());  // somebody settled them
}

TEST_F(OpenLetterWatchTest, WhatMayNotBeReadIsNotKnownAndSaid) {
  const auto letters = std::make_shared<ClosedLetters>(Status(StatusCode::kPermission, "READ is refused"));
  const std::optional<LogEntry> told = After(seconds(1), letters, 0, std::nullopt, /*until_told=*/true);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->event.rule().name, "dead_letters_uncounted");
  EXPECT_THAT(told->text, HasSubstr("READ is refused"));
}

}  // namespace
}  // namespace fensi::daemon
