#include "capture/wal/entry_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "base/hbase_limits.h"
#include "tests/capture/hbase_bytes.h"
#include "tests/support/matchers.h"
#include "tests/support/peak_memory.h"

namespace fensi::capture {
namespace {

/// The events of a call, as another reader of the same bytes would have them.
std::vector<ChangeEvent> EventsOf(const std::vector<Entry>& entries) {
  const std::string request = RequestBytes(entries);
  const std::string cells = CellBlock(entries);
  Result<WalBatch> batch = WalBatch::Open(request, cells);
  EXPECT_TRUE(batch.ok()) << batch.status().ToString();
  std::vector<ChangeEvent> all;
  for (WalEntry entry; batch.ok() && batch->Next(&entry);) {
    EntryRows rows(entry);
    for (RowCells row; rows.Next(&row);) {
      if (!row.of_hbase) FillEvent(entry, row, &all.emplace_back());
    }
  }
  return all;
}

Status StatusOf(const std::string& request, const std::string& cells) {
  return WalBatch::Open(request, cells).status();
}

TEST(EntryRows, OfOneRowAreOneEventWithAllItsCellsInOrder) {
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

TEST(EntryRows, CarryTheirTableByItsOneName) {
  const std::pair<const char*, const char*> names[] = {
      {"default:t", "t"}, {"t", "t"}, {"ns:t", "ns:t"}, {"ns.t", "ns.t"}, {"defaults:t", "defaults:t"}};
  for (const auto& [told, name] : names) {
    EXPECT_EQ(EventsOf({Entry{.table = told, .cells = {{"a", Put("x", "1")}}}}).at(0).table, name);
  }
}

/// Which of them an index takes is its own question: it writes a dead letter, and other readers may be as they like.
TEST(EntryRows, CarryTheTimestampsThatHBaseStored) {
  for (const int64_t time : {int64_t{0}, kMaxSourceTime, kMaxSourceTime + 1, INT64_MAX - 1}) {
    EXPECT_EQ(EventsOf({Entry{.cells = {{"a", Put("x", "1", time)}}}}).at(0).cells.at(0).timestamp, time);
  }
}

TEST(EntryRows, OfSeveralRowsAreSplitByRow) {
  const Entry entry{.cells = {{"a", Put("x", "1")}, {"a", Put("y", "2")}, {"b", Put("x", "3")}}};
  const auto events = EventsOf({entry});
  ASSERT_EQ(events.size(), 2u);
  EXPECT_THAT(events[0].cells, ElementsAre(Put("x", "1"), Put("y", "2")));
  EXPECT_EQ(events[1].row, "b");
  EXPECT_EQ(events[1].sequence_id, events[0].sequence_id);
}

// As MultiRowMutationEndpoint logs them: in the order of the request, and the same row twice.
TEST(EntryRows, OfARowThatStandsApartAreOneEvent) {
  const Entry entry{.cells = {{"b", Put("x", "1")}, {"a", Put("x", "2")}, {"b", Put("x", "3")}, {"a", Put("y", "4")}}};
  const auto events = EventsOf({entry});
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].row, "b") << "rows come in the order of the entry";
  EXPECT_THAT(events[0].cells, ElementsAre(Put("x", "1"), Put("x", "3")));
  EXPECT_THAT(events[1].cells, ElementsAre(Put("x", "2"), Put("y", "4")));
}

TEST(EntryRows, OfHBaseStandApartFromThoseOfTheirRow) {
  const Cell marker{.family = "METAFAMILY", .qualifier = "HBASE::BULK_LOAD", .timestamp = 1};
  const auto events = EventsOf({Entry{.cells = {{"a", Put("x", "1")}, {"a", marker}, {"a", Put("y", "2")}}}});
  ASSERT_EQ(events.size(), 1u);
  EXPECT_THAT(events[0].cells, ElementsAre(Put("x", "1"), Put("y", "2")));
}

TEST(EntryRows, OfAnyOrderAreEachRowOnceWithItsCellsInOrder) {
  std::mt19937 random(5);
  for (int round = 0; round < 2'000; ++round) {
    Entry entry;
    std::map<std::string, std::vector<Cell>> expected;
    std::vector<std::string> order;
    const bool sorted = round % 4 == 0;
    std::vector<std::string> rows;
    for (size_t i = random() % 12; i > 0; --i) rows.push_back(std::string(1 + random() % 2, "ab\xff"[random() % 3]));
    if (sorted) std::sort(rows.begin(), rows.end());
    for (const std::string& row : rows) {
      const Cell cell = Put("q", std::to_string(entry.cells.size()));
      entry.cells.push_back({row, cell});
      if (expected[row].empty()) order.push_back(row);
      expected[row].push_back(cell);
    }
    const auto events = EventsOf({entry});
    ASSERT_EQ(events.size(), order.size()) << "round " << round;
    for (size_t i = 0; i < events.size(); ++i) {
      ASSERT_EQ(events[i].row, order[i]) << "round " << round;
      ASSERT_EQ(events[i].cells, expected[order[i]]) << "round " << round;
    }
  }
}

TEST(EntryRows, ThatDoNotAscendCostLittleMemory) {
  constexpr int kCells = 100'000;
  Entry entry;
  for (int i = 0; i < kCells; ++i) entry.cells.push_back({i % 2 == 0 ? "b" : "a", Put("", "")});
  const std::string request = RequestBytes({entry}), cells = CellBlock({entry});
  Result<WalBatch> batch = WalBatch::Open(request, cells);
  ASSERT_TRUE(batch.ok());
  WalEntry wal;
  ASSERT_TRUE(batch->Next(&wal));
  const MemoryGrowth growth;
  size_t count = 0;
  EntryRows rows(wal);
  for (RowCells row; rows.Next(&row);) count += row.count;
  EXPECT_EQ(count, kCells);
  EXPECT_LT(growth.Kilobytes(), 27 * kCells / 1024) << "eight bytes for each place where another row begins";
}

TEST(EntryRows, OfSeveralPutsOfOneCellKeepTheirOrder) {
  const Entry entry{.cells = {{"a", Put("x", "1")}, {"a", Put("x", "2")}, {"a", Put("x", "3")}}};
  EXPECT_THAT(EventsOf({entry}).at(0).cells, ElementsAre(Put("x", "1"), Put("x", "2"), Put("x", "3")));
}

TEST(EntryRows, OfSeveralEntriesKeepTheirOwnSequence) {
  const auto events = EventsOf({Entry{.sequence_id = 1, .cells = {{"a", Put("x", "1")}}}, Entry{.sequence_id = 2},
                                Entry{.sequence_id = 3, .cells = {{"a", Put("x", "2")}}}});
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].sequence_id, 1u);
  EXPECT_EQ(events[1].sequence_id, 3u);
}

