#include "capture/publish/split.h"

#include <gtest/gtest.h>

#include "consumer/codec/event_codec.h"

namespace fensi::capture {
namespace {

ChangeEvent Event(size_t cells, size_t value_bytes) {
  ChangeEvent event{.table = "t", .row = "r", .sequence_id = 3, .region = "g", .write_time = 4};
  for (size_t i = 0; i < cells; ++i) {
    event.cells.push_back(
        {.family = "f", .qualifier = std::to_string(i), .timestamp = 1, .value = std::string(value_bytes, 'v')});
  }
  return event;
}

TEST(Split, LeavesASmallEventWhole) {
  const SplitResult split = SplitEvent(Event(3, 10), 10'000);
  ASSERT_EQ(split.messages.size(), 1u);
  EXPECT_EQ(split.messages[0], Event(3, 10));
}

TEST(Split, CutsIntoPartsThatFitAndHoldAllCellsInOrder) {
  const ChangeEvent whole = Event(100, 500);
  const SplitResult split = SplitEvent(whole, 5'000);
  ASSERT_GT(split.messages.size(), 10u);
  std::vector<Cell> cells;
  for (size_t i = 0; i < split.messages.size(); ++i) {
    const ChangeEvent& part = split.messages[i];
    EXPECT_LE(consumer::EncodeEvent(part).size() + part.row.size(), 5'000u);
    EXPECT_EQ(part.sequence_id, whole.sequence_id);
    EXPECT_EQ(part.region, whole.region);
    cells.insert(cells.end(), part.cells.begin(), part.cells.end());
  }
  EXPECT_EQ(cells, whole.cells);
}

TEST(Split, SetsACellAsideThatIsTooLargeAlone) {
  ChangeEvent event = Event(3, 10);
  event.cells[1].value.assign(20'000, 'v');
  const SplitResult split = SplitEvent(event, 10'000);
  ASSERT_EQ(split.too_large.size(), 1u);
  EXPECT_EQ(split.too_large[0].qualifier, "1");
  ASSERT_EQ(split.messages.size(), 1u);
  EXPECT_EQ(split.messages[0].cells.size(), 2u);
}

TEST(Split, BoundIsNeverBelowTheMessage) {
  ChangeEvent event{.table = std::string(200, 't'), .row = std::string(32'000, 'r'), .region = std::string(32, 'g')};
  event.sequence_id = UINT64_MAX;
  event.write_time = INT64_MAX;
  event.cells.push_back(
      {.family = std::string(127, 'f'), .qualifier = std::string(30'000, 'q'), .timestamp = INT64_MAX});
  event.cells[0].tags = {MakeTtlTag(1), {.type = 255, .value = std::string(300, 'x')}};
  std::string value;
  consumer::EventEncoder().Encode(event, {UINT32_MAX, UINT32_MAX}, &value);
  EXPECT_LE(value.size() + event.row.size(), MessageBound(event));
}

}  // namespace
}  // namespace fensi::capture
