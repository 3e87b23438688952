#include "capture/publish/split.h"

namespace fensi::capture {
namespace {

// Tags and lengths of protobuf around numbers and byte strings, and Kafka's record around the message.
constexpr size_t kCellOverhead = 48;
constexpr size_t kTagOverhead = 24;
constexpr size_t kEventOverhead = 256;

size_t CellBound(const Cell& cell) {
  size_t bytes = kCellOverhead + cell.family.size() + cell.qualifier.size() + cell.value.size();
  for (const Tag& tag : cell.tags) bytes += kTagOverhead + tag.value.size();
  return bytes;
}

/// The row counts twice: it is the key, too.
size_t HeadBound(const ChangeEvent& event) {
  return kEventOverhead + event.table.size() + 2 * event.row.size() + event.region.size();
}

ChangeEvent HeadOf(const ChangeEvent& event) {
  ChangeEvent head;
  head.table = event.table;
  head.row = event.row;
  head.sequence_id = event.sequence_id;
  head.region = event.region;
  head.write_time = event.write_time;
  return head;
}

}  // namespace

size_t MessageBound(const ChangeEvent& event) {
  size_t bytes = HeadBound(event);
  for (const Cell& cell : event.cells) bytes += CellBound(cell);
  return bytes;
}

SplitResult SplitEvent(ChangeEvent event, size_t limit) {
  SplitResult result;
  const size_t head = HeadBound(event);
  size_t used = limit;  // of the message in hand: none yet
  for (Cell& cell : event.cells) {
    const size_t bytes = CellBound(cell);
    if (head + bytes > limit) {
      result.too_large.push_back(std::move(cell));
      continue;
    }
    if (used + bytes > limit) {
      result.messages.push_back(HeadOf(event));
      used = head;
    }
    result.messages.back().cells.push_back(std::move(cell));
    used += bytes;
  }
  return result;
}

}  // namespace fensi::capture
