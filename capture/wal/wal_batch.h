// The WAL entries of one ReplicateWALEntry call: keys from the request, cells from the cell block.
//
// Not thread-safe; views into the bytes it was opened with, which must outlive it. Nothing blocks, and nothing is
// allocated for what the bytes claim.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "capture/wal/message_fields.h"

namespace fensi::capture {

/// The id of an HBase cluster (its znode `hbaseid`).
struct ClusterUuid {
  uint64_t most = 0, least = 0;
  bool operator==(const ClusterUuid&) const = default;
  bool known() const { return most != 0 || least != 0; }
  /// As java.util.UUID writes it: 8-4-4-4-12 hex digits.
  std::string Text() const;
};

/// One atomic batch of one region, as HBase logged it.
struct WalEntry {
  std::string_view region;  // encoded name
  std::string_view table;   // "namespace:table", or "table" in the default namespace
  uint64_t sequence_id = 0;
  int64_t write_time = 0;
  ClusterUuid source;      // the cluster that sent it, which stands last among those the edit went through
  std::string_view cells;  // its piece of the cell block, read once: a CellBlockReader finds no fault in it
  /// The cells of a row surely stand together. HBase sorts a client's batch, and not what a coprocessor such as
  /// MultiRowMutationEndpoint writes.
  bool rows_ascend = false;
};

class WalBatch {
 public:
  /// Reads everything once, so that nothing of a call is written that turns out to be broken further on.
  /// kInvalidArgument when the request is none, an entry lacks its key, or the cell block is not what the keys promise.
  static Result<WalBatch> Open(std::string_view request, std::string_view cells);

  /// How many entries there are in all.
  int64_t entries() const { return entries_; }
  /// False behind the last one.
  bool Next(WalEntry* entry);

 private:
  WalBatch(std::string_view request, std::string_view cells) : fields_(request), cells_(cells) {}
  Result<bool> Read(WalEntry* entry);

  MessageFields fields_;
  std::string_view cells_;  // those of the entries that were not read yet
  int64_t entries_ = 0;
  int64_t read_ = 0;
};

}  // namespace fensi::capture
