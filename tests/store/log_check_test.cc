// Which logs are whole: by the numbers of their records, and what the ledger knows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/write_batch.h>

#include "store/embedded/store_folder.h"

namespace fensi::store {
namespace {

using ::testing::HasSubstr;

/// Of `count` writes, the first with this number.
rocksdb::WriteBatch Record(uint64_t sequence, int count) {
  rocksdb::WriteBatch batch;
  for (int i = 0; i < count; ++i) batch.Put("k" + std::to_string(i), "v");
  std::string bytes = batch.Data();
  for (size_t i = 0; i < sizeof sequence; ++i) bytes[i] = static_cast<char>(sequence >> (8 * i));
  return rocksdb::WriteBatch(std::move(bytes));
}

class LogCheckTest : public ::testing::Test {
 protected:
  void Want(uint64_t log) { check_.ColumnFamilyLogNumberMap({{0, log}}, {{"default", 0}}); }
  void Find(uint64_t log, uint64_t sequence, int count) {
    rocksdb::WriteBatch changed;
    bool is_changed = false;
    check_.LogRecordFound(log, "", Record(sequence, count), &changed, &is_changed);
    EXPECT_FALSE(is_changed);
    last_ = sequence + static_cast<uint64_t>(count) - 1;
  }
  std::string Outcome(std::optional<Acknowledged> known) const { return check_.Outcome("D", known, last_).message(); }

  LogCheck check_;
  uint64_t last_ = 0;
};

TEST_F(LogCheckTest, LogsThatFollowOneAnotherAreWhole) {
  Want(5);
  Find(5, 11, 3);
  Find(5, 14, 1);
  Find(9, 15, 2);
  EXPECT_EQ(Outcome(Acknowledged{.written = 16, .flushed = 10, .log = 5}), "");
  EXPECT_EQ(Outcome(std::nullopt), "");
  EXPECT_EQ(Outcome(Acknowledged{.written = 12, .flushed = 10, .log = 5}), "") << "more than was acknowledged";
}

TEST_F(LogCheckTest, AGapNamesTheLogsAroundItAlsoWithoutALedger) {
  Find(5, 11, 3);
  Find(9, 15, 2);
  EXPECT_THAT(Outcome(std::nullopt), HasSubstr("D/000005.log or D/000009.log"));
  EXPECT_THAT(Outcome(std::nullopt), HasSubstr("write number 14 "));
}

TEST_F(LogCheckTest, AnOldestLogThatIsGoneIsNamed) {
  Want(5);
  Find(9, 15, 2);
  EXPECT_THAT(Outcome(Acknowledged{.written = 16, .flushed = 10, .log = 5}), HasSubstr("D/000005.log"));
}

TEST_F(LogCheckTest, AnOldestLogThatLacksItsBeginningIsNamed) {
  Want(5);
  Find(5, 13, 4);
  EXPECT_THAT(Outcome(Acknowledged{.written = 16, .flushed = 10, .log = 5}), HasSubstr("D/000005.log"));
}

TEST_F(LogCheckTest, ALogThatEndsTooSoonIsNamed) {
  Want(5);
  Find(5, 11, 3);
  Find(9, 14, 1);
  EXPECT_THAT(Outcome(Acknowledged{.written = 16, .flushed = 10, .log = 5}), HasSubstr("D/000009.log"));
}

TEST_F(LogCheckTest, AfterAFlushThatTheLedgerDoesNotKnowTheLogsBeginLater) {
  Want(9);
  Find(9, 15, 2);
  EXPECT_EQ(Outcome(Acknowledged{.written = 16, .flushed = 10, .log = 5}), "");
}

TEST_F(LogCheckTest, RecordsWithoutWritesDoNotCount) {
  Want(5);
  Find(5, 11, 2);
  Find(5, 13, 0);
  Find(5, 13, 1);
  EXPECT_EQ(Outcome(Acknowledged{.written = 13, .flushed = 10, .log = 5}), "");
}

}  // namespace
}  // namespace fensi::store
