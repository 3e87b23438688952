#include "capture/wal/entry_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/capture/hbase_bytes.h"

namespace fensi::capture {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The events of a call, as another reader of the same bytes would have them.
std::vector<ChangeEvent> EventsOf(const std::vector<Entry>& entries) {
  const std::string request = RequestBytes(entries);
  const std::string cells = CellBlock(entries);
  Result<WalBatch> batch = WalBatch::Open(request, cells);
  EXPECT_TRUE(batch.ok()) << batch.status().ToString();
  std::vector<ChangeEvent> all;
  std::vector<ChangeEvent> events;
  WalEntry entry;
  while (batch.ok() && !batch->AtEnd()) {
    EXPECT_TRUE(batch->Next(&entry).ok());
    const size_t count = MakeEvents(entry, &events);
    all.insert(all.end(), events.begin(), events.begin() + static_cast<ptrdiff_t>(count));
  }
  return all;
}

Status StatusOf(const std::string& request, const std::string& cells) {
  Result<WalBatch> batch = WalBatch::Open(request, cells);
  if (!batch.ok()) return batch.status();
  WalEntry entry;
  while (!batch->AtEnd()) {
    if (Status status = batch->Next(&entry); !status.ok()) return status;
  }
  return Status();
}

TEST(EntryEvents, OfOneRowAreOneEventWithAllItsCellsInOrder) {
  Cell expiring = Put("x", "1", 5);
  expiring.tags = {MakeTtlTag(60'000)};
  const Cell column{.family = "f1", .qualifier = "y", .timestamp = 6, .type = CellType::kDeleteColumn};
  const Cell version{.family = "f1", .qualifier = "y", .timestamp = 6, .type = CellType::kDelete};
  const Cell family{.family = "f1", .timestamp = 7, .type = CellType::kDeleteFamily};
  const Cell family_version{.family = "f1", .timestamp = 8, .type = CellType::kDeleteFamilyVersion};
  const std::vector<Cell> cells = {family, family_version, expiring, column, version};
  Entry entry{.table = "ns:t", .region = "r1", .sequence_id = 42, .write_time = 99};
  for (const Cell& cell : cells) entry.cells.push_back({"a", cell});
  const ChangeEvent event{
      .table = "ns:t", .row = "a", .cells = cells, .sequence_id = 42, .region = "r1", .write_time = 99};
  EXPECT_THAT(EventsOf({entry}), ElementsAre(event));
}

TEST(EntryEvents, OfSeveralRowsAreSplitByRow) {
  const Entry entry{.cells = {{"a", Put("x", "1")}, {"a", Put("y", "2")}, {"b", Put("x", "3")}}};
  const auto events = EventsOf({entry});
  ASSERT_EQ(events.size(), 2u);
  EXPECT_THAT(events[0].cells, ElementsAre(Put("x", "1"), Put("y", "2")));
  EXPECT_EQ(events[1].row, "b");
  EXPECT_EQ(events[1].sequence_id, events[0].sequence_id);
}

TEST(EntryEvents, OfSeveralPutsOfOneCellKeepTheirOrder) {
  const Entry entry{.cells = {{"a", Put("x", "1")}, {"a", Put("x", "2")}, {"a", Put("x", "3")}}};
  EXPECT_THAT(EventsOf({entry}).at(0).cells, ElementsAre(Put("x", "1"), Put("x", "2"), Put("x", "3")));
}

TEST(EntryEvents, OfSeveralEntriesKeepTheirOwnSequence) {
  const auto events = EventsOf({Entry{.sequence_id = 1, .cells = {{"a", Put("x", "1")}}}, Entry{.sequence_id = 2},
                                Entry{.sequence_id = 3, .cells = {{"a", Put("x", "2")}}}});
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].sequence_id, 1u);
  EXPECT_EQ(events[1].sequence_id, 3u);
}

TEST(EntryEvents, OfADeleteWithAValueAndAMarkerWithAQualifierAreWhatHBaseMakesOfThem) {
  const Cell column{.family = "f1", .qualifier = "y", .timestamp = 6, .type = CellType::kDeleteColumn, .value = "x"};
  const Cell family{.family = "f1", .qualifier = "y", .timestamp = 7, .type = CellType::kDeleteFamily, .value = "x"};
  const auto events = EventsOf({Entry{.cells = {{"a", column}, {"a", family}}}});
  EXPECT_THAT(events.at(0).cells,
              ElementsAre(Cell{.family = "f1", .qualifier = "y", .timestamp = 6, .type = CellType::kDeleteColumn},
                          Cell{.family = "f1", .timestamp = 7, .type = CellType::kDeleteFamily}));
}

TEST(EntryEvents, OfABulkLoadAreNoneAndTellWhatWasLoaded) {
  const std::string descriptor =
      BytesField(1, BytesField(1, "default") + BytesField(2, "t")) + BytesField(2, "r1") +
      BytesField(3, BytesField(1, "f1") + BytesField(2, "dir") + BytesField(3, "h1") + BytesField(3, "h2")) +
      NumberField(4, 9);
  const Entry entry{
      .cells = {{"a", {.family = "METAFAMILY", .qualifier = "HBASE::BULK_LOAD", .timestamp = 1, .value = descriptor}}}};
  EXPECT_TRUE(EventsOf({entry}).empty());
  const std::string block = CellBlock({entry});
  WalCell cell;
  ASSERT_TRUE(CellBlockReader(block).Next(&cell).ok());
  EXPECT_EQ(BulkLoadOf(cell), "2 files into family f1");
  const std::string put = CellBytes("a", Put("x", "1"));
  ASSERT_TRUE(CellBlockReader(put).Next(&cell).ok());
  EXPECT_FALSE(BulkLoadOf(cell).has_value());
}

TEST(WalBatch, WhoseCountsDoNotFitTheCellsIsRefused) {
  const std::vector<Entry> one = {Entry{.cells = {{"a", Put("x", "1")}}}};
  const std::vector<Entry> two = {Entry{.cells = {{"a", Put("x", "1")}, {"b", Put("x", "1")}}}};
  EXPECT_TRUE(StatusOf(RequestBytes(two), CellBlock(two)).ok());
  EXPECT_EQ(StatusOf(RequestBytes(two), CellBlock(one)).code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(StatusOf(RequestBytes(one), CellBlock(two)).message(), HasSubstr("goes on behind the last cell"));
}

TEST(WalBatch, AllocatesNothingForACountThatNoBlockCouldHold) {
  const std::string key = BytesField(1, "r") + BytesField(2, "t") + NumberField(3, 1) + NumberField(4, 1);
  const std::string request = BytesField(1, BytesField(1, key) + NumberField(3, 0x7fffffff));
  EXPECT_THAT(StatusOf(request, "").message(), HasSubstr("name 2147483647 cells"));
  EXPECT_FALSE(StatusOf(BytesField(1, NumberField(3, 0)), "").ok());
  EXPECT_FALSE(StatusOf("nonsense", "").ok());
}

}  // namespace
}  // namespace fensi::capture
