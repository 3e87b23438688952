#include "consumer/file/file_dead_letters.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "consumer/codec/event_codec.h"
#include "consumer/codec/json_decoder.h"
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
            R"("offset":17,"row":"a\\x00","key":"a","original_bytes":"\\xFF\\x0A"})"
            "\n");
}

/// What a JSON program reads under a name.
std::string Field(const std::string& line, const char* name) { return nlohmann::json::parse(line).at(name); }

TEST(DeadLetterLine, GivesALineOfTextBackByteForByte) {
  for (const std::string original :
       {R"({"table":"t","row":"\\x00\u00e4 \" ä 粉丝","cells":[]})", "no event\t!", "", "\\x41"}) {
    DeadLetter letter = kLetter;
    letter.original = original;
    EXPECT_EQ(Field(DeadLetterLine(letter, 1), "original"), original);
  }
}

TEST(DeadLetterLine, HasAnEventOfATopicAsALineOfARecordedFile) {
  const ChangeEvent event{.table = "t",
                          .row = std::string("\xff\0", 2),
                          .cells = {{.family = "f", .qualifier = "q", .timestamp = 1482126400000000001, .value = "ä"}}};
  DeadLetter letter = kLetter;
  letter.original = EncodeEvent(event);
  const std::string line = DeadLetterLine(letter, 1);
  ChangeEvent again;
  ASSERT_TRUE(JsonDecoder().Decode(Field(line, "event"), &again).ok()) << line;
  EXPECT_EQ(again, event);
}

int64_t LinesOf(const ScratchFile& file) {
  const std::string content = file.content();
  int64_t lines = 0;
  for (size_t end = 0; (end = content.find('\n', end)) != std::string::npos; ++end) ++lines;
  return lines;
}

TEST(FileDeadLetters, ARunOnceMoreAddsNothingThatTheFileHas) {
  const ScratchFile file("");
  DeadLetter other = kLetter;
  other.offset = 18;
  for (const auto& sent : {std::vector{kLetter}, std::vector{kLetter, other, other}, std::vector{other, kLetter}}) {
    FileDeadLetters letters(file.path(), SystemClock());
    for (const DeadLetter& letter : sent) ASSERT_TRUE(letters.Send(letter).ok());
    ASSERT_TRUE(letters.Flush().ok());
  }
  EXPECT_EQ(LinesOf(file), 2) << file.content();
}

TEST(FileDeadLetters, ThatAnotherProcessAddedAreKnown) {
  const ScratchFile file("");
  FileDeadLetters one(file.path(), SystemClock()), two(file.path(), SystemClock());
  for (int64_t offset = 1; offset <= 3; ++offset) {
    DeadLetter letter = kLetter;
    letter.offset = offset;
    for (FileDeadLetters* letters : {&one, &two}) {
      ASSERT_TRUE(letters->Send(letter).ok());
      ASSERT_TRUE(letters->Flush().ok());
      EXPECT_EQ(LinesOf(file), offset);
    }
  }
}

TEST(FileDeadLetters, OfProcessesThatRefuseTheSameAtTheSameTimeAreAddedOnce) {
  constexpr int64_t kLetters = 100;
  const ScratchFile file("");
  const auto refuse = [&file] {
    FileDeadLetters letters(file.path(), SystemClock());
    for (int64_t offset = 1; offset <= kLetters; ++offset) {
      DeadLetter letter = kLetter;
      letter.offset = offset;
      if (!letters.Send(letter).ok() || !letters.Flush().ok()) return;
    }
  };
  std::vector<std::thread> processes;
  for (int i = 0; i < 4; ++i) processes.emplace_back(refuse);
  for (std::thread& process : processes) process.join();
  EXPECT_EQ(LinesOf(file), kLetters);
}

TEST(FileDeadLetters, AreWrittenThoughAStoppedProcessHoldsTheLock) {
  const ScratchFile file("");
  const int stopped = open(file.path().c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(flock(stopped, LOCK_EX), 0);
  FileDeadLetters letters(file.path(), SystemClock());
  ASSERT_TRUE(letters.Send(kLetter).ok());
  EXPECT_TRUE(letters.Flush().ok());
  EXPECT_EQ(LinesOf(file), 1);
  close(stopped);
}

TEST(FileDeadLetters, DoNotGoIntoAFileThatIsNoText) {
  for (const std::string& content : {std::string("\x1f\x8b\x08\x00\x01\x02", 6), std::string("a\0b", 3)}) {
    const ScratchFile file(content);
    FileDeadLetters letters(file.path(), SystemClock());
    ASSERT_TRUE(letters.Send(kLetter).ok());
    for (int attempt = 0; attempt < 2; ++attempt) {
      EXPECT_EQ(letters.Flush().code(), StatusCode::kConfiguration);
      EXPECT_EQ(file.content(), content);
    }
  }
}

TEST(FileDeadLetters, AreKnownBehindALineOfAnyLength) {
  const ScratchFile file(std::string(65 << 20, 'x') + "\n" + DeadLetterLine(kLetter, 1));
  FileDeadLetters letters(file.path(), SystemClock());
  ASSERT_TRUE(letters.Send(kLetter).ok());
  ASSERT_TRUE(letters.Flush().ok());
  EXPECT_EQ(LinesOf(file), 2);
}

TEST(FileDeadLetters, FromStandardInputAreNotAddedWhenTheFileHasTheirContent) {
  const ScratchFile file("");
  DeadLetter again = kLetter;
  again.topic = "-";
  again.offset = 1;
  again.reason = "-:1: another one";
  DeadLetter fresh = again;
  fresh.original = "fresh";
  for (const DeadLetter& letter : {kLetter, again, fresh, fresh}) {
    FileDeadLetters letters(file.path(), SystemClock());
    ASSERT_TRUE(letters.Send(letter).ok());
    ASSERT_TRUE(letters.Flush().ok());
  }
  EXPECT_EQ(LinesOf(file), 2) << file.content();
}

TEST(FileDeadLetters, AreForTheirOwnerAlone) {
  const ScratchFile file("");
  ASSERT_EQ(unlink(file.path().c_str()), 0);
  FileDeadLetters letters(file.path(), SystemClock());
  ASSERT_TRUE(letters.Send(kLetter).ok());
  ASSERT_TRUE(letters.Flush().ok());
  struct stat info {};
  ASSERT_EQ(stat(file.path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST(FileDeadLetters, GoIntoAPipe) {
  const ScratchFile file("");
  ASSERT_EQ(unlink(file.path().c_str()), 0);
  ASSERT_EQ(mkfifo(file.path().c_str(), 0600), 0);
  const int reader = open(file.path().c_str(), O_RDONLY | O_NONBLOCK);
  FileDeadLetters letters(file.path(), SystemClock());
  ASSERT_TRUE(letters.Send(kLetter).ok());
  EXPECT_TRUE(letters.Flush().ok());
  char first = 0;
  EXPECT_EQ(read(reader, &first, 1), 1);
  EXPECT_EQ(first, '{');
  close(reader);
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
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_EQ(status.message(),
            "cannot write dead letters to /nowhere/dead.jsonl: No such file or directory. Check the disk and the "
            "rights of the file, or name another file with --dead_letters=file:PATH");
  EXPECT_FALSE(letters.Flush().ok()) << "it is still not durable";
}

TEST(FileDeadLetters, LeavesNoFileWithoutLetters) {
  FileDeadLetters letters("/nowhere/dead.jsonl", SystemClock());
  EXPECT_TRUE(letters.Flush().ok());
}

}  // namespace
}  // namespace fensi::consumer
