// Every form in which a change reaches an index, at the borders: the oldest and newest timestamps that are taken, the
// first ones that are refused, what may follow them, and the names of a table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/hbase_limits.h"
#include "consumer/codec/event_decoder.h"
#include "consumer/codec/json_decoder.h"
#include "consumer/codec/json_encoder.h"
#include "consumer/codec/json_requests.h"
#include "consumer/codec/request.h"
#include "consumer/file/file_source.h"
#include "tests/consumer/scratch_file.h"
#include "tests/indexer/support/two_logs.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using consumer::Request;
using Events = std::vector<ChangeEvent>;

/// A change, or why it does not pass.
template <typename T>
using Passed = std::vector<Result<T>>;

Passed<ChangeEvent> ThroughTopic(const ChangeEvent& event) {
  ChangeEvent out;
  const Status status =
      consumer::EventDecoder(consumer::Format::kChangeEvent).Decode(event.row, consumer::EncodeEvent(event), &out);
  return {status.ok() ? Result<ChangeEvent>(out) : status};
}

std::string LineOf(const ChangeEvent& event) {
  std::string line;
  consumer::AppendJsonEvent(event, &line);
  return line;
}

Passed<ChangeEvent> ThroughJson(const ChangeEvent& event) {
  ChangeEvent out;
  const Status status = consumer::JsonDecoder().Decode(LineOf(event), &out);
  return {status.ok() ? Result<ChangeEvent>(out) : status};
}

Passed<ChangeEvent> ReadFile(const std::string& text, const consumer::FileSourceOptions& options) {
  const consumer::ScratchFile file(text);
  const auto source = consumer::FileSource::Open({file.path()}, options);
  Must(source.status());
  Passed<ChangeEvent> events;
  for (consumer::Work work = (*source)->Next(); !std::holds_alternative<consumer::End>(work);
       work = (*source)->Next()) {
    if (const auto* opening = std::get_if<consumer::Opening>(&work)) Must((*source)->Begin(opening->assignment, 1));
    const auto* batch = std::get_if<consumer::Batch>(&work);
    if (batch == nullptr) continue;
    for (const consumer::Record& record : batch->records) {
      events.push_back(record.decoded.ok() ? Result<ChangeEvent>(record.event) : record.decoded);
    }
    (*source)->Done(*batch);
  }
  return events;
}

Passed<ChangeEvent> ThroughFile(const ChangeEvent& event) { return ReadFile(LineOf(event) + "\n", {}); }

/// Puts alone, all of one time; the table is the mapping's.
Passed<ChangeEvent> ThroughCsv(const ChangeEvent& event) {
  std::string names = "id,at", values = event.row + "," + std::to_string(event.cells[0].timestamp);
  for (const Cell& cell : event.cells) {
    names += "," + cell.family + ":" + cell.qualifier;
    values += "," + cell.value;
  }
  return ReadFile(names + "\n" + values + "\n",
                  {.csv = consumer::CsvOptions{event.table, /*row_column=*/"id", /*time_column=*/"at", /*family=*/""}});
}

Passed<ChangeEvent> ThroughPublish(const ChangeEvent& event) {
  consumer::JsonMessage message;
  const std::string line = LineOf(event);
  const Status status = consumer::JsonDecoder().DecodePadded(
      std::string_view(line + std::string(consumer::kJsonPadding, ' ')).substr(0, line.size()), &message);
  if (!status.ok()) return {status};
  ChangeEvent out;
  Must(consumer::EventDecoder(consumer::Format::kChangeEvent).Decode(message.row, message.value, &out));
  return {out};
}

std::string AvroLong(int64_t number) {
  std::string bytes;
  for (auto rest = static_cast<uint64_t>(number) << 1 ^ static_cast<uint64_t>(number >> 63);; rest >>= 7) {
    if (rest < 0x80) return bytes + static_cast<char>(rest);
    bytes += static_cast<char>(rest | 0x80);
  }
}

std::string AvroBytes(const std::string& bytes) { return AvroLong(static_cast<int64_t>(bytes.size())) + bytes; }

/// A message for each cell, which knows of a delete only that it is one, and no sequence ids.
Passed<ChangeEvent> ThroughProxy(const ChangeEvent& event) {
  Passed<ChangeEvent> events;
  for (const Cell& cell : event.cells) {
    const char deleted = cell.type == CellType::kPut ? '\0' : '\1';
    const std::string message = AvroBytes(event.row) + AvroLong(cell.timestamp) + deleted + AvroBytes(cell.value) +
                                AvroBytes(cell.qualifier) + AvroBytes(cell.family) + AvroBytes(event.table);
    ChangeEvent out;
    const Status status = consumer::EventDecoder(consumer::Format::kHBaseKafkaProxy).Decode("", message, &out);
    events.push_back(status.ok() ? Result<ChangeEvent>(out) : status);
  }
  return events;
}

