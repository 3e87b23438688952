// Frames of calls and answers, cells as they are written, and how bytes are cut into frames.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "hbase/wire/call_frame.h"
#include "hbase/wire/cell_block.h"
#include "hbase/wire/cell_writer.h"
#include "hbase/wire/frame_assembler.h"
#include "hbase/wire/framing.h"
#include "proto/hbase_client.pb.h"
#include "proto/hbase_rpc.pb.h"

namespace fensi::hbase {
namespace {

namespace pb = proto::hbase;

std::string AnswerBytes(const pb::ResponseHeader& header, const std::string& message, const std::string& cells = "") {
  return Delimited(header) + DelimitedBytes(message) + cells;
}

TEST(CallFrame, HasHeaderRequestAndCellsBehindItsLength) {
  pb::GetProcedureResultRequest request;
  request.set_proc_id(7);
  const std::string frame = BuildCall({.id = 5, .method = "m", .timeout = std::chrono::milliseconds(1500)}, request, 3,
                                      [](char* to) { std::copy_n("xyz", 3, to); });
  std::string_view rest = frame;
  ASSERT_EQ(ReadBigEndian32(rest), frame.size() - 4);
  rest.remove_prefix(4);
  std::string_view piece;
  pb::RequestHeader header;
  ASSERT_TRUE(TakeDelimited(&rest, &piece) && ParseMessage(piece, &header));
  EXPECT_EQ(header.call_id(), 5U);
  EXPECT_EQ(header.method_name(), "m");
  EXPECT_EQ(header.timeout(), 1500U);
  EXPECT_TRUE(header.request_param());
  EXPECT_EQ(header.cell_block_meta().length(), 3U);
  pb::GetProcedureResultRequest read;
  ASSERT_TRUE(TakeDelimited(&rest, &piece) && ParseMessage(piece, &read));
  EXPECT_EQ(read.proc_id(), 7U);
  EXPECT_EQ(rest, "xyz");
}

/// A server of HBase ends a batch of gets that becomes too large only if the client is of 1.2 or later.
TEST(ConnectionHeader, NamesAVersionThatReadsPartsOfAnswers) {
  const std::string framed = ConnectionHeaderBytes("user", "ClientService");
  pb::ConnectionHeader header;
  ASSERT_TRUE(ParseMessage(std::string_view(framed).substr(4), &header));
  EXPECT_GE(std::pair(header.version_info().version_major(), header.version_info().version_minor()), std::pair(1U, 2U));
  EXPECT_EQ(header.user_info().effective_user(), "user");
  EXPECT_EQ(header.service_name(), "ClientService");
}

TEST(AnswerFrame, HasMessageAndCells) {
  pb::ResponseHeader header;
  header.set_call_id(9);
  header.mutable_cell_block_meta()->set_length(2);
  const std::string bytes = AnswerBytes(header, "message", "ab");
  AnswerFrame answer;
  ASSERT_TRUE(ParseAnswer(bytes, &answer).ok());
  EXPECT_EQ(answer.call_id, 9U);
  EXPECT_FALSE(answer.error.has_value());
  EXPECT_EQ(answer.message, "message");
  EXPECT_EQ(answer.cells, "ab");
}

TEST(AnswerFrame, OfAnExceptionHasItsClassAndFirstLine) {
  pb::ResponseHeader header;
  header.set_call_id(1);
  header.mutable_exception()->set_exception_class_name("a.B");
  header.mutable_exception()->set_stack_trace("a.B: why\n\tat c.D\n");
  header.mutable_exception()->set_do_not_retry(true);
  header.mutable_exception()->set_server_overloaded(true);
  AnswerFrame answer;
  ASSERT_TRUE(ParseAnswer(Delimited(header), &answer).ok());
  ASSERT_TRUE(answer.error.has_value());
  EXPECT_EQ(answer.error->exception, "a.B");
  EXPECT_EQ(answer.error->message, "why");
  EXPECT_TRUE(answer.error->do_not_retry);
  EXPECT_TRUE(answer.error->overloaded);
}

TEST(AnswerFrame, ThatIsCutAnywhereIsNone) {
  pb::ResponseHeader header;
  header.set_call_id(9);
  header.mutable_cell_block_meta()->set_length(2);
  const std::string whole = AnswerBytes(header, "message", "ab");
  AnswerFrame answer;
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(ParseAnswer(whole.substr(0, size), &answer).code(), StatusCode::kInvalidArgument) << size;
  }
  EXPECT_EQ(ParseAnswer(whole + "c", &answer).code(), StatusCode::kInvalidArgument);
}

TEST(CellWriter, WritesWhatTheReaderReads) {
  const std::string odd("\x00\xff\x01", 3);
  const std::vector<Cell> cells = {{"f", "q", 7, CellType::kPut, "value", {}},
                                   {"family", "", 0, CellType::kDeleteFamily, "", {}},
                                   {"g", odd, INT64_MAX - 1, CellType::kDeleteColumn, "", {}},
                                   {"f", std::string(300, 'q'), 1, CellType::kPut, std::string(70'000, 'v'), {}}};
  for (const std::string& row : {std::string("r"), odd, std::string(32'767, 'k')}) {
    size_t size = 0;
    for (const Cell& cell : cells) size += WrittenBytes(row, cell);
    std::string block(size, 'x');
    char* end = block.data();
    for (const Cell& cell : cells) end = WriteCell(row, cell, end);
    ASSERT_EQ(end, block.data() + block.size());
    CellBlockReader reader(block);
    for (const Cell& cell : cells) {
      CellView view;
      ASSERT_TRUE(reader.Next(&view).ok());
      EXPECT_EQ(view.row, row);
      EXPECT_EQ(view.family, cell.family);
      EXPECT_EQ(view.qualifier, cell.qualifier);
      EXPECT_EQ(view.timestamp, cell.timestamp);
      EXPECT_EQ(view.type, static_cast<uint8_t>(cell.type));
      EXPECT_EQ(view.value, cell.value);
      EXPECT_EQ(view.tags, "");
    }
    EXPECT_TRUE(reader.AtEnd());
  }
}

/// Hands the bytes over in pieces of any size, as a socket does.
std::vector<std::string> Assemble(const std::string& bytes, unsigned seed, FrameAssembler* assembler) {
  std::mt19937 random(seed);
  std::vector<FrameBytes> frames;
  for (size_t at = 0; at < bytes.size();) {
    const std::span<char> space = assembler->Space();
    EXPECT_FALSE(space.empty());
    const size_t some = std::min({space.size(), bytes.size() - at, size_t{1} + random() % 100'000});
    std::copy_n(bytes.data() + at, some, space.data());
    EXPECT_TRUE(assembler->Take(some, &frames).ok());
    at += some;
  }
  std::vector<std::string> texts;
  for (const FrameBytes& frame : frames) texts.emplace_back(frame.view());
  return texts;
}

TEST(FrameAssembler, BringsTheSameFramesHoweverTheirBytesCome) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    std::vector<std::string> frames;
    std::string bytes;
    for (int i = 0; i < 20; ++i) {
      const size_t size = random() % (i % 5 == 0 ? 200'000 : 300);
      frames.emplace_back(size, static_cast<char>('a' + i));
      bytes += Framed(frames.back());
    }
    FrameAssembler assembler(1 << 20, 1 << 20);
    EXPECT_EQ(Assemble(bytes, seed, &assembler), frames) << seed;
    EXPECT_TRUE(assembler.AtStart());
  }
}

TEST(FrameAssembler, BringsTheBeginOfAFrameThatItDrops) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    for (const size_t size : {1'001, 5'000, 70'000, 300'000}) {
      FrameAssembler assembler(1'000, 1 << 20);
      const std::vector<std::string> frames = {"before", std::string(size, 'x'), "behind"};
      std::string bytes;
      for (const std::string& frame : frames) bytes += Framed(frame);
      const std::vector<std::string> came = Assemble(bytes, seed, &assembler);
      ASSERT_EQ(came.size(), 3U) << size;
      EXPECT_EQ(came.front(), "before");
      EXPECT_GE(came[1].size(), 1'000U) << size;
      EXPECT_LE(came[1].size(), 64U << 10) << size;
      EXPECT_EQ(came.back(), "behind");
      EXPECT_TRUE(assembler.AtStart());
    }
  }
}

TEST(FrameAssembler, GivesItsMemoryBack) {
  FrameAssembler assembler(1'000, 1'000);
  assembler.Release();
  EXPECT_TRUE(assembler.Space().empty());
}

TEST(FrameAssembler, RefusesAFrameThatIsLargerThanAnyOfHBaseBeforeItComes) {
  FrameAssembler assembler(500, 1000);
  const std::string head = BigEndian32(1001);
  std::copy(head.begin(), head.end(), assembler.Space().data());
  std::vector<FrameBytes> frames;
  const Status status = assembler.Take(head.size(), &frames);
  EXPECT_EQ(status.code(), StatusCode::kRejected);
  EXPECT_THAT(status.message(), ::testing::HasSubstr("1001 bytes"));
}

}  // namespace
}  // namespace fensi::hbase
