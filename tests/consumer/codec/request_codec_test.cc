// Requests and marks, and what readers of change streams make of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "consumer/codec/event_decoder.h"
#include "consumer/codec/json_decoder.h"
#include "consumer/codec/json_requests.h"
#include "consumer/codec/mark_codec.h"
#include "consumer/codec/message.h"
#include "consumer/codec/request.h"
#include "proto/change_event.pb.h"
#include "tests/support/matchers.h"

namespace fensi::consumer {
namespace {

const std::string kBorn = "0123456789abcdef";

Request Image() {
  return {.kind = Request::Kind::kImage,
          .table = "space:t",
          .row = std::string("r\0w", 3),
          .incarnation = kBorn,
          .job = "backfill-7",
          .cells = {{"f", "k", 11, CellType::kPut, "v", {}}, {"f", "", 12, CellType::kDeleteFamily, "", {}}},
          .read_time = 301,
          .partial = true};
}

Request Recheck() {
  return {.kind = Request::Kind::kRecheck,
          .table = "space:t",
          .row = "r",
          .incarnation = kBorn,
          .suspects = {{"fensi", "b", "f1", "a", 17}, {"fensi", "c", "", "", 0}},
          .columns = {{"f", "k"}, {"f", ""}}};
}

Mark FullMark() {
  return {.calls = {{"rs1,16020,1", 5, 9}, {"rs2,16020,1", 7, 7}},
          .members = {"rs1,16020,1", "rs2,16020,1"},
          .members_time = 302,
          .complete_to = 303};
}

std::string FaultOf(const Request& request, std::string_view key = "r") {
  return DecodeRequest(key, EncodeRequest(request)).status().message();
}

std::string FaultOf(const Mark& mark) { return DecodeMark("", EncodeMark(mark)).status().message(); }

std::string RefusalInAStream(std::string_view key, const std::string& value) {
  ChangeEvent event{.row = "left over"};
  const Status status = EventDecoder(Format::kChangeEvent).Decode(key, value, &event);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(event, ChangeEvent());
  return status.message();
}

TEST(RequestCodec, DecodesWhatItEncoded) {
  for (const Request& request : {Image(), Recheck()}) {
    const Result<Request> back = DecodeRequest(request.row, EncodeRequest(request));
    ASSERT_TRUE(back.ok()) << back.status().ToString();
    EXPECT_EQ(*back, request);
  }
}

TEST(RequestCodec, RefusesAKeyThatIsNotTheRow) {
  EXPECT_THAT(FaultOf(Recheck(), "another"), HasSubstr("another"));
  EXPECT_THAT(FaultOf(Recheck(), ""), HasSubstr("is not the row 'r' of the request"));
}

TEST(RequestCodec, SaysInFewWordsWhatIsAboutALongKey) {
  Request recheck = Recheck();
  recheck.row.assign(30'000, '\xff');
  EXPECT_THAT(FaultOf(recheck, std::string(30'000, '\xfe')), HasSubstr("… (30000 bytes)"));
  EXPECT_LT(FaultOf(recheck, std::string(30'000, '\xfe')).size(), 2'000U);
}

TEST(RequestCodec, RefusesWhatIsNoRequest) {
  EXPECT_THAT(DecodeRequest("r", "\xff\xff").status().message(), HasSubstr("2 bytes are not a request"));
  const ChangeEvent event{.table = "t", .row = "r", .cells = {{"f", "k", 1, CellType::kPut, "v", {}}}};
  EXPECT_THAT(DecodeRequest("r", EncodeEvent(event)).status().message(), HasSubstr("version 1"));
  proto::ChangeEvent message;
  message.set_version(2);
  for (const int kind : {0, 3, 77}) {
    message.set_kind(static_cast<proto::ChangeEvent::Kind>(kind));
    EXPECT_THAT(DecodeRequest("", message.SerializeAsString()).status().message(),
                HasSubstr("unknown kind " + std::to_string(kind)));
  }
}

TEST(RequestCodec, RefusesWhatNoRequestMayHold) {
  const std::vector<std::pair<std::function<void(Request*)>, const char*>> faults = {
      {[](Request* r) { r->incarnation = "0123456789ABCDEF"; }, "16 digits"},
      {[](Request* r) { r->incarnation.clear(); }, "16 digits"},
      {[](Request* r) { r->job.assign(256, 'j'); }, "at most 255"},
      {[](Request* r) { r->job = "a job"; }, "printable"},
      {[](Request* r) { r->table.clear(); }, "empty table name"},
      {[](Request* r) { r->row.clear(); }, "row"},
      {[](Request* r) { r->row.assign(32'768, 'r'); }, "row"},
  };
  for (const Request& good : {Image(), Recheck()}) {
    for (const auto& [change, refusal] : faults) {
      Request bad = good;
      change(&bad);
      EXPECT_THAT(FaultOf(bad, bad.row), HasSubstr(refusal));
    }
  }
  const auto image = [](const std::function<void(Request*)>& change) {
    Request bad = Image();
    change(&bad);
    return FaultOf(bad, bad.row);
  };
  EXPECT_THAT(image([](Request* r) { r->cells.clear(); }), HasSubstr("no cells"));
  EXPECT_THAT(image([](Request* r) { r->cells[0].timestamp = -1; }), HasSubstr("cell 0"));
  EXPECT_THAT(image([](Request* r) { r->read_time = 0; }), HasSubstr("at which its row was read"));
  EXPECT_THAT(image([](Request* r) { r->columns = {{"f", "k"}}; }), HasSubstr("send them in a recheck"));
  const auto recheck = [](const std::function<void(Request*)>& change) {
    Request bad = Recheck();
    change(&bad);
    return FaultOf(bad, bad.row);
  };
  EXPECT_THAT(recheck([](Request* r) { r->cells = Image().cells; }), HasSubstr("only an image has them"));
  EXPECT_THAT(recheck([](Request* r) { r->partial = true; }), HasSubstr("only an image has them"));
  EXPECT_THAT(recheck([](Request* r) { r->suspects[1].table.clear(); }), HasSubstr("suspect 1"));
  EXPECT_THAT(recheck([](Request* r) { r->suspects[0].row.clear(); }), HasSubstr("suspect 0"));
  EXPECT_THAT(recheck([](Request* r) { r->suspects[0].family.assign(128, 'f'); }), HasSubstr("family"));
  EXPECT_THAT(recheck([](Request* r) { r->suspects[0].family.clear(); }), HasSubstr("no family"));
  EXPECT_THAT(recheck([](Request* r) { r->suspects[0].timestamp = -1; }), HasSubstr("below 0"));
  EXPECT_THAT(recheck([](Request* r) { r->columns[1].family = "a:b"; }), HasSubstr("column 1"));
}

TEST(RequestCodec, RefusesMoreThanItsBound) {
  Request recheck = Recheck();
  recheck.suspects.resize(kMostOfARequest, recheck.suspects[0]);
  EXPECT_TRUE(DecodeRequest("r", EncodeRequest(recheck)).ok());
  recheck.suspects.push_back(recheck.suspects[0]);
  EXPECT_THAT(FaultOf(recheck), HasSubstr("1001 suspects"));
  recheck = Recheck();
  recheck.columns.resize(kMostOfARequest + 1, recheck.columns[0]);
  EXPECT_THAT(FaultOf(recheck), HasSubstr("1001 columns"));
}

TEST(MarkCodec, DecodesWhatItEncoded) {
  for (const Mark& mark : {FullMark(), Mark(), Mark{.complete_to = 5}}) {
    const Result<Mark> back = DecodeMark("", EncodeMark(mark));
    ASSERT_TRUE(back.ok()) << back.status().ToString();
    EXPECT_EQ(*back, mark);
  }
}

TEST(MarkCodec, IsCutIntoMarksThatFitAndHoldAllOfIt) {
  for (const size_t calls : {0, 1, 2'000, 10'000}) {
    for (const size_t members : {0, 1, 100}) {
      Mark mark{.members_time = INT64_MAX, .complete_to = INT64_MAX};
      for (size_t i = 0; i < calls; ++i) {
        mark.calls.push_back({std::string(1 + i % kMostServerBytes, 's'), INT64_MAX - 1, INT64_MAX});
      }
      for (size_t i = 0; i < members; ++i) mark.members.emplace_back(1 + i % kMostServerBytes, 'm');
      constexpr size_t kMost = 64'000;
      const Result<std::vector<Mark>> marks = CutMark(mark, kMost);
      ASSERT_TRUE(marks.ok());
      EXPECT_EQ(marks->front().members, mark.members);
      Mark joined = marks->front();
      for (size_t i = 0; i < marks->size(); ++i) {
        const Mark& each = marks->at(i);
        EXPECT_LE(EncodeMark(each).size(), kMost);
        EXPECT_TRUE(CheckMark(each).ok());
        if (i == 0) continue;
        EXPECT_TRUE(each.members.empty() && each.members_time == 0 && each.complete_to == 0);
        joined.calls.insert(joined.calls.end(), each.calls.begin(), each.calls.end());
      }
      EXPECT_TRUE(joined == mark);
    }
  }
}

TEST(MarkCodec, WhoseMembersAloneAreAboveTheLimitIsRefused) {
  const Mark mark{.members = std::vector<std::string>(300, std::string(kMostServerBytes, 'm')), .members_time = 1};
  EXPECT_EQ(CutMark(mark, 64'000).status().code(), StatusCode::kRejected);
  EXPECT_TRUE(CutMark(mark, 100'000).ok());
}

TEST(MarkCodec, RefusesWhatNoMarkMayHold) {
  const auto changed = [](const std::function<void(Mark*)>& change) {
    Mark bad = FullMark();
    change(&bad);
    return FaultOf(bad);
  };
  EXPECT_THAT(changed([](Mark* m) { m->calls[0].server.clear(); }), HasSubstr("server"));
  EXPECT_THAT(changed([](Mark* m) { m->members[0].assign(301, 's'); }), HasSubstr("300 bytes"));
  EXPECT_THAT(changed([](Mark* m) { m->calls[1].last = 6; }), HasSubstr("from 7 to 6"));
  EXPECT_THAT(changed([](Mark* m) { m->calls[0].first = -1; }), HasSubstr("from -1"));
  EXPECT_THAT(changed([](Mark* m) { m->members_time = 0; }), HasSubstr("the time at which the list was read"));
  EXPECT_THAT(changed([](Mark* m) { m->complete_to = -1; }), HasSubstr("its time is negative"));
  EXPECT_THAT(changed([](Mark* m) { m->calls.resize(10'001, m->calls[0]); }), HasSubstr("10001 times"));
  EXPECT_THAT(changed([](Mark* m) { m->members.resize(10'001, m->members[0]); }), HasSubstr("10001 region servers"));
  EXPECT_THAT(DecodeMark("key", EncodeMark(FullMark())).status().message(),
              HasSubstr("message key 'key' must be empty"));
  EXPECT_FALSE(DecodeMark("", EncodeRequest(Recheck())).ok());
  EXPECT_FALSE(DecodeMark("", "\xff").ok());
}

TEST(JsonRequests, SayWhatThereIs) {
  std::string image, recheck, mark, nothing;
  AppendJsonRequest(Image(), &image);
  EXPECT_EQ(image,
            R"({"kind":"image","table":"space:t","row":"r\\x00w","incarnation":"0123456789abcdef","job":"backfill-7",)"
            R"("read_time":301,"partial":true,"cells":[{"type":"put","column":"f:k","ts":11,"value":"v"},)"
            R"({"type":"delete_family","family":"f","ts":12}]})");
  AppendJsonRequest(Recheck(), &recheck);
  EXPECT_EQ(recheck,
            R"({"kind":"recheck","table":"space:t","row":"r","incarnation":"0123456789abcdef","columns":["f:k","f:"],)"
            R"("suspects":[{"table":"fensi","row":"b","column":"f1:a","ts":17},{"table":"fensi","row":"c","ts":0}]})");
  AppendJsonMark(FullMark(), &mark);
  EXPECT_EQ(mark, R"({"kind":"mark","calls":[{"server":"rs1,16020,1","first":5,"last":9},)"
                  R"({"server":"rs2,16020,1","first":7,"last":7}],"members":["rs1,16020,1","rs2,16020,1"],)"
                  R"("members_time":302,"complete_to":303})");
  AppendJsonMark({}, &nothing);
  EXPECT_EQ(nothing, R"({"kind":"mark"})");
}

TEST(JsonRequests, WhatIsNoneIsRefusedByItsKey) {
  const auto refusal = [](const std::string& line) {
    Request request;
    return JsonDecoder().Decode(line, &request).message();
  };
  const std::string good = R"("table":"t","row":"r","incarnation":"0123456789abcdef")";
  EXPECT_EQ(refusal(R"({"kind":"recheck",)" + good + "}"), "");
  EXPECT_THAT(refusal("{" + good + "}"), HasSubstr("\"kind\" is missing"));
  EXPECT_THAT(refusal(R"({"kind":"mark",)" + good + "}"), HasSubstr("Only 'fensi capture' writes watermarks"));
  EXPECT_THAT(refusal(R"({"kind":"recheck","kind":"recheck",)" + good + "}"), HasSubstr("\"kind\" stands twice"));
  EXPECT_THAT(refusal(R"({"kind":"recheck","rows":1,)" + good + "}"), HasSubstr("\"rows\" is not known"));
  EXPECT_THAT(refusal(R"({"kind":"recheck","columns":["f"],)" + good + "}"),
              HasSubstr("columns[0]: \"column\" is not"));
  EXPECT_THAT(refusal(R"({"kind":"recheck","suspects":[{"table":"t"}],)" + good + "}"),
              HasSubstr("suspects[0]: \"row\" is missing"));
  EXPECT_THAT(refusal(R"({"kind":"image","partial":1,)" + good + "}"), HasSubstr("\"partial\" is not true or false"));
  EXPECT_THAT(refusal(R"({"kind":"image",)" + good + "}"), HasSubstr("at which its row was read"));
  EXPECT_THAT(refusal("[]"), HasSubstr("is not an object"));
}

TEST(JsonRequests, AreLinesOfATopicBesideChanges) {
  const auto line = [](std::string_view key, const std::string& value) {
    ChangeEvent event;
    const Status decoded = EventDecoder(Format::kChangeEvent).Decode(key, value, &event);
    const Result<std::string> text = JsonLineOf(key, value, decoded, event);
    return text.ok() ? *text : text.status().message();
  };
  EXPECT_THAT(line("r", EncodeRequest(Recheck())), HasSubstr(R"({"kind":"recheck")"));
  EXPECT_THAT(line("", EncodeMark(FullMark())), HasSubstr(R"({"kind":"mark")"));
  const ChangeEvent change{.table = "t", .row = "r", .cells = {{"f", "k", 1, CellType::kPut, "v", {}}}};
  EXPECT_THAT(line("r", EncodeEvent(change)), HasSubstr(R"({"table":"t")"));
  Request broken = Recheck();
  broken.columns[0].family = "a:b";
  EXPECT_THAT(line("r", EncodeRequest(broken)), HasSubstr("column 0: its family"));
  EXPECT_THAT(line("r", "\xff"), HasSubstr("the message's 1 bytes are not a ChangeEvent"));
  EXPECT_THAT(line("", EncodeMark({.members = {"a server"}, .members_time = 1})), HasSubstr("printable"));
}

TEST(ChangeStream, ReadersTakeAMarkForAnEventOfNoTable) {
  ChangeEvent event{.table = "t", .row = "left over", .sequence_id = 7};
  EventDecoder decoder(Format::kChangeEvent);
  ASSERT_TRUE(decoder.Decode("", EncodeMark(FullMark()), &event).ok());
  EXPECT_EQ(event, ChangeEvent());
  EXPECT_EQ(decoder.part().count, 0U);
}

TEST(ChangeStream, WhatIsNoMarkForAReaderIsNoneForTheDecoder) {
  const auto refused = [](const std::function<void(proto::ChangeEvent*)>& change) {
    proto::ChangeEvent message;
    ASSERT_TRUE(message.ParseFromString(EncodeMark(FullMark())));
    change(&message);
    const std::string bytes = message.SerializeAsString();
    EXPECT_THAT(DecodeMark("", bytes).status().message(), HasSubstr("is a watermark, and must have no"));
    EXPECT_THAT(RefusalInAStream("", bytes), HasSubstr("is a watermark, and must have no"));
  };
  refused([](proto::ChangeEvent* m) { m->set_table("t"); });
  refused([](proto::ChangeEvent* m) { m->add_cells(); });
  refused([](proto::ChangeEvent* m) { m->set_part(1); });
  refused([](proto::ChangeEvent* m) { m->set_parts(2); });
}

TEST(ChangeStream, ReadersRefuseAMarkThatIsAlsoAChange) {
  proto::ChangeEvent message;
  ASSERT_TRUE(message.ParseFromString(EncodeMark(FullMark())));
  message.set_row("r");
  EXPECT_THAT(RefusalInAStream("r", message.SerializeAsString()), HasSubstr("is a watermark"));
  EXPECT_THAT(RefusalInAStream("r", EncodeMark(FullMark())), HasSubstr("message key 'r'"));
  message.Clear();
  ASSERT_TRUE(message.ParseFromString(EncodeMark(FullMark())));
  message.set_version(2);
  EXPECT_THAT(RefusalInAStream("", message.SerializeAsString()), HasSubstr("version 2"));
}

ChangeEvent LoadedRegion() {
  return {.table = "t",
          .row = "m",
          .sequence_id = 9,
          .region = "r1",
          .write_time = 8,
          .kind = EventKind::kBulkLoad,
          .families = {"f", "g"}};
}

TEST(ChangeStream, ReadersKnowABulkLoad) {
  for (ChangeEvent load : {LoadedRegion(), LoadedRegion()}) {
    ChangeEvent event;
    const Status read = EventDecoder(Format::kChangeEvent).Decode("m", EncodeEvent(load), &event);
    EXPECT_TRUE(read.ok()) << read.message();
    EXPECT_EQ(event, load);
    load.families.clear();
  }
}

TEST(ChangeStream, ReadersRefuseABulkLoadThatIsAlsoAChange) {
  ChangeEvent load = LoadedRegion();
  load.cells = {{.family = "f", .qualifier = "q", .timestamp = 1, .value = "v"}};
  EXPECT_THAT(RefusalInAStream("m", EncodeEvent(load)), HasSubstr("its cells are in HBase's files only"));
  ChangeEvent change = load;
  change.kind = EventKind::kMutation;
  EXPECT_THAT(RefusalInAStream("m", EncodeEvent(change)), HasSubstr("is no bulk load"));
  load = LoadedRegion();
  load.families = {"a:b"};
  EXPECT_THAT(RefusalInAStream("m", EncodeEvent(load)), HasSubstr("a family that HBase refuses"));
  load.families.assign(kMostLoadedFamilies + 1, "f");
  EXPECT_THAT(RefusalInAStream("m", EncodeEvent(load)), HasSubstr("1001 families"));
  std::string in_parts;
  EventEncoder().Encode(LoadedRegion(), {.number = 1, .count = 2}, &in_parts);
  EXPECT_THAT(RefusalInAStream("m", in_parts), HasSubstr("comes in one message"));
}

TEST(ChangeStream, ReadersRefuseRequestsAndSayWhereTheyBelong) {
  for (const Request& request : {Image(), Recheck()}) {
    EXPECT_THAT(RefusalInAStream(request.row, EncodeRequest(request)),
                HasSubstr("Write requests to the topic INDEX.requests"));
  }
  proto::ChangeEvent message;
  message.set_version(1);
  message.set_kind(static_cast<proto::ChangeEvent::Kind>(99));
  EXPECT_THAT(RefusalInAStream("", message.SerializeAsString()), HasSubstr("unknown kind 99"));
}

}  // namespace
}  // namespace fensi::consumer
