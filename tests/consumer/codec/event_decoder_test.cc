#include "consumer/codec/event_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proto/change_event.pb.h"
#include "tests/support/matchers.h"

namespace fensi::consumer {
namespace {

proto::ChangeEvent GoodMessage() {
  proto::ChangeEvent message;
  message.set_version(1);
  message.set_table("t");
  message.set_row("a");
  proto::Cell* cell = message.add_cells();
  cell->set_family("f");
  cell->set_type(proto::Cell::PUT);
  return message;
}

std::string Refusal(std::string_view key, const std::string& value, Format format = Format::kChangeEvent) {
  ChangeEvent event{.row = "left over"};
  const Status status = EventDecoder(format).Decode(key, value, &event);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(event, ChangeEvent()) << "a refused message leaves no half event";
  return status.message();
}

std::string RefusalOf(const proto::ChangeEvent& message) { return Refusal("a", message.SerializeAsString()); }

TEST(EventDecoder, KnowsItsFormatsByNameAndNoOther) {
  EXPECT_EQ(FormatNamed("event"), Format::kChangeEvent);
  EXPECT_EQ(FormatNamed("hbase_kafka_proxy"), Format::kHBaseKafkaProxy);
  EXPECT_EQ(FormatNamed("avro"), std::nullopt);
}

TEST(EventDecoder, AMessageWithoutAValueIsATombstone) {
  for (const Format format : {Format::kChangeEvent, Format::kHBaseKafkaProxy}) {
    EXPECT_THAT(Refusal("a", "", format), ::testing::HasSubstr("the message has no value: a tombstone"));
  }
}

TEST(EventDecoder, NamesATableOfTheDefaultNamespaceAsHBaseDoes) {
  proto::ChangeEvent message = GoodMessage();
  message.set_table("default:t");
  ChangeEvent event;
  ASSERT_TRUE(EventDecoder(Format::kChangeEvent).Decode("a", message.SerializeAsString(), &event).ok());
  EXPECT_EQ(event.table, "t");
}

TEST(EventDecoder, RefusesBytesThatAreNoMessage) {
  constexpr char kWhy[] =
      "the message's 3 bytes are not a ChangeEvent: another program wrote the message, or it was cut";
  EXPECT_EQ(Refusal("a", "\xff\xff\xff"), kWhy);
  EXPECT_EQ(Refusal("a", "\x12\x01t"), kWhy) << "it has no version";
}

TEST(EventDecoder, RefusesAnotherVersion) {
  proto::ChangeEvent message = GoodMessage();
  message.set_version(2);
  EXPECT_EQ(RefusalOf(message),
            "the event has version 2, and this fensi reads version 1. Upgrade this fensi to the version of the writer");
  EXPECT_THAT(Refusal("a", ""), HasSubstr("a tombstone"));
}

TEST(EventDecoder, RefusesAnUnknownCellType) {
  proto::ChangeEvent message = GoodMessage();
  message.mutable_cells(0)->set_type(static_cast<proto::Cell::Type>(5));
  EXPECT_EQ(RefusalOf(message), "cell 0: the cell type 5 is unknown: HBase has 4 (put), 8, 10, 12 and 14 (deletes)");
}

TEST(EventDecoder, RefusesANegativeTimestamp) {
  proto::ChangeEvent message = GoodMessage();
  message.mutable_cells(0)->set_timestamp(-3);
  EXPECT_EQ(RefusalOf(message), "cell 0 of row a has the timestamp -3, and it must be at least 0");
}

TEST(EventDecoder, RefusesAnEventWithoutTableRowOrCells) {
  proto::ChangeEvent message = GoodMessage();
  message.clear_table();
  EXPECT_EQ(RefusalOf(message), "the event has an empty table name: its writer must name the source table");
  message = GoodMessage();
  message.clear_row();
  EXPECT_EQ(RefusalOf(message), "the row key of the event has 0 bytes, and HBase takes 1 to 32767");
  message = GoodMessage();
  message.clear_cells();
  EXPECT_EQ(RefusalOf(message), "the event has no cells: every change has at least one");
}

TEST(EventDecoder, RefusesARowThatHBaseCannotHold) {
  proto::ChangeEvent message = GoodMessage();
  message.set_row(std::string(32'768, 'r'));
  EXPECT_EQ(RefusalOf(message), "the row key of the event has 32768 bytes, and HBase takes 1 to 32767");
}

/// A reason that does not fit into a letter would stop the index at this message for ever.
TEST(EventDecoder, SaysInFewWordsWhatIsWrongWithLongBytes) {
  const std::string bytes(900'000, '\xff');
  proto::ChangeEvent message = GoodMessage();
  EXPECT_LT(Refusal(bytes, message.SerializeAsString()).size(), 2000U);
  message.set_row(bytes);
  for (const auto kind : {proto::ChangeEvent::MUTATION, proto::ChangeEvent::IMAGE, proto::ChangeEvent::MARK}) {
    message.set_kind(kind);
    EXPECT_LT(Refusal(bytes, message.SerializeAsString()).size(), 2000U) << kind;
  }
}

TEST(EventDecoder, RefusesAKeyThatIsNotTheRow) {
  EXPECT_EQ(Refusal("b", GoodMessage().SerializeAsString()),
            "the message key 'b' is not the row 'a' of the event. The writer must use the row key as message key");
}

TEST(EventDecoder, ReadsMessagesWithFieldsOfALaterWriter) {
  ChangeEvent event;
  const std::string unknown_field_200 = "\xc2\x0c\x01x";
  EXPECT_TRUE(EventDecoder(Format::kChangeEvent)
                  .Decode("a", GoodMessage().SerializeAsString() + unknown_field_200, &event)
                  .ok());
  EXPECT_EQ(event.row, "a");
}

/// key "row", timestamp 1482125382074, delete, value "b", qualifier "from", family "f1", table "guanzhu".
std::string ProxyRecord(bool deleted) {
  std::string record = "\x06row";
  record += "\xf4\xc6\xf4\xd8\xa2\x56";
  record += deleted ? '\x01' : '\0';
  record +=
      "\x02"
      "b"
      "\x08"
      "from"
      "\x04"
      "f1"
      "\x0e"
      "guanzhu";
  return record;
}

TEST(AvroDecoder, ReadsAPutOfTheProxy) {
  ChangeEvent event;
  ASSERT_TRUE(EventDecoder(Format::kHBaseKafkaProxy).Decode("not the row", ProxyRecord(false), &event).ok());
  const ChangeEvent expected{
      .table = "guanzhu",
      .row = "row",
      .cells = {{.family = "f1", .qualifier = "from", .timestamp = 1482125382074, .value = "b"}}};
  EXPECT_EQ(event, expected);
}

TEST(AvroDecoder, ReadsADeleteWhoseKindIsLost) {
  ChangeEvent event;
  ASSERT_TRUE(EventDecoder(Format::kHBaseKafkaProxy).Decode("", ProxyRecord(true), &event).ok());
  EXPECT_EQ(event.cells[0].type, CellType::kUnknownDelete);
  EXPECT_EQ(event.cells[0].value, "");
}

TEST(AvroDecoder, RefusesEveryCutAndEveryExtraByte) {
  const std::string record = ProxyRecord(false);
  EXPECT_THAT(Refusal("", "", Format::kHBaseKafkaProxy), HasSubstr("a tombstone"));
  for (size_t size = 1; size < record.size(); ++size) {
    EXPECT_THAT(Refusal("", record.substr(0, size), Format::kHBaseKafkaProxy), HasSubstr("not an HBaseKafkaEvent"));
  }
  EXPECT_EQ(
      Refusal("", record + "x", Format::kHBaseKafkaProxy),
      "not an HBaseKafkaEvent: \"table\" is followed by more bytes at byte 29. Check that --kafka_format is the format "
      "of this topic");
}

TEST(AvroDecoder, RefusesASizeBelowZeroAndABooleanOfTwo) {
  EXPECT_THAT(Refusal("", "\x01", Format::kHBaseKafkaProxy), HasSubstr("\"key\" ends too early"));
  EXPECT_THAT(Refusal("", "\x02r\x02\x02", Format::kHBaseKafkaProxy),
              HasSubstr("\"delete\" is not a boolean at byte 3"));
}

TEST(Format, OnlyTheProxysTopicsNeedOneWorker) {
  EXPECT_TRUE(NeedsOneWorker(Format::kHBaseKafkaProxy));
  EXPECT_FALSE(NeedsOneWorker(Format::kChangeEvent));
}

}  // namespace
}  // namespace fensi::consumer
