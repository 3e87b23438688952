// The WAL entries of one ReplicateWALEntry call: keys from the request, cells from the cell block.
//
// Not thread-safe; views into the bytes it was opened with, which must outlive it. Nothing blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "capture/wal/cell_block.h"

namespace fensi::proto::hbase {
class ReplicateWALEntryRequest;
}

namespace fensi::capture {

/// One atomic batch of one region, as HBase logged it.
struct WalEntry {
  std::string_view region;  // encoded name
  std::string_view table;   // "namespace:table", or "table" in the default namespace
  uint64_t sequence_id = 0;
  int64_t write_time = 0;
  std::vector<WalCell> cells;
};

class WalBatch {
 public:
  /// kInvalidArgument when the request is none, an entry lacks its key, or counts do not fit the cell block's size.
  static Result<WalBatch> Open(std::string_view request, std::string_view cells);
  ~WalBatch();
  WalBatch(WalBatch&&) noexcept;

  /// How many entries there are in all.
  int entries() const;
  bool AtEnd() const { return next_ == entries(); }
  /// Fills `entry`. kInvalidArgument when the cell block is not what the keys promise.
  Status Next(WalEntry* entry);

 private:
  WalBatch(std::unique_ptr<proto::hbase::ReplicateWALEntryRequest> request, std::string_view cells);

  std::unique_ptr<proto::hbase::ReplicateWALEntryRequest> request_;
  CellBlockReader reader_;
  int next_ = 0;
};

}  // namespace fensi::capture
