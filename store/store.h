// Tables of cells: the part of HBase that fensi needs.
//
// Implementations: HBaseStore (Thrift2 gateway; the only place that includes Thrift), EmbeddedStore (RocksDB with
// HBase's cell semantics; the only place that includes RocksDB), RetryingStore (repeats what may be repeated). Wrappers
// derive from ForwardingStore; RoutingStore has two stores behind it. One suite of contract tests
// (tests/store/contract) runs against the first two.
//
// Every method blocks, may be called from any thread, and all but CompareAndPut are idempotent: every cell carries its
// timestamp, so a call whose outcome is unknown (kUnavailable) may be repeated unchanged. Table names are "table" or
// "namespace:table".
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/cell.h"
#include "base/hbase_limits.h"
#include "base/histogram.h"
#include "base/shown_text.h"
#include "base/status.h"

namespace fensi::store {

using fensi::kMaxRowBytes;  // checked before anything is sent
using fensi::kMaxValueBytes;

enum class WriteKind { kPut, kDelete };

/// A mutation of one row. Cells that are written as entries may expire: a "TTL" tag (type 8, 8 bytes big-endian
/// milliseconds, counted from the cell's own timestamp) becomes the put's _ttl attribute; all cells of one RowMutation
/// then have the same tag.
struct RowMutation {
  std::string row;
  std::vector<Cell> cells;
};

/// A put that is done only if one cell of its row is as expected.
struct ConditionalPut {
  RowMutation put;  // as for Store::Put
  std::string family;
  std::string qualifier;
  /// The newest visible value of that column; empty: it has none (for HBase an empty value is none).
  std::string expected;
};

/// A row of a batch that the store will never accept; `index` counts from 0 in the batch.
struct RejectedRow {
  size_t index = 0;
  Status reason;  // kRejected, naming table, row and column
};

struct GetRequest {
  std::string row;
  /// Columns to read as (family, qualifier); no qualifier: the whole family, even if columns of it are named. Empty:
  /// the whole row.
  struct Column {
    std::string family;
    std::optional<std::string> qualifier;
    bool operator==(const Column&) const = default;
  };
  std::vector<Column> columns;
  int32_t max_versions = 1;
  bool raw = false;  // also hidden puts, and every delete marker; columns must then be empty or whole families
  /// Asks for the read point of the row's region, read before the row. Stores that know none leave it out.
  bool read_point = false;
};

/// Cells sorted by family, qualifier, newest first. An absent row has no cells.
struct Row {
  std::string row;
  std::vector<Cell> cells;
  bool goes_on = false;  // the page of a scan with max_cells ended here, perhaps before the end of the row
  std::shared_ptr<const ReadPoint> read_point = nullptr;  // if it was asked for; null: the store knows none
  bool operator==(const Row&) const = default;
};

/// Approximate memory of the row.
size_t HeldBytes(const Row& row);
/// The value of the first cell with this qualifier; empty: there is none.
std::string ValueOf(const Row& row, std::string_view qualifier);

struct ColumnPlace {
  std::string family;
  std::string qualifier;
  bool operator==(const ColumnPlace&) const = default;
};

struct ScanRequest {
  std::string start_row;              // inclusive; empty: the first
  std::string stop_row;               // exclusive; empty: the end
  std::optional<ColumnPlace> behind;  // only the columns of start_row after this one
  std::vector<GetRequest::Column> columns;
  int32_t max_versions = 1;
  /// As in GetRequest, but columns may be named: their families' markers are included.
  bool raw = false;
  bool keys_only = false;  // cells without values
  /// Only cells with timestamps in [from, to).
  struct Times {
    int64_t from = 0;
    int64_t to = std::numeric_limits<int64_t>::max();
  };
  Times times;
  size_t max_rows = 1000;  // rows of one page
  /// Cells of one page, and at most those of one column more: a row with more comes in pieces, a column never.
  size_t max_cells = SIZE_MAX;
};

/// Moves the request past the page that was returned; false: that was the end.
bool ToNextPage(const std::vector<Row>& page, ScanRequest* request);

/// HBase's own values for a family without them.
constexpr int32_t kDefaultMinVersions = 0, kDefaultBlockSize = 65536;

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
  /// Classes of the coprocessors that HBase runs on this table; returned by DescribeTable, never set.
  std::vector<std::string> coprocessors;
};

