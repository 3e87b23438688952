#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "consumer/codec/event_codec.h"
#include "consumer/codec/json_decoder.h"
#include "consumer/codec/json_encoder.h"
#include "tests/support/matchers.h"

namespace fensi::consumer {
namespace {

ChangeEvent Decoded(std::string_view line) {
  ChangeEvent event;
  const Status status = JsonDecoder().Decode(line, &event);
  EXPECT_TRUE(status.ok()) << line << "\n" << status.ToString();
  return event;
}

std::string RefusalOfLine(std::string_view line) {
  ChangeEvent event;
  const Status status = JsonDecoder().Decode(line, &event);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << line;
  return status.message();
}

std::string WithCell(const std::string& cell) {
  return R"({"table":"t","row":"a","cells":[{"type":"put","column":"f:q","ts":1,"value":"v"},)" + cell + "]}";
}

TEST(Json, ReadsThePutOfAFollow) {
  const ChangeEvent event = Decoded(
      R"({"table":"guanzhu","row":"a","seq":17,"cells":[{"type":"put","column":"f1:from","ts":1482125382074,"value":"b"}]})");
  const ChangeEvent expected{.table = "guanzhu",
                             .row = "a",
                             .cells = {{.family = "f1", .qualifier = "from", .timestamp = 1482125382074, .value = "b"}},
                             .sequence_id = 17};
  EXPECT_EQ(event, expected);
}

TEST(Json, WritesWhatItReads) {
  const std::string line =
      R"({"table":"n:t","row":"a\\x00\"","seq":18446744073709551615,"region":"r","write_time":7,"cells":[)"
      R"({"type":"put","column":"f1:a:b","ts":9223372036854775806,"value":"","tags":[{"type":8,"value":"\\x01"}]},)"
      R"({"type":"delete","column":"f1:","ts":0},{"type":"delete_column","column":"f1:q","ts":2},)"
      R"({"type":"delete_family","family":"f1","ts":3},{"type":"delete_family_version","family":"f1","ts":4},)"
      R"({"type":"unknown_delete","column":"f1:q","ts":5}]})";
  std::string back;
  AppendJsonEvent(Decoded(line), &back);
  EXPECT_EQ(back, line);
}

TEST(Json, ReadsUtf8AndEscapesAsBytes) {
  const ChangeEvent event =
      Decoded(R"({"cells":[{"type":"put","ts":1,"column":"f:\\xFF","value":"粉\u0000"}],"row":"\\x5C","table":"t"})");
  EXPECT_EQ(event.row, "\\");
  EXPECT_EQ(event.cells[0].qualifier, "\xff");
  EXPECT_EQ(event.cells[0].value, std::string("粉\0", 4));
}

TEST(Json, NamesTheByteWhereALineIsNoJson) {
  EXPECT_THAT(RefusalOfLine(R"({"table":"t",})"), HasSubstr("not JSON at byte 14"));
  EXPECT_THAT(RefusalOfLine("粉x"), HasSubstr("invalid literal, at '粉x'"));
  EXPECT_THAT(RefusalOfLine(R"({"table":)"), HasSubstr("or a literal: the text ends there"));
  EXPECT_THAT(RefusalOfLine(""), HasSubstr("not JSON at byte 1"));
  EXPECT_THAT(RefusalOfLine(R"({"row":"\x00"})"), HasSubstr("a byte is written \\\\x00"));
}

TEST(Json, RefusesWhatStandsBehindTheObject) { EXPECT_THAT(RefusalOfLine("{} {}"), HasSubstr("byte 4")); }

TEST(Json, RefusesATimestampThatHBaseCannotHold) {
  for (const char* time : {"9223372036854775807", "-1", "1.0", "\"5\""}) {
    const std::string cell = R"({"type":"put","column":"f:q","value":"v","ts":)" + std::string(time) + "}";
    EXPECT_EQ(RefusalOfLine(WithCell(cell)), R"(cells[1]: "ts" is not a whole number from 0 to 9223372036854775806)")
        << time;
  }
}

TEST(Json, APutThatNoIndexTakesDoesNotReachATopic) {
  const auto sent = [](const std::string& line) {
    JsonMessage message;
    return JsonDecoder().DecodePadded(line + std::string(kJsonPadding, ' '), &message).message();
  };
  const std::string request = R"({"kind":"image","incarnation":"0123456789abcdef","read_time":1,)";
  for (const std::string& begin : {std::string("{"), request}) {
    const auto line = [&](const char* type, const char* ts, const char* value) {
      return begin + R"("table":"t","row":"r","cells":[{"type":")" + type + R"(","column":"f:q","ts":)" + ts + value +
             "}]}";
    };
    constexpr char kValue[] = R"(,"value":"v")";
    EXPECT_EQ(sent(line("put", "9223370937343148031", kValue)), "");
    EXPECT_EQ(
        sent(line("put", "9223370937343148032", kValue)),
        R"(cells[0]: "ts" of a put is above 9223370937343148031: no index could apply a later change of the row. )"
        "Write the time of the change, in milliseconds since 1970");
    EXPECT_EQ(sent(line("delete_column", "9223372036854775806", "")), "") << "what an index has may go";
  }
}

TEST(Json, ABulkLoadHasFamiliesInPlaceOfCells) {
  for (const char* families : {R"(,"families":["f","g"]})", "}"}) {
    const std::string line =
        R"({"kind":"bulk_load","table":"t","row":"m","seq":9,"region":"r1","write_time":8)" + std::string(families);
    ChangeEvent event;
    ASSERT_TRUE(JsonDecoder().Decode(line, &event).ok());
    EXPECT_EQ(event.kind, EventKind::kBulkLoad);
    std::string written;
    AppendJsonEvent(event, &written);
    EXPECT_EQ(written, line);
    JsonMessage message;
    ASSERT_TRUE(JsonDecoder().DecodePadded(line + std::string(kJsonPadding, ' '), &message).ok());
    EXPECT_EQ(message.row, "m");
    EXPECT_EQ(message.value, EncodeEvent(event));
  }
  EXPECT_EQ(RefusalOfLine(R"({"kind":"bulk_load","table":"t"})"), R"("row" is missing)");
  EXPECT_EQ(RefusalOfLine(R"({"kind":"image","table":"t","row":"m"})"),
            R"("kind" must be "bulk_load" here. Leave it out of the change of a row)");
  EXPECT_THAT(
      RefusalOfLine(R"({"kind":"bulk_load","table":"t","row":"m","cells":[{"type":"delete_family","family":"f",)"
                    R"("ts":1}]})"),
      HasSubstr("its cells are in HBase's files only"));
}

TEST(Json, RefusesACellWithoutTimestamp) {
  EXPECT_EQ(RefusalOfLine(WithCell(R"({"type":"put","column":"f:q","value":"v"})")), R"(cells[1]: "ts" is missing)");
}

TEST(Json, RefusesWrongNumbers) {
  for (const char* ts : {"-1", "1.5", "\"1\"", "9223372036854775808", "null"}) {
    EXPECT_THAT(RefusalOfLine(WithCell(R"({"type":"delete","column":"f:q","ts":)" + std::string(ts) + "}")),
                HasSubstr("cells[1]: \"ts\" is not a whole number"));
  }
}

TEST(Json, RefusesKeysThatAreUnknownRepeatedOrMissing) {
  EXPECT_EQ(RefusalOfLine(R"({"tabel":"t"})"),
            R"(the key "tabel" is not known; the keys are table, row, cells, seq, region, write_time, kind, families)");
  EXPECT_EQ(RefusalOfLine(R"({"row":"a","row":"b"})"), R"("row" stands twice: keep one)");
  EXPECT_EQ(RefusalOfLine(R"({"row":"a","cells":[]})"), R"("table" is missing)");
  EXPECT_EQ(RefusalOfLine(WithCell(R"({"type":"put","column":"f:q","ts":1,"valu":"v"})")),
            R"(cells[1]: the key "valu" is not known; the keys are type, column, family, ts, value, tags)");
}

TEST(Json, RefusesKeysThatDoNotBelongToTheType) {
  EXPECT_EQ(RefusalOfLine(WithCell(R"({"type":"delete","column":"f:q","ts":1,"value":"v"})")),
            R"(cells[1]: "value" does not belong to a cell of type delete: leave it out)");
  EXPECT_EQ(RefusalOfLine(WithCell(R"({"type":"delete_family","column":"f:q","ts":1})")),
            R"(cells[1]: "family" is missing)");
  EXPECT_EQ(RefusalOfLine(WithCell(R"({"type":"put","column":"f:q","ts":1})")), R"(cells[1]: "value" is missing)");
}

TEST(Json, RefusesWrongShapes) {
  EXPECT_THAT(RefusalOfLine("[]"), HasSubstr("is not an object"));
  EXPECT_THAT(RefusalOfLine(R"({"table":1})"), HasSubstr("\"table\" is not a string"));
  EXPECT_THAT(RefusalOfLine(R"({"cells":{}})"), HasSubstr("\"cells\" is not an array"));
  EXPECT_THAT(RefusalOfLine(WithCell(R"({"column":"f"})")), HasSubstr("is not FAMILY:QUALIFIER"));
  EXPECT_THAT(RefusalOfLine(WithCell(R"({"type":"Put"})")), HasSubstr("\"Put\" is not a cell type"));
  EXPECT_THAT(RefusalOfLine(R"({"row":"\\q"})"), HasSubstr("backslash at byte 0"));
}

TEST(Json, RefusesAnEmptyRow) {
  EXPECT_EQ(RefusalOfLine(R"({"table":"t","row":"","cells":[{"type":"delete","column":"f:q","ts":1}]})"),
            "the row key of the event has 0 bytes, and HBase takes 1 to 32767");
}

TEST(Json, TheSameDecoderForgetsTheEventBefore) {
  JsonDecoder decoder;
  ChangeEvent event;
  ASSERT_TRUE(
      decoder
          .Decode(
              R"({"table":"t","row":"a","seq":1,"region":"r","write_time":2,"cells":[{"type":"put","column":"f:q","ts":1,"value":"v","tags":[{"type":1,"value":""}]}]})",
              &event)
          .ok());
  ASSERT_TRUE(
      decoder.Decode(R"({"table":"t","row":"b","cells":[{"type":"delete","column":"f:q","ts":1}]})", &event).ok());
  EXPECT_EQ(event,
            (ChangeEvent{.table = "t",
                         .row = "b",
                         .cells = {{.family = "f", .qualifier = "q", .timestamp = 1, .type = CellType::kDelete}}}));
}

}  // namespace
}  // namespace fensi::consumer
