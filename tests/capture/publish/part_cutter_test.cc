#include "capture/publish/part_cutter.h"

#include <gtest/gtest.h>

#include <optional>

#include "consumer/codec/event_codec.h"
#include "tests/capture/hbase_bytes.h"

namespace fensi::capture {
namespace {

/// One row of an entry, over bytes that live as long as it does.
struct OneRow {
  explicit OneRow(const std::vector<Cell>& cells, const std::string& name = "r") {
    for (const Cell& cell : cells) block += CellBytes(name, cell);
    entry = {.region = "g", .table = "t", .sequence_id = 3, .write_time = 4, .cells = block};
    rows.emplace(entry).Next(&row);
  }
  ChangeEvent Whole() const {
    ChangeEvent event;
    FillEvent(entry, row, &event);
    return event;
  }
  std::string block;
  WalEntry entry;
  std::optional<EntryRows> rows;
  RowCells row;
};

std::vector<Cell> Puts(size_t count, size_t value_bytes) {
  std::vector<Cell> cells;
  for (size_t i = 0; i < count; ++i) cells.push_back(Put(std::to_string(i), std::string(value_bytes, 'v')));
  return cells;
}

std::vector<ChangeEvent> PartsOf(const OneRow& row, size_t limit) {
  PartCutter cutter(row.entry, row.row, limit);
  std::vector<ChangeEvent> parts;
  for (ChangeEvent part; cutter.Next(&part);) parts.push_back(part);
  EXPECT_EQ(parts.size(), cutter.parts());
  return parts;
}

TEST(PartCutter, LeavesASmallMutationWhole) {
  const OneRow row(Puts(3, 10));
  EXPECT_EQ(PartsOf(row, 10'000), std::vector<ChangeEvent>{row.Whole()});
}

TEST(PartCutter, CutsIntoPartsThatFitAndHoldAllCellsInOrder) {
  const OneRow row(Puts(100, 500));
  const std::vector<ChangeEvent> parts = PartsOf(row, 5'000);
  ASSERT_GT(parts.size(), 10u);
  std::vector<Cell> cells;
  for (const ChangeEvent& part : parts) {
    EXPECT_LE(consumer::EncodeEvent(part).size() + part.row.size(), 5'000u);
    EXPECT_EQ(part.sequence_id, 3u);
    EXPECT_EQ(part.region, "g");
    cells.insert(cells.end(), part.cells.begin(), part.cells.end());
  }
  EXPECT_EQ(cells, row.Whole().cells);
}

TEST(PartCutter, CutsTinyCellsByTheirNumber) {
  const OneRow row(std::vector<Cell>(kMostCellsOfAMessage + 1, Put("", "")));
  const std::vector<ChangeEvent> parts = PartsOf(row, 99'000'000);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].cells.size(), kMostCellsOfAMessage);
  EXPECT_EQ(parts[1].cells.size(), 1u);
}

TEST(PartCutter, SetsACellAsideThatIsTooLargeAlone) {
  for (const size_t place : {0, 1, 2}) {
    std::vector<Cell> cells = Puts(3, 10);
    cells[place].value.assign(20'000, 'v');
    const OneRow row(cells);
    std::vector<std::string> too_large;
    PartCutter(row.entry, row.row, 10'000).ForEachTooLarge([&](const hbase::CellView& cell) {
      too_large.emplace_back(cell.qualifier);
    });
    EXPECT_EQ(too_large, std::vector<std::string>{std::to_string(place)});
    const std::vector<ChangeEvent> parts = PartsOf(row, 10'000);
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts[0].cells.size(), 2u);
  }
}

TEST(PartCutter, OfCellsThatAreAllTooLargeMakesNoPart) {
  EXPECT_TRUE(PartsOf(OneRow(Puts(2, 20'000)), 10'000).empty());
}

TEST(PartCutter, BoundIsNeverBelowTheMessage) {
  Cell cell{.family = std::string(127, 'f'), .qualifier = std::string(30'000, 'q'), .timestamp = INT64_MAX};
  cell.tags = {MakeTtlTag(1), {.type = 255, .value = std::string(300, 'x')}, {.type = 9, .value = ""}};
  OneRow row({cell, Put("", "")}, std::string(32'000, 'r'));
  const std::string table(200, 't');
  row.entry.table = table;
  row.entry.sequence_id = UINT64_MAX;
  row.entry.write_time = INT64_MAX;
  std::string value;
  consumer::EventEncoder().Encode(row.Whole(), {UINT32_MAX, UINT32_MAX}, &value);
  EXPECT_LE(value.size() + row.row.row.size(), MessageBound(row.entry, row.row));
}

}  // namespace
}  // namespace fensi::capture
