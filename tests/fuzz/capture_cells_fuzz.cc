// A request and its cell block, from bytes to events. The first two bytes say where the cell block begins.
#include <cstdint>
#include <string_view>

#include "capture/publish/part_cutter.h"
#include "capture/wal/entry_rows.h"
#include "hbase/wire/cell_block.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using fensi::ChangeEvent;
  using namespace fensi::capture;  // NOLINT: this file is nothing else
  namespace hbase = fensi::hbase;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  hbase::CellView cell;
  for (hbase::CellBlockReader reader(bytes); !reader.AtEnd() && reader.Next(&cell).ok();)
    (void)hbase::ParseTags(cell.tags);
  if (size < 2) return 0;
  const size_t cut = (static_cast<size_t>(data[0]) << 8 | data[1]) % (size - 1);
  bytes.remove_prefix(2);
  fensi::Result<WalBatch> batch = WalBatch::Open(bytes.substr(0, cut), bytes.substr(cut));
  if (!batch.ok()) return 0;
  for (WalEntry entry; batch->Next(&entry);) {
    EntryRows rows(entry);
    ChangeEvent event;
    for (RowCells row; rows.Next(&row);) {
      FillEvent(entry, row, &event);
      PartCutter cutter(entry, row, 1000);
      while (cutter.Next(&event)) {
      }
      RowReader reader(row);
      while (reader.Next(&cell)) (void)BulkLoadOf(cell);
    }
  }
  return 0;
}
