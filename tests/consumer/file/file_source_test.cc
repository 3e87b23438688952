#include "consumer/file/file_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "tests/consumer/scratch_file.h"

namespace fensi::consumer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Put(const std::string& row) {
  return R"({"table":"t","row":")" + row + R"(","cells":[{"type":"put","column":"f:q","ts":1,"value":"v"}]})" + "\n";
}

std::unique_ptr<FileSource> Opened(const std::string& path, const FileSourceOptions& options = {}) {
  Result<std::unique_ptr<FileSource>> source = FileSource::Open(path, options);
  EXPECT_TRUE(source.ok()) << source.status().ToString();
  return std::move(*source);
}

std::unique_ptr<FileSource> Begun(const std::string& path, const FileSourceOptions& options = {}, int64_t offset = 0) {
  std::unique_ptr<FileSource> source = Opened(path, options);
  const Opening opening = std::get<Opening>(source->Next());
  EXPECT_TRUE(source->Begin(opening.assignment, offset).ok());
  return source;
}

/// Every row up to the end, "!" for a line that is no event; batches end in "|".
std::string Drain(FileSource* source) {
  std::string rows;
  for (;;) {
    Work work = source->Next();
    if (std::holds_alternative<End>(work)) return rows + std::get<End>(work).status.message();
    const Batch& batch = std::get<Batch>(work);
    for (const Record& record : batch.records) rows += record.decoded.ok() ? record.event.row : "!";
    rows += "|";
    source->Done(batch);
  }
}

TEST(FileSource, HandsOutTheLinesInOrderAndEnds) {
  const ScratchFile file(Put("a") + Put("b") + Put("c"));
  const auto source = Begun(file.path(), {.max_batch_records = 2});
  EXPECT_EQ(Drain(source.get()), "ab|c|");
  EXPECT_EQ(source->progress().records, 3);
  EXPECT_EQ(source->progress().records_left, 0);
  EXPECT_TRUE(std::holds_alternative<End>(source->Next()));
}

TEST(FileSource, KeysAndLinesOfALargeBatchStayReadable) {
  constexpr int kLines = 5000;
  std::string lines;
  for (int i = 0; i < kLines; ++i) lines += i % 7 == 0 ? "no event\n" : Put(std::to_string(i));
  const ScratchFile file(lines);
  const auto source = Begun(file.path());
  const Batch batch = std::get<Batch>(source->Next());
  ASSERT_EQ(batch.records.size(), size_t{kLines});
  for (int i = 0; i < kLines; ++i) {
    const Record& record = batch.records[static_cast<size_t>(i)];
    ASSERT_EQ(record.key, i % 7 == 0 ? "" : std::to_string(i));
    ASSERT_EQ(std::string(record.value) + "\n", i % 7 == 0 ? "no event\n" : Put(std::to_string(i)));
  }
}

TEST(FileSource, OpensOnePartitionWithoutACommit) {
  const ScratchFile file("");
  const auto source = Opened(file.path());
  const Opening opening = std::get<Opening>(source->Next());
  EXPECT_EQ(opening.assignment->topic(), file.path());
  EXPECT_EQ(opening.assignment->partition_count(), 1);
  EXPECT_EQ(opening.log_start, 0);
  EXPECT_FALSE(opening.committed.has_value());
}

TEST(FileSource, CountsBlankLinesInOffsetsOnly) {
  const ScratchFile file(Put("a") + "\n \r\n" + Put("b"));
  const auto source = Begun(file.path());
  const Batch batch = std::get<Batch>(source->Next());
  EXPECT_EQ(batch.records[1].offset, 4) << "lines are counted from 1";
  EXPECT_EQ(batch.next_offset, 5);
}

TEST(FileSource, AMalformedLineIsARecordThatNamesItsPlace) {
  const ScratchFile file(Put("a") + "{oops\n" + Put("b"));
  const auto source = Begun(file.path());
  const Batch batch = std::get<Batch>(source->Next());
  ASSERT_EQ(batch.records.size(), 3u);
  EXPECT_THAT(batch.records[1].decoded.message(), HasSubstr(file.path() + ":2: not JSON at byte 2"));
  EXPECT_EQ(batch.records[1].value, "{oops");
}

