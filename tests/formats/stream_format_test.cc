// Change events in a topic and in a recorded file, dead letters in a topic and in a file.
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <variant>

#include "consumer/codec/event_codec.h"
#include "consumer/codec/event_decoder.h"
#include "consumer/codec/json_decoder.h"
#include "consumer/codec/json_encoder.h"
#include "consumer/codec/letter_codec.h"
#include "consumer/codec/mark_codec.h"
#include "consumer/codec/message.h"
#include "consumer/codec/request.h"
#include "consumer/file/file_dead_letters.h"
#include "consumer/kafka/kafka_dead_letters.h"
#include "proto/change_event.pb.h"
#include "proto/dead_letter.pb.h"
#include "tests/doubles/full_letter.h"
#include "tests/formats/golden.h"

namespace fensi::testing {
namespace {

using consumer::kEventVersion;

ChangeEvent FullEvent() {
  ChangeEvent event{.table = "space:t", .row = "r", .sequence_id = 301, .region = "e1d", .write_time = 302};
  int64_t timestamp = 11;
  const auto add = [&](CellType type, const char* qualifier, const char* value) {
    event.cells.push_back({"f", qualifier, timestamp++, type, value, {}});
  };
  add(CellType::kPut, "k", "value");
  event.cells.back().tags.push_back(MakeTtlTag(5000));
  add(CellType::kDelete, "k", "");
  add(CellType::kDeleteColumn, "k", "");
  add(CellType::kDeleteFamily, "", "");
  add(CellType::kDeleteFamilyVersion, "", "");
  add(CellType::kUnknownDelete, "k", "");
  return event;
}

constexpr consumer::EventPart kSecondOfThree{.number = 2, .count = 3, .attempt = 0x0102030405060708};

std::string PartOf(const ChangeEvent& event, bool whole_row) {
  consumer::EventPart part = kSecondOfThree;
  part.whole_row = whole_row;
  std::string value;
  consumer::EventEncoder().Encode(event, part, &value);
  return value;
}

TEST(ChangeEventFormat, IsWrittenAsItAlwaysWas) {
  ExpectGolden("change_event", kEventVersion,
               {{"whole", consumer::EncodeEvent(FullEvent())}, {"part", PartOf(FullEvent(), false)}});
}

TEST(ChangeEventFormat, OfAPartOfAWholeRowIsWrittenAndReadAsItAlwaysWas) {
  ExpectGolden("change_event_row", kEventVersion, {{"part of a whole row", PartOf(FullEvent(), true)}});
  consumer::EventCodec codec;
  ChangeEvent event;
  ASSERT_TRUE(codec.Decode(Golden("change_event_row", kEventVersion)[0].bytes, &event).ok());
  EXPECT_EQ(event, FullEvent());
  EXPECT_EQ(codec.part().attempt, kSecondOfThree.attempt);
  EXPECT_TRUE(codec.part().whole_row);
}

std::string BlockOfPage(const std::string& page, const std::string& kind, size_t from) {
  const size_t begin = page.find("```" + kind + "\n", from) + kind.size() + 4;
  return page.substr(begin, page.find("```", begin) - begin);
}

TEST(ChangeEventPage, ShowsOneEventInBothForms) {
  std::ifstream file(std::string(std::getenv("FENSI_ROOT")) + "/docs/events.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  proto::ChangeEvent message;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(BlockOfPage(page, "textproto", 0), &message));
  ChangeEvent sent, written;
  const Status decoded =
      consumer::EventDecoder(consumer::Format::kChangeEvent).Decode(message.row(), message.SerializeAsString(), &sent);
  ASSERT_TRUE(decoded.ok()) << decoded.ToString();
  const std::string line = BlockOfPage(page, "json", page.find("all optional keys of an event"));
  ASSERT_TRUE(consumer::JsonDecoder().Decode(line, &written).ok());
  EXPECT_EQ(sent, written);
}

TEST(ChangeEventFormat, OfEachReadableVersionIsReadAsItWasMeant) {
  for (const int64_t version : ReadableFormats(kEventVersion)) {
    const std::vector<Piece> golden = Golden("change_event", version);
    consumer::EventCodec codec;
    ChangeEvent event;
    ASSERT_TRUE(codec.Decode(golden[0].bytes, &event).ok());
    EXPECT_EQ(event, FullEvent());
    EXPECT_EQ(codec.part().count, 0u);
    ASSERT_TRUE(codec.Decode(golden[1].bytes, &event).ok());
    EXPECT_EQ(event, FullEvent());
    EXPECT_EQ(codec.part().number, kSecondOfThree.number);
    EXPECT_EQ(codec.part().count, kSecondOfThree.count);
    EXPECT_EQ(codec.part().attempt, kSecondOfThree.attempt);
    EXPECT_FALSE(codec.part().whole_row);
  }
}

TEST(EventFormat, OfABulkLoadIsWrittenAndReadAsItAlwaysWas) {
  const ChangeEvent load{.table = "space:t",
                         .row = "r",
                         .sequence_id = 301,
                         .region = "0123456789abcdef0123456789abcdef",
                         .write_time = 302,
                         .kind = EventKind::kBulkLoad,
                         .families = {"f", "g"}};
  ExpectGolden("bulk_load", kEventVersion, {{"event", consumer::EncodeEvent(load)}});
  ChangeEvent read;
  ASSERT_TRUE(consumer::EventCodec().Decode(Golden("bulk_load", kEventVersion).at(0).bytes, &read).ok());
  EXPECT_EQ(read, load);
}

TEST(MarkFormat, OfBulkLoadsIsWrittenAndReadAsItAlwaysWas) {
  const consumer::Mark mark{
      .members = {"rs1,16020,1"}, .members_time = 302, .bulk_loads = consumer::Mark::BulkLoads::kReported};
  ExpectGolden("mark_bulk_loads", kEventVersion, {{"mark", consumer::EncodeMark(mark)}});
  EXPECT_EQ(consumer::DecodeMark("", Golden("mark_bulk_loads", kEventVersion).at(0).bytes).value(), mark);
}

consumer::Request FullImage() {
  return {.kind = consumer::Request::Kind::kImage,
          .table = "space:t",
          .row = "r",
          .incarnation = "0123456789abcdef",
          .job = "backfill-7",
          .cells = FullEvent().cells,
          .read_time = 303,
          .partial = true};
}

consumer::Request FullRecheck() {
  return {.kind = consumer::Request::Kind::kRecheck,
          .table = "space:t",
          .row = "r",
          .incarnation = "0123456789abcdef",
          .job = "repair-8",
          .suspects = {{"fensi", "b", "f1", "a", 304}, {"fensi", "c", "", "", 0}},
          .columns = {{"f", "k"}, {"f", ""}}};
}

TEST(RequestFormat, IsWrittenAndReadAsItAlwaysWas) {
  ExpectGolden("request", consumer::kRequestVersion,
               {{"image", consumer::EncodeRequest(FullImage())}, {"recheck", consumer::EncodeRequest(FullRecheck())}});
  const std::vector<Piece> golden = Golden("request", consumer::kRequestVersion);
  EXPECT_EQ(consumer::DecodeRequest("r", golden.at(0).bytes).value(), FullImage());
  EXPECT_EQ(consumer::DecodeRequest("r", golden.at(1).bytes).value(), FullRecheck());
}

TEST(MarkFormat, IsWrittenAndReadAsItAlwaysWas) {
  const consumer::Mark mark{.calls = {{"rs1,16020,1", 305, 306}, {"rs2,16020,1", 307, 307}},
                            .members = {"rs1,16020,1", "rs2,16020,1"},
                            .members_time = 308,
                            .complete_to = 309};
  ExpectGolden("mark", kEventVersion, {{"mark", consumer::EncodeMark(mark)}});
  EXPECT_EQ(consumer::DecodeMark("", Golden("mark", kEventVersion).at(0).bytes).value(), mark);
}

TEST(RecordedEventFormat, IsWrittenAndReadAsItAlwaysWas) {
  std::string line;
  consumer::AppendJsonEvent(FullEvent(), &line);
  ExpectGolden("recorded_event", 1, {{"line", line}});
  ChangeEvent event;
  ASSERT_TRUE(consumer::JsonDecoder().Decode(Golden("recorded_event", 1)[0].bytes, &event).ok());
  EXPECT_EQ(event, FullEvent());
}

std::vector<std::string> LetterParts() {
  consumer::DeadLetter letter = consumer::FullLetter();
  letter.original = std::string(1200, 'x') + "end";
  return consumer::EncodeDeadLetterParts(letter, 302, 2000);
}

TEST(DeadLetterFormat, InATopicIsWrittenAsItAlwaysWas) {
  ExpectGolden(
      "dead_letter", 1,
      {{"whole", consumer::EncodeDeadLetter(consumer::FullLetter(), 302)}, {"second part", LetterParts().at(1)}});
}

TEST(DeadLetterFormat, InATopicIsReadAsItWasMeant) {
  const std::vector<Piece> golden = Golden("dead_letter", 1);
  proto::DeadLetter letter;
  ASSERT_TRUE(letter.ParseFromString(golden[0].bytes));
  EXPECT_EQ(letter.index(), "inverse");
  EXPECT_EQ(letter.reason(), "because");
  EXPECT_EQ(letter.topic(), "t.changes");
  EXPECT_EQ(letter.partition(), 3);
  EXPECT_EQ(letter.offset(), 301);
  EXPECT_EQ(letter.row(), "r");
  EXPECT_EQ(letter.original(), consumer::FullLetter().original);
  EXPECT_EQ(letter.original_key(), "key");
  EXPECT_EQ(letter.time(), 302);
  ASSERT_TRUE(letter.ParseFromString(golden[1].bytes));
  EXPECT_EQ(letter.part(), 2u);
  EXPECT_EQ(letter.parts(), LetterParts().size());
}

TEST(DeadLetterFormat, OfAKindThatWasSentAgainIsWrittenAndReadAsItAlwaysWas) {
  consumer::DeadLetter letter = consumer::FullLetter();
  letter.kind = "unmappable";
  letter.replays = 2;
  ExpectGolden(
      "dead_letter_kind", 1,
      {{"in a topic", consumer::EncodeDeadLetter(letter, 302)}, {"in a file", consumer::DeadLetterLine(letter, 302)}});
  const auto read = consumer::DecodeDeadLetterMessage(Golden("dead_letter_kind", 1)[0].bytes);
  const auto& parked = std::get<consumer::DeadLetterRecord>(*read);
  EXPECT_EQ(parked.letter.kind, "unmappable");
  EXPECT_EQ(parked.letter.replays, 2u);
  EXPECT_EQ(parked.letter.original, letter.original);
  EXPECT_EQ(parked.time, 302);
}

TEST(DeadLetterFormat, TheLedgerIsWrittenAndReadAsItAlwaysWas) {
  const consumer::Resolution replayed{.index = "inverse",
                                      .action = consumer::Resolution::Action::kReplayed,
                                      .letters = {{0, 0}, {301, 305}},
                                      .who = "me@here",
                                      .why = {},
                                      .time = 302};
  consumer::Resolution dropped = replayed;
  dropped.action = consumer::Resolution::Action::kDropped;
  dropped.why = "of a test";
  ExpectGolden("dead_letter_ledger", 1,
               {{"replayed", consumer::EncodeResolution(replayed)}, {"dropped", consumer::EncodeResolution(dropped)}});
  const std::vector<Piece> golden = Golden("dead_letter_ledger", 1);
  EXPECT_EQ(std::get<consumer::Resolution>(*consumer::DecodeDeadLetterMessage(golden[0].bytes)), replayed);
  EXPECT_EQ(std::get<consumer::Resolution>(*consumer::DecodeDeadLetterMessage(golden[1].bytes)), dropped);
}

TEST(DeadLetterFormat, OfBeforeThereWereKindsIsReadAsItWasMeant) {
  for (const Piece& piece : Golden("dead_letter", 1)) {
    const auto read = consumer::DecodeDeadLetterMessage(piece.bytes);
    ASSERT_TRUE(read.ok()) << read.status().ToString();
    EXPECT_EQ(std::get<consumer::DeadLetterRecord>(*read).letter.kind, "");
    EXPECT_EQ(std::get<consumer::DeadLetterRecord>(*read).letter.offset, 301);
  }
}

TEST(DeadLetterFormat, InAFileIsWrittenAsItAlwaysWas) {
  consumer::DeadLetter line = consumer::FullLetter(), message = consumer::FullLetter();
  line.original = "a line of text";
  message.original = consumer::EncodeEvent(FullEvent());
  ExpectGolden("dead_letter_file", 1,
               {{"a line", consumer::DeadLetterLine(line, 302)},
                {"an event", consumer::DeadLetterLine(message, 302)},
                {"neither", consumer::DeadLetterLine(consumer::FullLetter(), 302)}});
}

}  // namespace
}  // namespace fensi::testing
