// A request and its cell block, from bytes to events. The first two bytes say where the cell block begins.
#include <cstdint>
#include <string_view>
#include <vector>

#include "capture/publish/split.h"
#include "capture/wal/entry_events.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace fensi::capture;  // NOLINT: this file is nothing else
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  WalCell cell;
  for (CellBlockReader reader(bytes); !reader.AtEnd() && reader.Next(&cell).ok();) (void)ParseTags(cell.tags);
  if (size < 2) return 0;
  const size_t cut = (static_cast<size_t>(data[0]) << 8 | data[1]) % (size - 1);
  bytes.remove_prefix(2);
  fensi::Result<WalBatch> batch = WalBatch::Open(bytes.substr(0, cut), bytes.substr(cut));
  if (!batch.ok()) return 0;
  WalEntry entry;
  std::vector<fensi::ChangeEvent> events;
  while (!batch->AtEnd() && batch->Next(&entry).ok()) {
    for (const WalCell& each : entry.cells) (void)BulkLoadOf(each);
    const size_t count = MakeEvents(entry, &events);
    for (size_t i = 0; i < count; ++i) (void)SplitEvent(events[i], 1000);
  }
  return 0;
}
