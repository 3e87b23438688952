#include "consumer/file/file_source.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <thread>
#include <vector>

#include "consumer/codec/json_decoder.h"
#include "tests/consumer/scratch_file.h"
#include "tests/support/matchers.h"

namespace fensi::consumer {
namespace {

std::string Put(const std::string& row) {
  return R"({"table":"t","row":")" + row + R"(","cells":[{"type":"put","column":"f:q","ts":1,"value":"v"}]})" + "\n";
}

std::unique_ptr<FileSource> OpenedFiles(const std::vector<std::string>& paths, const FileSourceOptions& options = {}) {
  Result<std::unique_ptr<FileSource>> source = FileSource::Open(paths, options);
  EXPECT_TRUE(source.ok()) << source.status().ToString();
  return std::move(*source);
}

std::unique_ptr<FileSource> Opened(const std::string& path, const FileSourceOptions& options = {}) {
  return OpenedFiles({path}, options);
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

/// Every file in its order with ">" behind its name, and its rows; at the end the reason of the end.
std::string DrainFiles(FileSource* source) {
  std::string text;
  for (;;) {
    Work work = source->Next();
    if (std::holds_alternative<End>(work)) return text + std::get<End>(work).status.message();
    if (const auto* opening = std::get_if<Opening>(&work)) {
      text += opening->assignment->topic() + ">";
      EXPECT_TRUE(source->Begin(opening->assignment, 0).ok());
      continue;
    }
    const Batch& batch = std::get<Batch>(work);
    for (const Record& record : batch.records) text += record.decoded.ok() ? record.event.row : "!";
    text += "|";
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

/// A pipe of which nothing is left to be read.
void WaitUntilRead(const std::string& path) {
  const int pipe = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(pipe, 0);
  for (int left = 1; left > 0; std::this_thread::yield()) ASSERT_EQ(ioctl(pipe, FIONREAD, &left), 0);
  close(pipe);
}

/// Whoever lost the answer of Begin gives back what another worker reads by now.
TEST(FileSource, APartitionThatIsGivenBackWhileItIsReadIsOpenedByNobodyBeforeThatIsOver) {
  const std::string path = "/tmp/fensi_test_fifo_back_" + std::to_string(getpid());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::fstream writer(path, std::ios::in | std::ios::out);
  const auto source = Opened(path);
  const Opening opening = std::get<Opening>(source->Next());
  ASSERT_TRUE(source->Begin(opening.assignment, 0).ok());
  writer << "{\"half" << std::flush;
  std::atomic<int> openings = 0, batches = 0;
  const auto take = [&] {
    const Work work = source->Next();
    openings += std::holds_alternative<Opening>(work) ? 1 : 0;
    batches += std::holds_alternative<Batch>(work) ? 1 : 0;
  };
  std::thread reading(take);
  WaitUntilRead(path);
  source->Abandon(opening.assignment);
  EXPECT_EQ(opening.assignment->Check().code(), StatusCode::kFenced);
  std::thread another(take);
  for (int turn = 0; turn < 10'000 && openings == 0; ++turn) std::this_thread::yield();
  EXPECT_EQ(openings, 0) << "what is being read was opened";
  writer << Put("a") << std::flush;
  while (openings == 0) std::this_thread::yield();
  source->Stop();
  reading.join();
  another.join();
  EXPECT_EQ(openings, 1);
  EXPECT_EQ(batches, 0) << "what was read belongs to an assignment that is lost";
  unlink(path.c_str());
}

TEST(FileSource, BeginsOnceForEachOpening) {
  const ScratchFile file(Put("a"));
  const auto source = Opened(file.path());
  const Opening opening = std::get<Opening>(source->Next());
  ASSERT_TRUE(source->Begin(opening.assignment, 0).ok());
  EXPECT_EQ(source->Begin(opening.assignment, 0).code(), StatusCode::kFenced);
  EXPECT_EQ(Drain(source.get()), "a|");
}

/// A worker that loses some of the answers it gets, and gives back what it believes not to have.
void WorkWithLostAnswers(FileSource* source, std::atomic<int>* answers, std::atomic<int>* rows) {
  const auto lost = [answers] {
    const int answer = ++*answers;
    return answer % 3 == 0 && answer < 300;
  };
  for (;;) {
    const Work work = source->Next();
    if (std::holds_alternative<End>(work)) return;
    if (const auto* opening = std::get_if<Opening>(&work)) {
      const Status begun = source->Begin(opening->assignment, 0);
      if (!begun.ok() || lost()) source->Abandon(opening->assignment);
      continue;
    }
    const Batch& batch = std::get<Batch>(work);
    for (const Record& record : batch.records) *rows += record.decoded.ok() ? 1 : 0;
    source->Done(batch);
    if (lost()) source->Abandon(batch.assignment);
  }
}

TEST(FileSource, ManyWorkersThatLoseAnswersReadAllOfIt) {
  std::string content;
  for (int i = 0; i < 1000; ++i) content += Put("r");
  const ScratchFile file(content);
  const auto source = Opened(file.path(), {.max_batch_records = 3});
  std::atomic<int> answers = 0, rows = 0;
  std::vector<std::thread> workers;
  for (int i = 0; i < 4; ++i) workers.emplace_back(WorkWithLostAnswers, source.get(), &answers, &rows);
  for (std::thread& worker : workers) worker.join();
  EXPECT_GE(rows, 1000);
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
  const auto missing = FileSource::Open({"/nowhere/events.jsonl"}, {});
  EXPECT_EQ(missing.status().ToString(),
            "not found: cannot read /nowhere/events.jsonl: No such file or directory. Correct the path in --source");
  EXPECT_THAT(FileSource::Open({"/tmp"}, {}).status().message(),
              HasSubstr("cannot read /tmp: Is a directory. Name the files in it: '/tmp/*'"));
  EXPECT_THAT(FileSource::Open({"/tmp/"}, {}).status().message(), HasSubstr("'/tmp/*'"));
}

TEST(FileSource, ReadsFilesOneBehindTheOtherEachAsAPartitionOfItsOwn) {
  const ScratchFile first(Put("a") + Put("b")), second(""), third(Put("c"));
  const auto source = OpenedFiles({first.path(), second.path(), third.path()});
  EXPECT_EQ(DrainFiles(source.get()), first.path() + ">ab|" + second.path() + ">" + third.path() + ">c|");
  EXPECT_EQ(source->progress().records, 3);
  EXPECT_EQ(source->progress().records_left, 0);
}

TEST(FileSource, AFileThatIsMissingIsToldBeforeTheFirstIsRead) {
  const ScratchFile first(Put("a"));
  const auto source = FileSource::Open({first.path(), "/nowhere/b.jsonl"}, {});
  EXPECT_EQ(source.status().ToString(),
            "not found: cannot read /nowhere/b.jsonl: No such file or directory. Correct the path in --source");
}

TEST(FileSource, AFileThatGoesBeforeItsTurnEndsTheRun) {
  const ScratchFile first(Put("a"));
  auto second = std::make_unique<ScratchFile>(Put("b"));
  const std::string gone = second->path();
  const auto source = OpenedFiles({first.path(), gone});
  second.reset();
  EXPECT_EQ(DrainFiles(source.get()), first.path() + ">a|cannot read " + gone + ": No such file or directory");
}

/// A frame of zstd with the content as it is.
std::string Zstd(const std::string& content) {
  const size_t header = content.size() << 3 | 1;
  std::string frame = "\x28\xb5\x2f\xfd\x20";
  frame += static_cast<char>(content.size());
  for (int i = 0; i < 3; ++i) frame += static_cast<char>(header >> 8 * i & 0xff);
  return frame + content;
}

TEST(FileSource, UnpacksZstdOfSeveralFramesAndFromItsBeginningAgain) {
  const ScratchFile file(Zstd(Put("a") + "{\"ta") + Zstd(Put("b").substr(4) + Put("c")));
  const auto source = Begun(file.path());
  const Batch batch = std::get<Batch>(source->Next());
  source->Abandon(batch.assignment);
  EXPECT_EQ(DrainFiles(source.get()), file.path() + ">a|bc|");
}

TEST(FileSource, APackedFileThatIsCutOrBrokenIsRefusedAtTheLineThatIsMissing) {
  const std::string packed = Zstd(Put("a") + Put("b"));
  for (const size_t cut : {size_t{5}, size_t{8}, packed.size() - 1}) {
    const ScratchFile file(packed.substr(0, cut));
    const std::string line = file.path() + (cut == packed.size() - 1 ? ":2" : ":1");
    EXPECT_THAT(Drain(Begun(file.path()).get()), HasSubstr(line + ": the file is cut")) << cut;
  }
  const ScratchFile broken(packed + "not packed");
  EXPECT_THAT(Drain(Begun(broken.path()).get()),
              HasSubstr("ab|" + broken.path() + ":3: the compressed data is damaged"));
}

TEST(FileSource, RefusesWhatIsNoText) {
  const ScratchFile program(
      std::string("\x7f"
                  "ELF\x02\x01\x00\x00\n",
                  9));
  EXPECT_THAT(Drain(Begun(program.path()).get()), HasSubstr("is no text in UTF-8: its byte 7 is zero"));
  const ScratchFile packed(Zstd(std::string("{\0\n}\n", 5)));
  EXPECT_THAT(Drain(Begun(packed.path()).get()), HasSubstr("its byte 2 is zero"));
  const ScratchFile marked("\xef\xbb\xbf" + Put("a"));
  EXPECT_EQ(Drain(Begun(marked.path()).get()), "a|") << "a byte order mark is no part of the first line";
}

class Csv : public ::testing::Test {
 protected:
  /// Rows with their cells, "!REASON" for a record that is none.
  static std::string Read(const std::string& text, CsvOptions csv = {.table = "t", .row_column = "id"}) {
    const ScratchFile file(text);
    const auto source = Begun(file.path(), {.csv = std::move(csv)});
    std::string rows;
    for (;;) {
      Work work = source->Next();
      if (std::holds_alternative<End>(work))
        return WithoutPath(rows + std::get<End>(work).status.message(), file.path());
      const Batch& batch = std::get<Batch>(work);
      for (const Record& record : batch.records)
        rows += record.decoded.ok() ? Shown(record) : "!" + record.decoded.message() + "\n";
      source->Done(batch);
    }
  }

  static std::string Shown(const Record& record) {
    std::string text = std::to_string(record.offset) + " " + std::string(record.key) + ":";
    for (const Cell& cell : record.event.cells) {
      text += " " + cell.family + ":" + cell.qualifier + "=" + cell.value;
      if (cell.timestamp < 1'000'000) text += "@" + std::to_string(cell.timestamp);
    }
    return text + "\n";
  }

  static std::string WithoutPath(std::string text, const std::string& path) {
    for (size_t at = text.find(path); at != std::string::npos; at = text.find(path)) text.replace(at, path.size(), "F");
    return text;
  }
};

TEST_F(Csv, MakesAPutOfEachFieldThatIsThere) {
  EXPECT_EQ(Read("id,f:a\r\na,\"x\r\ny\nz\"\r\n"), "2 a: f:a=x\r\ny\nz\n");
  EXPECT_EQ(Read("id,f:a,f:b\na,1,2\r\n\nb,,\"\"\n"), "2 a: f:a=1 f:b=2\n4 b: f:b=\n");
  EXPECT_EQ(Read("n,id\n1,a", {.table = "t", .row_column = "id", .family = "f"}), "2 a: f:n=1\n");
  EXPECT_EQ(Read("f:a,at,id\n1,7,a\n2,x,b\n", {.table = "t", .row_column = "id", .time_column = "at"}),
            "2 a: f:a=1@7\n"
            "!F:3: column 'at': 'x' is no timestamp: write milliseconds since 1970 from 0 to 9223370937343148031\n");
}

TEST_F(Csv, ATimestampThatHBaseCannotHoldNamesItsLine) {
  constexpr char kHead[] = "f:a,at,id\n1,";
  const CsvOptions csv{.table = "t", .row_column = "id", .time_column = "at"};
  EXPECT_EQ(Read(kHead + std::string("9223370937343148031,a\n"), csv), "2 a: f:a=1\n");
  for (const char* time : {"9223370937343148032", "9223372036854775807", "9223372036854775808", "-1"}) {
    EXPECT_THAT(Read(std::string(kHead) + time + ",a\n", csv),
                HasSubstr("!F:2: column 'at': '" + std::string(time) + "' is no timestamp"))
        << time;
  }
}

TEST_F(Csv, QuotesHoldCommasLineBreaksAndQuotes) {
  EXPECT_EQ(Read("id,\"f:a\"\n\"x,y\",\"one\ntwo \"\"three\"\"\"\nb,2\n"),
            "2 x,y: f:a=one\ntwo \"three\"\n4 b: f:a=2\n");
}

TEST_F(Csv, ARecordThatIsNoneNamesItsLineAndTheNextOneIsRead) {
  EXPECT_EQ(Read("id,f:a\na\nb,\"x\ny\"z\nc,3\n"),
            "!F:2: the record has 1 field, and the header has 2: correct the record\n"
            "!F:3: field 2 has text after its closing quote: write a quote within quotes as \"\"\n"
            "5 c: f:a=3\n");
  EXPECT_EQ(Read("id,f:a\n,1\na,\nb,x\"y\nc,\"1\n2"),
            "!F:2: column 'id': the row key is empty. Write the key, or remove the record\n"
            "!F:3: all fields except the row key are empty, and a row needs at least one cell. Fill in a field, or "
            "remove the record\n"
            "!F:4: field 2 has a quote but does not begin with one. Write the field as \"a \"\"b\"\" c\"\n"
            "!F:5: the file ends within a quoted field: add the closing quote\n");
}

TEST_F(Csv, AHeaderThatSaysTooLittleOrSomethingTwiceEndsTheRun) {
  EXPECT_EQ(Read(""), "F:1: the file is empty: begin it with the names of the columns");
  EXPECT_EQ(Read("a,1\nb,2\n"),
            "F:1: the header has no column 'id'; it has 'a', '1'. The first line has the names of the columns");
  EXPECT_EQ(Read("ids,f:a\n"), "F:1: the header has no column 'id'; did you mean 'ids'?");
  EXPECT_EQ(Read("\nid,f:a,f:a\n"), "F:2: the header has the column 'f:a' twice: rename or remove one");
  EXPECT_EQ(Read("id,,f:a\n"), "F:1: the header has no name for column 2: write one");
  EXPECT_EQ(Read("id, f:a\na,b\n"), "F:1: the header's column ' f:a' begins or ends with a blank: remove the blank");
  EXPECT_THAT(Read("id ,f:a\na,b\n"), HasSubstr("F:1: the header's column 'id ' begins or ends with a blank"));
  EXPECT_THAT(Read("id,f:a\ra,b\rc,d\r"), HasSubstr("F:1: the header's column 'f:a\\x0Da' has a control character"));
  EXPECT_EQ(Read("id\n"),
            "F:1: the header names only the column of the row keys, so rows would have no cells; add a column "
            "FAMILY:QUALIFIER");
  EXPECT_THAT(
      Read("id,name\n"),
      HasSubstr(
          "F:1: the column 'name' of the header is not FAMILY:QUALIFIER: rename the column, or set --csv_family"));
  EXPECT_THAT(Read("id,\"f:a\n"), HasSubstr("F:1: the file ends within a quoted field"));
}

TEST_F(Csv, TheOriginalOfARecordIsAnEventThatCanBeGivenBack) {
  const ScratchFile file("id,f:a\na,1\nb\n");
  const auto source = Begun(file.path(), {.csv = CsvOptions{.table = "t", .row_column = "id"}});
  const Batch batch = std::get<Batch>(source->Next());
  ChangeEvent event;
  ASSERT_TRUE(JsonDecoder().Decode(batch.records[0].value, &event).ok());
  EXPECT_EQ(event, batch.records[0].event);
  EXPECT_EQ(batch.records[1].value, "b");
}

TEST_F(Csv, ManyColumnsCostTheirNumberAndNotItsSquare) {
  const auto seconds = [](int columns) {
    std::string text = "id";
    for (int i = 0; i < columns; ++i) text += ",f:" + std::to_string(i);
    text += "\na" + [columns] {
      std::string values;
      for (int i = 0; i < columns; ++i) values += ",v";
      return values;
    }() + "\n";
    double least = 1e9;
    for (int i = 0; i < 3; ++i) {
      const std::clock_t begin = std::clock();
      EXPECT_TRUE(Read(text).starts_with("2 a: f:0=v"));
      least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return least;
  };
  // Four times the columns: four times the time, or sixteen times.
  EXPECT_LT(seconds(80'000), 9 * seconds(20'000));
}

TEST_F(Csv, AQuoteTooManyIsNotFollowedWithoutEnd) {
  const std::string lines = Read("id,f:a\na,\"" + std::string(1 << 20, 'x') + "\n" + [] {
    std::string rest;
    for (int i = 0; i < 16; ++i) rest += std::string(1 << 20, 'y') + "\n";
    return rest;
  }());
  EXPECT_THAT(lines, HasSubstr("F:2: a quoted field begins in this record and has no end within 16 MiB"));
}

class Followed : public ::testing::Test {
 protected:
  void Write(const std::string& text) const { std::ofstream(file_.path(), std::ios::app) << text << std::flush; }
  /// The rows of the next batch.
  std::string Take() {
    const Work work = source_->Next();
    if (const auto* opening = std::get_if<Opening>(&work)) {
      EXPECT_TRUE(source_->Begin(opening->assignment, 0).ok());
      return ">" + Take();
    }
    if (std::holds_alternative<End>(work)) return "end" + std::get<End>(work).status.message();
    std::string rows;
    for (const Record& record : std::get<Batch>(work).records) rows += record.decoded.ok() ? record.event.row : "!";
    source_->Done(std::get<Batch>(work));
    return rows;
  }

  const ScratchFile file_{Put("a")};
  std::string why_;  // of the thread that takes
  std::atomic<int> told_ = 0;
  const std::unique_ptr<FileSource> source_ =
      Opened(file_.path(), {.follow = true, .name_lost = [this](const Status& why) {
                              why_ = why.message();
                              ++told_;
                            }});
};

/// Counts who opens a folder.
class Looks {
 public:
  explicit Looks(const std::string& folder) : events_(inotify_init1(IN_CLOEXEC)) {
    EXPECT_GE(inotify_add_watch(events_, folder.c_str(), IN_OPEN), 0);
  }
  ~Looks() { close(events_); }
  Looks(const Looks&) = delete;
  Looks& operator=(const Looks&) = delete;

  void Await(int times) const {
    std::array<char, 4096> event{};
    for (int i = 0; i < times; ++i) EXPECT_GT(read(events_, event.data(), event.size()), 0);
  }

 private:
  const int events_;
};

TEST_F(Followed, AFileGoesOnWithWhatIsWrittenToItInWholeLines) {
  EXPECT_EQ(Take(), ">a");
  Write(Put("b") + Put("c").substr(0, 9));
  EXPECT_EQ(Take(), "b");
  Write(Put("c").substr(9));
  EXPECT_EQ(Take(), "c");
  EXPECT_EQ(source_->progress().records_left, std::nullopt);
}

TEST_F(Followed, AFileThatTakesItsNameIsReadFromItsFirstLineAfterTheRestOfTheOld) {
  EXPECT_EQ(Take(), ">a");
  const std::string old = file_.path() + ".1";
  std::rename(file_.path().c_str(), old.c_str());
  std::ofstream(old, std::ios::app) << Put("b") << std::flush;
  EXPECT_EQ(Take(), "b") << "nobody has the name yet";
  Write(Put("c"));
  EXPECT_EQ(Take(), ">c");
  unlink(old.c_str());
}

TEST_F(Followed, ANameThatNobodyHasIsToldOnceAndWaitedFor) {
  EXPECT_EQ(Take(), ">a");
  const std::string old = file_.path() + ".1";
  std::rename(file_.path().c_str(), old.c_str());
  std::thread waiting([this] { EXPECT_EQ(Take(), ">b"); });
  while (told_ == 0) std::this_thread::yield();
  Write(Put("b"));
  waiting.join();
  EXPECT_EQ(why_, "cannot read " + file_.path() + ": No such file or directory");
  EXPECT_EQ(told_, 1);
  unlink(old.c_str());
}

TEST_F(Followed, ANameOfWhatCannotBeReadIsToldOnceAndWaitedFor) {
  EXPECT_EQ(Take(), ">a");
  const std::string old = file_.path() + ".1";
  std::rename(file_.path().c_str(), old.c_str());
  ASSERT_EQ(mkdir(file_.path().c_str(), 0700), 0);
  const Looks looks(file_.path());
  std::thread waiting([this] { EXPECT_EQ(Take(), "b"); });
  looks.Await(3);
  std::ofstream(old, std::ios::app) << Put("b") << std::flush;
  waiting.join();
  EXPECT_THAT(why_, HasSubstr("Is a directory"));
  EXPECT_EQ(told_, 1) << "the old file is followed meanwhile";
  rmdir(file_.path().c_str());
  Write(Put("c"));
  EXPECT_EQ(Take(), ">c");
  unlink(old.c_str());
}

TEST_F(Csv, AFileThatIsRotatedBeforeItsHeaderIsWrittenIsFollowedByTheNext) {
  const ScratchFile file("");
  const auto source =
      Begun(file.path(), {.csv = CsvOptions{.table = "t", .row_column = "id", .time_column = "at"}, .follow = true});
  const std::string old = file.path() + ".1";
  std::rename(file.path().c_str(), old.c_str());
  std::ofstream(file.path()) << "id,at,f:a\nx,5,1\n" << std::flush;
  const Work opening = source->Next();
  ASSERT_TRUE(std::holds_alternative<Opening>(opening)) << std::get<End>(opening).status.message();
  ASSERT_TRUE(source->Begin(std::get<Opening>(opening).assignment, 0).ok());
  const Work work = source->Next();
  ASSERT_TRUE(std::holds_alternative<Batch>(work));
  EXPECT_EQ(Shown(std::get<Batch>(work).records.at(0)), "2 x: f:a=1@5\n");
  unlink(old.c_str());
}

TEST_F(Followed, AFileThatWasEmptiedAndLostItsNameIsReadFromItsFirstLine) {
  EXPECT_EQ(Take(), ">a");
  const std::string old = file_.path() + ".1";
  std::ofstream(file_.path(), std::ios::trunc).close();
  std::rename(file_.path().c_str(), old.c_str());
  std::ofstream(old, std::ios::app) << "{}\n" << std::flush;
  EXPECT_EQ(Take(), ">!");
  unlink(old.c_str());
}

TEST_F(Followed, StopWakesWhoWaitsForAName) {
  EXPECT_EQ(Take(), ">a");
  unlink(file_.path().c_str());
  std::thread waiting([this] { EXPECT_EQ(Take(), "end"); });
  while (told_ == 0) std::this_thread::yield();
  source_->Stop();
  waiting.join();
}

TEST_F(Followed, AFileThatWasEmptiedIsReadFromItsFirstLine) {
  EXPECT_EQ(Take(), ">a");
  std::ofstream(file_.path(), std::ios::trunc).close();
  Write("{}\n");
  EXPECT_EQ(Take(), ">!");
}

TEST_F(Followed, APauseHoldsWhatIsWrittenUntilItEnds) {
  EXPECT_EQ(Take(), ">a");
  std::thread waiting([this] { EXPECT_EQ(Take(), "b"); });
  source_->SetPaused(true);
  while (!source_->state().at_rest) std::this_thread::yield();
  Write(Put("b"));
  EXPECT_TRUE(source_->state().at_rest);
  source_->SetPaused(false);
  waiting.join();
}

TEST_F(Followed, StopWakesWhoWaitsForMore) {
  EXPECT_EQ(Take(), ">a");
  std::thread waiting([this] { EXPECT_EQ(Take(), "end"); });
  source_->Stop();
  waiting.join();
}

TEST_F(Followed, OneFileOnlyAndNoPipeOrPackedOne) {
  EXPECT_THAT(FileSource::Open({file_.path(), "x"}, {.follow = true}).status().message(),
              HasSubstr("--follow takes one file"));
  EXPECT_THAT(FileSource::Open({"/dev/null"}, {.follow = true}).status().message(),
              HasSubstr("is not a regular file and cannot be followed"));
  const ScratchFile packed(Zstd(Put("a")));
  EXPECT_THAT(Drain(Begun(packed.path(), {.follow = true}).get()), HasSubstr("is compressed and cannot be followed"));
}

}  // namespace
}  // namespace fensi::consumer