struct Form {
  const char* name;
  std::function<Passed<ChangeEvent>(const ChangeEvent&)> through;  // null: requests
  bool deletes = true;
  bool refuses_itself = false;  // a put that is too new does not pass it
  bool needs_source = false;
};

const Form kForms[] = {
    {"topic", ThroughTopic},
    {"json", ThroughJson},
    {"file", ThroughFile},
    {"publish", ThroughPublish, true, true},
    {"csv", ThroughCsv, false, true},
    {"proxy", ThroughProxy, true, false, true},
    {"image", nullptr, true, false, true},
};

Passed<Request> ThroughRequest(const ChangeEvent& event) {
  const Request image{.table = event.table,
                      .row = event.row,
                      .incarnation = kIncarnation,
                      .job = "scan",
                      .cells = event.cells,
                      .read_time = 1,
                      .partial = true};
  const Status status = consumer::CheckRequest(image);
  return {status.ok() ? consumer::DecodeRequest(image.row, consumer::EncodeRequest(image)) : status};
}

ChangeEvent EventAt(int64_t timestamp, const std::string& value, CellType type = CellType::kPut) {
  ChangeEvent event{.table = "default:source", .row = "r"};
  const bool marks = IsFamilyMarker(type);
  for (const char* qualifier : {"k", "v", "m"}) {
    event.cells.push_back({.family = "f", .qualifier = marks ? "" : qualifier, .timestamp = timestamp, .type = type});
    if (marks) break;
    if (type == CellType::kPut) event.cells.back().value = value + qualifier;
  }
  return event;
}

/// One index, told everything in one form.
class Told {
 public:
  Told(const Form& form, const Rule& rule, bool with_source)
      : form_(form), world_(rule, with_source), owner_(world_.NewMaintainer(true)) {}

  /// What happens at the source is told; the first reason why it does not pass.
  std::string Tell(ChangeEvent event) {
    event.sequence_id = ++sequence_;
    return Send(event);
  }
  std::string Happens(ChangeEvent event) {
    ChangeEvent at_source = event;
    at_source.table = "source";
    world_.ApplyToSource(at_source);
    return Tell(std::move(event));
  }
  void Restarts() { owner_ = world_.NewMaintainer(false); }
  World* world() { return &world_; }
  size_t letters() { return world_.letters()->letters().size(); }

 private:
  std::string Send(const ChangeEvent& event) {
    if (form_.through == nullptr) {
      const Passed<Request> request = ThroughRequest(event);
      if (!request[0].ok()) return request[0].status().message();
      Must(ApplyRequests(&world_, owner_.get(), {*request[0]}));
      return "";
    }
    for (const Result<ChangeEvent>& told : form_.through(event)) {
      if (!told.ok()) return told.status().message();
      const consumer::Batch batch = world_.MakeBatch({&*told, 1});
      Must(owner_->Apply(batch));
      Must(world_.RereadSource(owner_.get(), batch));
    }
    return "";
  }

  const Form& form_;
  World world_;
  std::unique_ptr<indexer::IndexMaintainer> owner_;
  uint64_t sequence_ = 0;
};

std::vector<Rule> Kinds() {
  return {ValueRule(),       CompositeRule(),      QualifierRule(),      FanOutRule(),
          ListRule(),        TwoColumnsRule(),     SharedRule(),         UniqueRule(),
          MirrorValueRule(), MirrorEachTimeRule(), MirrorEachValueRule()};
}

class Doors : public ::testing::TestWithParam<std::tuple<Form, Rule>> {
 protected:
  const Form& form() const { return std::get<0>(GetParam()); }
  /// Of a shared index the source is not read, so that a delete whose kind is lost is a dead letter of its own.
  bool deletes() const { return form().deletes && !(form().needs_source && form().through && IsShared()); }
  static bool IsShared() { return std::get<1>(GetParam()).index.find("shared: true") != std::string::npos; }

  /// With a source table to read, and without one where that is possible.
  void ForEach(const std::function<void(Told*)>& use) {
    const Rule& rule = std::get<1>(GetParam());
    for (const bool with_source : {true, false}) {
      const bool mirror = rule.index.find("mode: stateless") != std::string::npos;
      if (!with_source && (form().needs_source || mirror)) continue;
      SCOPED_TRACE(with_source ? "the source is read" : "no source is read");
      Told told(form(), rule, with_source);
      use(&told);
    }
  }
};