/// Distinguishes a table from another one that had its name before. Enabling a table changes only the first number,
/// splits and merges of regions only the second. Creation, truncation and the clone of a snapshot change both.
struct TableIdentity {
  int64_t enabled_at = 0;    // milliseconds since the epoch, by HBase's master
  int64_t first_region = 0;  // lowest id of the table's regions
  bool operator==(const TableIdentity&) const = default;
};

/// The error of every call on a missing table.
inline Status NoSuchTable(const std::string& table) { return Status(StatusCode::kNotFound, NoSuchTableText(table)); }

/// Keys and values of a region, without compression, as its servers reported last.
struct RegionSize {
  std::string start;     // first row
  int64_t bytes = 0;     // in files and in memory
  int64_t rounding = 0;  // the true size may be larger by this much
};

/// The rows of a region.
struct RegionBounds {
  std::string name;   // encoded, as in change events; empty: the store knows none
  std::string start;  // inclusive; empty: the first row
  std::string stop;   // exclusive; empty: the end
};

/// The calls of this store to one server.
struct ServerCalls {
  std::string address;  // "HOST:PORT"
  int64_t calls = 0;    // that were sent
  int64_t unanswered = 0;
  int64_t retries = 0;
  int64_t in_flight = 0;
  int64_t waiting = 0;                    // until the server answers another one
  std::map<std::string, int64_t> errors;  // by the class of its exception
  Histogram::Snapshot seconds;            // of those that were answered
  std::string trouble;                    // why the last call had no answer, if that was recently
};

/// What a cluster says of itself, and how it looks from here.
struct ClusterFacts {
  std::string version;  // "2.6.1"
  std::string id;
  size_t region_servers = 0;
  std::vector<std::string> unreachable;  // of the region servers: address and reason; a few
  std::vector<std::string> clocks;       // those that differ from ours: address and by how much; a few
};

class Store {
 public:
  virtual ~Store() = default;

  /// Writes cells of type kPut. Rows are atomic one by one; duplicates of a row apply in order (the later wins at equal
  /// timestamps). An error means that any subset may have been applied; rejected rows mean that all others were. A row
  /// is rejected only for an error of its own: an error of the table is returned as an error, and kUnavailable if it
  /// may pass (read-only, a region too busy). A family that the table lacks is kConfiguration, here and in reads.
  virtual Result<std::vector<RejectedRow>> Put(const std::string& table, std::span<const RowMutation> rows) = 0;

  /// Writes delete markers (any of the four kinds, mixed freely) with explicit timestamps; as Put otherwise.
  virtual Result<std::vector<RejectedRow>> Delete(const std::string& table, std::span<const RowMutation> rows) = 0;

  /// True: the column was as expected, and the cells were written before anybody else could change the row. False: it
  /// was not, and nothing is written. kRejected: the store will never accept the put, because of its own cells. An
  /// error of the table is kUnavailable if it may pass.
  ///
  /// The one call that must not be repeated blindly, and that no store repeats: after kUnavailable it is unknown
  /// whether it was done, or will be by a server that still has it. Nor is false a proof if a gateway repeats calls by
  /// itself: the second attempt finds what the first one wrote. A caller that must know puts a unique value, and reads
  /// it.
  virtual Result<bool> CompareAndPut(const std::string& table, const ConditionalPut& change) = 0;

  /// Answer i belongs to request i.
  virtual Result<std::vector<Row>> Get(const std::string& table, std::span<const GetRequest> requests) = 0;

  /// Get for rows of unknown sizes: the first of the answers, at least one, until they take `max_bytes` (HeldBytes).
  /// Above that a store holds one row more, and one answer per connection. Unless overridden, for stores that have
  /// everything in memory: all of them.
  virtual Result<std::vector<Row>> GetSome(const std::string& table, std::span<const GetRequest> requests,
                                           size_t /*max_bytes*/) {
    return Get(table, requests);
  }

