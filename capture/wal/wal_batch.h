// Reads the WAL entries of one ReplicateWALEntry call: keys from the request, cells from the cell block.
//
// Not thread-safe; views into the bytes of Open, which must outlive it. Never blocks, and allocates nothing for the
// lengths that the bytes claim.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/field_reader.h"
#include "base/status.h"

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
  ClusterUuid source;      // the cluster that sent it, the last of those that the edit passed
  std::string_view cells;  // its part of the cell block, checked: a hbase::CellBlockReader finds no error in it
  /// The cells of each row are surely together. HBase sorts a client's batch, but not the edits of a coprocessor such
  /// as MultiRowMutationEndpoint.
  bool rows_ascend = false;
};

class WalBatch {
 public:
  /// Reads everything once, so that nothing of a broken call is written. kInvalidArgument if the request is invalid, an
  /// entry lacks its key, or the cell block does not match the keys.
  static Result<WalBatch> Open(std::string_view request, std::string_view cells);

  /// Number of entries.
  int64_t entries() const { return entries_; }
  /// True if the region server reports bulk loads: it then sends its hbase.replication.cluster.id.
  bool reports_bulk_loads() const { return reports_bulk_loads_; }
  /// False after the last one.
  bool Next(WalEntry* entry);

 private:
  WalBatch(std::string_view request, std::string_view cells) : fields_(request), cells_(cells) {}
  Result<bool> Read(WalEntry* entry);

  FieldReader fields_;
  std::string_view cells_;  // of the entries that were not read yet
  int64_t entries_ = 0;
  int64_t read_ = 0;
  bool reports_bulk_loads_ = false;
};

}  // namespace fensi::capture