TEST(EntryRows, OfADeleteWithAValueAndAMarkerWithAQualifierAreWhatHBaseMakesOfThem) {
  const Cell column{.family = "f1", .qualifier = "y", .timestamp = 6, .type = CellType::kDeleteColumn, .value = "x"};
  const Cell family{.family = "f1", .qualifier = "y", .timestamp = 7, .type = CellType::kDeleteFamily, .value = "x"};
  const auto events = EventsOf({Entry{.cells = {{"a", column}, {"a", family}}}});
  EXPECT_THAT(events.at(0).cells,
              ElementsAre(Cell{.family = "f1", .qualifier = "y", .timestamp = 6, .type = CellType::kDeleteColumn},
                          Cell{.family = "f1", .timestamp = 7, .type = CellType::kDeleteFamily}));
}

TEST(EntryRows, OfABulkLoadAreNoneAndTellWhatWasLoaded) {
  const std::string descriptor =
      BytesField(1, BytesField(1, "default") + BytesField(2, "t")) + BytesField(2, "r1") +
      BytesField(3, BytesField(1, "f1") + BytesField(2, "dir") + BytesField(3, "h1") + BytesField(3, "h2")) +
      NumberField(4, 9);
  const Entry entry{
      .cells = {{"a", {.family = "METAFAMILY", .qualifier = "HBASE::BULK_LOAD", .timestamp = 1, .value = descriptor}}}};
  EXPECT_TRUE(EventsOf({entry}).empty());
  const std::string block = CellBlock({entry});
  hbase::CellView cell;
  ASSERT_TRUE(hbase::CellBlockReader(block).Next(&cell).ok());
  EXPECT_EQ(BulkLoadOf(cell)->text, "2 files into family f1");
  EXPECT_THAT(BulkLoadOf(cell)->families, ElementsAre("f1"));
  std::string many;
  for (int i = 0; i < 1000; ++i) many += BytesField(3, BytesField(1, "f2"));
  cell.value = many;
  EXPECT_THAT(BulkLoadOf(cell)->text, ::testing::EndsWith("0 files into family f2, and 990 more"));
  EXPECT_EQ(BulkLoadOf(cell)->families.size(), 1000u);
  cell.value = "\xff";
  EXPECT_TRUE(BulkLoadOf(cell)->families.empty()) << "unknown";
  const std::string put = CellBytes("a", Put("x", "1"));
  ASSERT_TRUE(hbase::CellBlockReader(put).Next(&cell).ok());
  EXPECT_FALSE(BulkLoadOf(cell).has_value());
}

/// The event of a bulk load, or nothing.
std::optional<ChangeEvent> LoadIn(const Entry& entry) {
  const std::string block = CellBlock({entry});
  const WalEntry logged{.region = "r1", .table = "t", .sequence_id = 9, .write_time = 8, .cells = block};
  EntryRows rows(logged);
  RowCells row;
  ChangeEvent event;
  std::string text;
  if (!rows.Next(&row) || !FillBulkLoad(logged, row, &event, &text)) return std::nullopt;
  return event;
}