TEST(FileSource, TakesALastLineWithoutLineBreak) {
  std::string content = Put("a") + Put("b");
  content.pop_back();
  const ScratchFile file(content);
  EXPECT_EQ(Drain(Begun(file.path(), {.max_batch_records = 1}).get()), "a|b|");
}

TEST(FileSource, BoundsBatchesInBytes) {
  const ScratchFile file(Put("a") + Put("b") + Put("c"));
  EXPECT_EQ(Drain(Begun(file.path(), {.max_batch_bytes = 100}).get()), "ab|c|");
}

TEST(FileSource, ReadsFilesOfManyBlocksAndLinesLongerThanABlock) {
  std::string content;
  std::string expected;
  for (int i = 0; i < 9; ++i) {
    content += Put(std::string(1, static_cast<char>('a' + i)));
    content += R"({"table":"t","row":"R","cells":[{"type":"put","column":"f:q","ts":1,"value":")" +
               std::string(700'000 * static_cast<size_t>(i), 'v') + "\"}]}\n";
    expected += std::string(1, static_cast<char>('a' + i)) + "R";
  }
  const ScratchFile file(content);
  std::string rows = Drain(Begun(file.path()).get());
  std::erase(rows, '|');
  EXPECT_EQ(rows, expected);
}

TEST(FileSource, BeginsWhereItIsTold) {
  const ScratchFile file(Put("a") + Put("b") + Put("c"));
  EXPECT_EQ(Drain(Begun(file.path(), {}, 3).get()), "c|");
}

TEST(FileSource, AnAbandonedPartitionIsOpenedAgainAndItsOldAssignmentFenced) {
  const ScratchFile file(Put("a") + Put("b"));
  const auto source = Begun(file.path(), {.max_batch_records = 1});
  const Batch batch = std::get<Batch>(source->Next());
  source->Abandon(batch.assignment);
  EXPECT_EQ(batch.assignment->Check().code(), StatusCode::kFenced);
  const Opening again = std::get<Opening>(source->Next());
  source->Done(batch);  // too late: ignored
  ASSERT_TRUE(source->Begin(again.assignment, 0).ok());
  EXPECT_EQ(Drain(source.get()), "a|b|");
}

TEST(FileSource, StopEndsAfterTheBatchInHand) {
  const ScratchFile file(Put("a") + Put("b"));
  const auto source = Begun(file.path(), {.max_batch_records = 1});
  const Batch batch = std::get<Batch>(source->Next());
  source->Stop();
  EXPECT_EQ(batch.assignment->Check().code(), StatusCode::kCancelled);
  source->Done(batch);
  EXPECT_EQ(source->progress().records, 1);
  EXPECT_TRUE(std::holds_alternative<End>(source->Next()));
}

TEST(FileSource, StopWakesAReaderThatWaitsAtAPipe) {
  const std::string path = "/tmp/fensi_test_fifo_" + std::to_string(getpid());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::fstream writer(path, std::ios::in | std::ios::out);
  const auto source = Begun(path);
  writer << Put("a") << "{\"half" << std::flush;
  const Batch batch = std::get<Batch>(source->Next());
  source->Done(batch);
  std::thread waiting([&source] { EXPECT_TRUE(std::holds_alternative<End>(source->Next())); });
  source->Stop();
  waiting.join();
  unlink(path.c_str());
}

TEST(FileSource, ManyWorkersShareTheOnePartition) {
  std::string content;
  for (int i = 0; i < 1000; ++i) content += Put("r");
  const ScratchFile file(content);
  const auto source = Begun(file.path(), {.max_batch_records = 3});
  std::vector<std::thread> workers;
  for (int i = 0; i < 4; ++i) workers.emplace_back([&source] { Drain(source.get()); });
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(source->progress().records, 1000);
}

TEST(FileSource, NamesTheFileThatIsNotThere) {
  const auto missing = FileSource::Open("/nowhere/events.jsonl", {});
  EXPECT_EQ(missing.status().ToString(), "not found: cannot read /nowhere/events.jsonl: No such file or directory");
  EXPECT_THAT(FileSource::Open("/tmp", {}).status().message(), HasSubstr("cannot read /tmp: Is a directory"));
}

}  // namespace
}  // namespace fensi::consumer