TEST_P(Doors, TheNewestTimestampIsFollowedByEveryLaterChange) {
  ForEach([&](Told* told) {
    told->Happens(EventAt(kMaxSourceTime - 1, "a"));
    EXPECT_EQ(told->world()->Difference(), "") << "first put";
    EXPECT_FALSE(told->world()->Actual().empty());
    told->Happens(EventAt(kMaxSourceTime, "b"));
    EXPECT_EQ(told->world()->Difference(), "") << "move";
    told->Happens(EventAt(kMaxSourceTime, "b"));
    EXPECT_EQ(told->world()->Difference(), "") << "put once more";
    for (int i = 0; i < 20 && deletes(); ++i) told->Happens(EventAt(1 + i, "", CellType::kDelete));
    told->Restarts();
    for (int i = 0; i < 20; ++i) told->Happens(EventAt(1 + i, "late"));
    EXPECT_EQ(told->world()->Difference(), "") << "ambiguous changes";
    EXPECT_FALSE(told->world()->Actual().empty());
    if (deletes()) {
      told->Happens(EventAt(kMaxSourceTime, "", CellType::kDeleteColumn));
      EXPECT_EQ(told->world()->Difference(), "") << "delete";
      EXPECT_TRUE(told->world()->Actual().empty());
      told->Happens(EventAt(kMaxSourceTime, "c"));
      EXPECT_EQ(told->world()->Difference(), "") << "put below the delete";
    }
    EXPECT_EQ(told->letters(), 0u);
  });
}

TEST_P(Doors, APutAboveIsRefusedWithItsReasonAndLeavesNoEntry) {
  ForEach([&](Told* told) {
    told->Happens(EventAt(7, "a"));
    EXPECT_FALSE(told->world()->Actual().empty());
    for (const int64_t timestamp : {kMaxSourceTime + 1, kMaxSourceTime + 2, INT64_MAX - 1}) {
      const size_t before = told->letters();
      if (form().refuses_itself) {
        EXPECT_THAT(told->Tell(EventAt(timestamp, "b")), HasSubstr("9223370937343148031")) << timestamp;
        continue;
      }
      EXPECT_EQ(told->Happens(EventAt(timestamp, "b")), "");
      ASSERT_GT(told->letters(), before) << timestamp;
      EXPECT_THAT(told->world()->letters()->letters().back().reason,
                  HasSubstr(std::to_string(timestamp) + " is above the newest time that an index takes"));
      EXPECT_EQ(told->world()->Difference(), "") << "its column counts as empty";
    }
    const size_t letters = told->letters();
    told->Restarts();
    if (!deletes()) return;
    told->Happens(EventAt(INT64_MAX - 1, "", CellType::kDeleteFamily));
    EXPECT_EQ(told->world()->Difference(), "");
    EXPECT_TRUE(told->world()->Actual().empty()) << "a delete is taken at any time";
    told->Happens(EventAt(9, "c"));
    EXPECT_EQ(told->world()->Difference(), "");
    EXPECT_EQ(told->letters(), letters);
  });
}

TEST_P(Doors, WhatHBaseDoesNotStoreIsRefused) {
  ForEach([&](Told* told) {
    told->Happens(EventAt(0, "a"));
    EXPECT_EQ(told->world()->Difference(), "") << "0 is a timestamp";
    EXPECT_FALSE(told->world()->Actual().empty());
    for (const int64_t timestamp : {int64_t{-1}, INT64_MIN, INT64_MAX}) {
      const size_t before = told->letters();
      const std::string refused = told->Tell(EventAt(timestamp, "b"));
      EXPECT_TRUE(!refused.empty() || told->letters() > before) << timestamp;
      EXPECT_EQ(told->world()->Difference(), "");
    }
    if (!deletes()) return;
    told->Happens(EventAt(0, "", CellType::kDeleteColumn));
    EXPECT_EQ(told->world()->Difference(), "");
    EXPECT_TRUE(told->world()->Actual().empty());
  });
}

TEST_P(Doors, ATableOfTheDefaultNamespaceHasTwoNamesAndOthersHaveOne) {
  ForEach([&](Told* told) {
    for (const char* other : {"ns:source", "ns.source", "Source", "defaults:source", "default.source"}) {
      ChangeEvent event = EventAt(5, "a");
      event.table = other;
      told->Tell(event);
      EXPECT_TRUE(told->world()->Actual().empty()) << other;
    }
    const size_t letters = told->letters();
    told->Happens(EventAt(6, "a"));  // of default:source
    EXPECT_EQ(told->world()->Difference(), "");
    EXPECT_FALSE(told->world()->Actual().empty());
    ChangeEvent short_name = EventAt(7, "b");
    short_name.table = "source";
    told->Happens(short_name);
    EXPECT_EQ(told->world()->Difference(), "");
    EXPECT_EQ(told->letters(), letters);
  });
}