  /// Reads one page of rows that have cells, in row order. Fewer than max_rows rows, of which the last does not go on:
  /// the end of the range was reached. ToNextPage moves to the next page. A row in pieces, or one that is too wide for
  /// one answer, is not read at one moment.
  virtual Result<std::vector<Row>> Scan(const std::string& table, const ScanRequest& request) = 0;

  /// Split keys may be empty (one region). kAlreadyExists if the table exists.
  virtual Status CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) = 0;
  /// Absent if the table does not exist.
  virtual Result<std::optional<TableDescriptor>> DescribeTable(const std::string& table) = 0;
  /// True if changes of a family go to replication peers as its replication_scope says. Unless overridden, for stores
  /// without replication: false.
  virtual bool HasReplication() const { return false; }
  /// URL of another store that has this table, while the rest is in this one; empty: none.
  virtual std::string OtherPlaceOf(const std::string& /*table*/) const { return ""; }
  /// All tables except those of the store itself (hbase:meta and the like), sorted.
  virtual Result<std::vector<std::string>> TableNames() = 0;
  /// Start keys of the table's regions; the first is empty. kNotFound if the table does not exist.
  virtual Result<std::vector<std::string>> RegionStarts(const std::string& table) = 0;
  /// The table's regions in order. kNotFound if the table does not exist. Unless overridden: without names.
  virtual Result<std::vector<RegionBounds>> Regions(const std::string& table);
  /// Sizes of the table's regions, by their starts. Unless overridden, for stores that do not know them: absent.
  virtual Result<std::optional<std::vector<RegionSize>>> RegionSizes(const std::string& /*table*/) {
    return std::optional<std::vector<RegionSize>>();
  }
  /// Absent: this store cannot tell. kNotFound: the table does not exist. kUnavailable: the table is disabled, or
  /// changing at this moment. kPermission: the user may not read hbase:meta.
  virtual Result<std::optional<TableIdentity>> IdentityOf(const std::string& /*table*/) {
    return std::optional<TableIdentity>();
  }
  /// Checks by calls on this table, which change nothing, whether a server can do everything that this interface
  /// requires: kConfiguration names what it cannot. Unless overridden, for stores without a server: ok.
  virtual Status CheckServer(const std::string& /*table*/) { return Status(); }
  /// Unless overridden, for stores that do not see a cluster: absent. Connects to each region server.
  virtual Result<std::optional<ClusterFacts>> DescribeCluster() { return std::optional<ClusterFacts>(); }
  /// Disables and drops the table; an absent table is kNotFound.
  virtual Status DropTable(const std::string& table) = 0;

  /// A view of the same tables that calls `permission` right before each request is sent to a server and several times
  /// a second while an answer is pending; its error ends the call. So a caller that loses a right while requests wait
  /// sends no more of them, and a stop does not wait for a silent server. Called on any thread; cheap. Never null; here
  /// it is called before each call, which is as good if nothing waits inside a call. The view must not outlive the
  /// store.
  virtual std::unique_ptr<Store> Guarded(std::function<Status()> permission);

  /// Of the servers that hold the tables, those that were called, by address. Unless overridden, for stores that do not
  /// know their servers: none. Never blocks on a server.
  virtual std::vector<ServerCalls> Servers() const { return {}; }
};

// One row of a table, however many cells it has.

/// A scan of one row.
ScanRequest RowRequest(const std::string& row);
/// Rows that begin with `prefix` (empty: all).
ScanRequest PrefixRequest(const std::string& prefix);

/// Calls `use` with each cell and marker that a raw read returns in these columns of one row, without values. Blocks on
/// the store.
Status ForEachRawCell(Store* store, const std::string& table, const std::string& row,
                      std::vector<GetRequest::Column> columns, const std::function<void(const Cell&)>& use);

}  // namespace fensi::store
