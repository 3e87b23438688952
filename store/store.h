// Tables of cells: what fensi needs from HBase, and no more.
//
// Implementations: HBaseStore (Thrift2 gateway; the only place that includes Thrift), EmbeddedStore (RocksDB with
// HBase's cell semantics; the only place that includes RocksDB), RetryingStore (repeats what may be repeated).
// One suite of contract tests (tests/store) runs against all of them.
//
// Every method blocks, may be called from any thread, and is idempotent: every cell carries its timestamp, so a call
// whose outcome is unknown (kUnavailable) may be repeated as it was. Table names are "table" or "namespace:table".
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/cell.h"
#include "base/status.h"

namespace fensi::store {

/// HBase's limits, checked before anything is sent.
constexpr size_t kMaxRowBytes = 32767;                      // HConstants.MAX_ROW_LENGTH
constexpr size_t kMaxValueBytes = 10 * 1024 * 1024 - 1024;  // hbase.client.keyvalue.maxsize, less the key

/// What is written to one row. Cells that are written as entries may expire: a "TTL" tag (type 8, 8 bytes big-endian
/// milliseconds, counted from the cell's own timestamp) becomes the put's _ttl attribute; all cells of one RowMutation
/// then carry the same tag.
struct RowMutation {
  std::string row;
  std::vector<Cell> cells;
};

/// A row of a batch that the store will never take; `index` counts from 0 in the batch that was handed in.
struct RejectedRow {
  size_t index = 0;
  Status reason;  // kRejected, naming table, row and column
};

struct GetRequest {
  std::string row;
  /// Columns to read as (family, qualifier); no qualifier: the whole family, whatever else names columns of it. Empty:
  /// the whole row.
  struct Column {
    std::string family;
    std::optional<std::string> qualifier;
    bool operator==(const Column&) const = default;
  };
  std::vector<Column> columns;
  int32_t max_versions = 1;
  bool raw = false;  // also hidden cells and delete markers; columns must then be empty or whole families
};

/// Cells sorted by family, qualifier, newest first. An absent row has no cells.
struct Row {
  std::string row;
  std::vector<Cell> cells;
  bool operator==(const Row&) const = default;
};

struct ScanRequest {
  std::string start_row;  // inclusive; empty: the first
  std::string stop_row;   // exclusive; empty: to the end
  std::vector<GetRequest::Column> columns;
  int32_t max_versions = 1;
  bool raw = false;
  size_t max_rows = 1000;  // rows of one page
};

/// Bloom filters and compressions in HBase's names ("ROW", "GZ"); numbers as in the HBase shell.
struct FamilyDescriptor {
  std::string name;
  int32_t max_versions = 1;
  std::optional<int32_t> min_versions;
  std::optional<int32_t> ttl_seconds;  // absent: for ever
  std::string bloom_filter = "ROW";    // NONE, ROW, ROWCOL
  std::string compression = "NONE";    // NONE, GZ, SNAPPY, LZO, LZ4, ZSTD
  bool in_memory = false;
  bool block_cache = true;
  std::optional<int32_t> block_size;
  int32_t replication_scope = 0;
  /// Family-level configuration, for example hbase.hstore.time.to.purge.deletes (milliseconds).
  std::map<std::string, std::string> configuration;
  bool operator==(const FamilyDescriptor&) const = default;
};

struct TableDescriptor {
  std::string name;
  std::vector<FamilyDescriptor> families;  // sorted by name when read back
  /// Classes of the coprocessors that HBase runs on this table; told by DescribeTable, never set.
  std::vector<std::string> coprocessors;
};

/// What every call on a table answers that is not there.
inline Status NoSuchTable(const std::string& table) {
  return Status(StatusCode::kNotFound, "there is no table " + table);
}

class Store {
 public:
  virtual ~Store() = default;

  /// Writes cells of type kPut. Rows are atomic one by one; duplicates of a row apply in order (the later wins at equal
  /// timestamps). An error means that any subset may have been applied; rejected rows mean that all others were. A row
  /// is rejected only for what is wrong with itself: what keeps the table from taking it is an error, and kUnavailable
  /// when it may pass (read-only, a region too busy). A family that the table lacks is kConfiguration, here and in
  /// reads.
  virtual Result<std::vector<RejectedRow>> Put(const std::string& table, std::span<const RowMutation> rows) = 0;

  /// Writes delete markers (any of the four kinds, mixed as wanted) with explicit timestamps; as Put otherwise.
  virtual Result<std::vector<RejectedRow>> Delete(const std::string& table, std::span<const RowMutation> rows) = 0;

  /// Answer i belongs to request i.
  virtual Result<std::vector<Row>> Get(const std::string& table, std::span<const GetRequest> requests) = 0;

  /// One page of rows that have cells, in row order; fewer than max_rows rows: the end of the range was reached.
  /// The next page starts at the last row + "\0".
  virtual Result<std::vector<Row>> Scan(const std::string& table, const ScanRequest& request) = 0;

  /// Split keys may be empty (one region). kAlreadyExists when there is such a table.
  virtual Status CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) = 0;
  /// Absent when there is no such table.
  virtual Result<std::optional<TableDescriptor>> DescribeTable(const std::string& table) = 0;
  /// Start keys of the table's regions; the first is empty. kNotFound when there is no such table.
  virtual Result<std::vector<std::string>> RegionStarts(const std::string& table) = 0;
  /// Disables and drops; an absent table is kNotFound.
  virtual Status DropTable(const std::string& table) = 0;

  /// The same tables, but `permission` is asked right before each request is sent to a server and several times a
  /// second while an answer is waited for, and its error ends the call: who loses a right while requests wait sends no
  /// more of them, and who is asked to stop does not wait for a silent server. Called on any thread; cheap. Null:
  /// nothing waits inside a call, so that asking before it is as good. The view must not outlive the store.
  virtual std::unique_ptr<Store> Asking(std::function<Status()> /*permission*/) { return nullptr; }
};

/// kRejected with table, row and column when HBase would never take the mutation: row of 1..kMaxRowBytes bytes, at
/// least one cell, timestamps in 0..INT64_MAX-1, a family name, values up to kMaxValueBytes, kinds as the call wants.
Status CheckMutation(const std::string& table, const RowMutation& mutation, bool deletes);

}  // namespace fensi::store