std::string NameOf(const ::testing::TestParamInfo<std::tuple<Form, Rule>>& info) {
  std::string name = std::string(std::get<0>(info.param).name) + "_" + std::get<1>(info.param).name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Forms, Doors, ::testing::Combine(::testing::ValuesIn(kForms), ::testing::ValuesIn(Kinds())),
                         NameOf);

/// A recheck brings no cells: what the owner reads passes the same door.
class Rechecks : public ::testing::TestWithParam<Rule> {};

TEST_P(Rechecks, TakeOfTheSourceWhatAnEventMayBring) {
  World world(GetParam(), true);
  const auto owner = world.NewMaintainer(true);
  for (int64_t timestamp : {int64_t{0}, kMaxSourceTime, kMaxSourceTime + 1, INT64_MAX - 1}) {
    ChangeEvent event = EventAt(timestamp, "a");
    event.table = "source";
    world.ApplyToSource(event);
    for (int i = 0; i < 10; ++i) Must(ApplyRequests(&world, owner.get(), {RecheckOf("r")}));
    EXPECT_EQ(world.Difference(), "") << timestamp;
    EXPECT_EQ(world.Actual().empty(), timestamp > kMaxSourceTime) << timestamp;
  }
  ChangeEvent gone = EventAt(INT64_MAX - 1, "", CellType::kDeleteFamily);
  gone.table = "source";
  world.Tell({gone});
  EXPECT_EQ(world.Difference(), "");
}

TEST_P(Rechecks, NameTheCellsOfATableAsEventsDo) {
  World world(GetParam(), true);
  const auto owner = world.NewMaintainer(true);
  const Cell planted{.family = "f", .qualifier = "planted", .timestamp = 9};
  WriteCells({.table = "inverse", .row = "x", .cells = {planted}}, "inverse", world.store());
  Request recheck = RecheckOf("r", {{"default:inverse", "x", "f", "planted", 9}});
  recheck.table = "default:source";
  const Result<Request> told = consumer::DecodeRequest("r", consumer::EncodeRequest(recheck));
  Must(told.status());
  Must(ApplyRequests(&world, owner.get(), {*told}));
  EXPECT_TRUE(world.Actual().empty()) << "by a message";
  std::string line;
  consumer::AppendJsonRequest(recheck, &line);
  Request of_line;
  Must(consumer::JsonDecoder().Decode(line, &of_line));
  EXPECT_EQ(of_line, *told);
  EXPECT_THAT(world.letters()->letters(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Rules, Rechecks,
                         ::testing::Values(ValueRule(), QualifierRule(), UniqueRule(), MirrorValueRule(),
                                           MirrorEachValueRule()),
                         RuleName);

/// Its table is named after the cell's time, which no calendar has.
TEST(DoorsOfPeriods, ATimeThatNoCalendarHasIsALetterAndNoEntry) {
  World world(PeriodRule(), true);
  const auto tell = [&](ChangeEvent event) {
    event.table = "source";
    world.Tell({event});
  };
  tell(EventAt(kMaxSourceTime, "a"));
  EXPECT_TRUE(world.Actual().empty());
  ASSERT_THAT(world.letters()->letters(), SizeIs(1));
  EXPECT_THAT(world.letters()->letters()[0].reason, HasSubstr("outside the years"));
  tell(EventAt(INT64_MAX - 1, "a"));
  EXPECT_TRUE(world.Actual().empty());
  tell(EventAt(INT64_MAX - 1, "", CellType::kDeleteFamily));
  EXPECT_TRUE(world.Actual().empty());
}

TEST(VersionRoom, LastsForEveryChangeOfARow) {
  constexpr int64_t kAmbiguousChangesOfASecond = 1'000, kSecondsOfAYear = 31'557'600;
  EXPECT_GE((kMaxTimestamp - kAboveSourceTimes) / 2 / kAmbiguousChangesOfASecond / kSecondsOfAYear, 17);
  constexpr int64_t kReversedTimeOf2005 = INT64_MAX - 1'104'537'600'000;
  EXPECT_LE(kReversedTimeOf2005, kMaxSourceTime) << "and clients that reverse the clock are not refused";
  EXPECT_GE(kMaxTimestamp - kMaxPassedVersion, kVersionRoom / 2 - 3) << "half of it is left after a repair";
}

}  // namespace
}  // namespace fensi::testing