TEST(EntryRows, OfABulkLoadMakeAnEventOfTheRegion) {
  const auto marker = [](const std::string& descriptor) {
    return Entry{
        .cells = {
            {"m", {.family = "METAFAMILY", .qualifier = "HBASE::BULK_LOAD", .timestamp = 1, .value = descriptor}}}};
  };
  const std::string store = BytesField(3, BytesField(1, "f1") + BytesField(3, "h1"));
  const ChangeEvent expected{.table = "t",
                             .row = "m",
                             .sequence_id = 9,
                             .region = "r1",
                             .write_time = 8,
                             .kind = EventKind::kBulkLoad,
                             .families = {"f1"}};
  EXPECT_EQ(LoadIn(marker(store)), expected);
  for (const std::string& unknown : {std::string("\xff"), std::string(), store + BytesField(3, BytesField(1, "a:b"))}) {
    ASSERT_TRUE(LoadIn(marker(unknown)).has_value());
    EXPECT_TRUE(LoadIn(marker(unknown))->families.empty()) << "all families count as loaded";
  }
  EXPECT_EQ(LoadIn({.cells = {{"m", {.family = "METAFAMILY", .qualifier = "HBASE::FLUSH", .timestamp = 1}}}}),
            std::nullopt);
}

TEST(EntryRows, WithAnAccessControlListOrAVisibilityLabelAreTold) {
  Cell expiring = Put("x", "1");
  expiring.tags = {MakeTtlTag(1)};
  for (const auto& [type, restricts] : std::map<int, bool>{{1, true}, {2, true}, {7, true}, {8, false}, {5, false}}) {
    Cell tagged = expiring;
    tagged.tags.push_back({static_cast<uint8_t>(type), "secret"});
    const std::string block = CellBytes("a", tagged);
    hbase::CellView cell;
    ASSERT_TRUE(hbase::CellBlockReader(block).Next(&cell).ok());
    EXPECT_EQ(RestrictsReaders(cell), restricts) << type;
  }
}

TEST(WalBatch, WhoseCountsDoNotFitTheCellsIsRefused) {
  const std::vector<Entry> one = {Entry{.cells = {{"a", Put("x", "1")}}}};
  const std::vector<Entry> two = {Entry{.cells = {{"a", Put("x", "1")}, {"b", Put("x", "1")}}}};
  EXPECT_TRUE(StatusOf(RequestBytes(two), CellBlock(two)).ok());
  EXPECT_EQ(StatusOf(RequestBytes(two), CellBlock(one)).code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(StatusOf(RequestBytes(one), CellBlock(two)).message(), HasSubstr("more bytes after the last cell"));
}

TEST(WalBatch, ThatIsNoRequestOrLacksAKeyIsRefused) {
  const std::string key = BytesField(1, "r") + BytesField(2, "t") + NumberField(3, 1) + NumberField(4, 1);
  const auto entry = [](const std::string& fields) { return BytesField(1, fields); };
  EXPECT_TRUE(StatusOf(entry(BytesField(1, key) + NumberField(3, 0)), "").ok());
  EXPECT_THAT(
      StatusOf(entry(BytesField(1, key) + NumberField(3, 0x7fffffff)), "").message(),
      HasSubstr("WAL entry 0: the header of the entry announces 2147483647 cells, and the cell block ends after 0"));
  EXPECT_THAT(StatusOf(entry(NumberField(3, 0)), "").message(), HasSubstr("names no table"));
  EXPECT_THAT(StatusOf(entry(BytesField(1, key) + BytesField(2, "inline")), "").message(), HasSubstr("outside"));
  EXPECT_THAT(StatusOf(entry(BytesField(1, BytesField(2, std::string(2000, 't')))), "").message(),
              HasSubstr("more than 1024 bytes"));
  EXPECT_FALSE(StatusOf("nonsense", "").ok());
}

TEST(WalBatch, KnowsTheClusterThatItComesFrom) {
  const std::string request = RequestBytes({Entry{}});
  Result<WalBatch> batch = WalBatch::Open(request, "");
  ASSERT_TRUE(batch.ok());
  WalEntry entry;
  ASSERT_TRUE(batch->Next(&entry));
  EXPECT_EQ(entry.source.Text(), "00000000-0000-0002-0000-000000000001");
  EXPECT_FALSE(batch->Next(&entry));
}

TEST(WalBatch, OfMillionsOfEmptyEntriesCostsNoMemory) {
  std::string request;
  for (int i = 0; i < 4'000'000; ++i) request.append("\x0a\x00", 2);
  const MemoryGrowth growth;
  EXPECT_THAT(StatusOf(request, "").message(), HasSubstr("names no table"));
  const std::string entry = BytesField(1, BytesField(1, BytesField(2, "t")));
  request.clear();
  for (int i = 0; i < 1'000'000; ++i) request += entry;
  EXPECT_TRUE(StatusOf(request, "").ok());
  EXPECT_LT(growth.Kilobytes(), 32 * 1024) << "protobuf's own messages would take some hundred MiB";
}

}  // namespace
}  // namespace fensi::capture
