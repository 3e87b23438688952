#include "consumer/file/file_dead_letters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/consumer/scratch_file.h"

namespace fensi::consumer {
namespace {

const DeadLetter kLetter{.index = "fensi",
                         .reason = "column \"f1:from\" is empty",
                         .topic = "changes",
                         .partition = 3,
                         .offset = 17,
                         .row = std::string("a\0", 2),
                         .original_key = "a",
                         .original = "\xff\n"};

TEST(DeadLetterLine, HoldsEverythingAndTheOriginalBytes) {
  EXPECT_EQ(DeadLetterLine(kLetter, 99),
            R"({"time":99,"index":"fensi","reason":"column \"f1:from\" is empty","topic":"changes","partition":3,)"
            R"("offset":17,"row":"a\\x00","key":"a","original":"\\xFF\\x0A"})"
            "\n");
}

TEST(FileDeadLetters, AppendsAtFlush) {
  const ScratchFile file("before\n");
  FileDeadLetters letters(file.path(), SystemClock());
  ASSERT_TRUE(letters.Send(kLetter).ok());
  EXPECT_EQ(file.content(), "before\n");
  ASSERT_TRUE(letters.Flush().ok());
  EXPECT_THAT(file.content(), ::testing::MatchesRegex("before\n\\{\"time\":.*\\}\n"));
}

TEST(FileDeadLetters, EndsALineThatACrashHasCut) {
  const ScratchFile file("{\"time\":1,\"ind");
  FileDeadLetters letters(file.path(), SystemClock());
  ASSERT_TRUE(letters.Send(kLetter).ok());
  ASSERT_TRUE(letters.Flush().ok());
  EXPECT_THAT(file.content(), ::testing::StartsWith("{\"time\":1,\"ind\n{\"time\":"));
}

TEST(FileDeadLetters, KeepsTheLetterWhenTheFileCannotBeWritten) {
  FileDeadLetters letters("/nowhere/dead.jsonl", SystemClock());
  ASSERT_TRUE(letters.Send(kLetter).ok());
  const Status status = letters.Flush();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_EQ(status.message(), "cannot write dead letters to /nowhere/dead.jsonl: No such file or directory");
  EXPECT_FALSE(letters.Flush().ok()) << "it is still not durable";
}

TEST(FileDeadLetters, LeavesNoFileWithoutLetters) {
  FileDeadLetters letters("/nowhere/dead.jsonl", SystemClock());
  EXPECT_TRUE(letters.Flush().ok());
}

}  // namespace
}  // namespace fensi::consumer
