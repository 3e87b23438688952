// Tables of cells on RocksDB with HBase's cell semantics: the store of a first try, of tests, and of a single machine.
//
// Answers as an HBase that never flushed: markers are order-blind (a marker at T hides a put at T that arrives later,
// until a major compaction), of two puts at the same coordinates the later write wins, and with VERSIONS=1 an older put
// is uncovered when the newest version is deleted, until MajorCompact dropped it. Families with NEW_VERSION_BEHAVIOR or
// KEEP_DELETED_CELLS are not imitated. The byte format is in key_codec.h.
//
// Any thread; calls block on the disk only. One Put or Delete is one atomic, logged write: it survives the death of the
// process (kill -9) once the call returns, but there is no fsync: the last seconds may be lost with the machine. After
// a failed write nothing is written any more: records of RocksDB's log after a torn record would be lost. Open refuses
// a database that lacks an acknowledged write, names the file and changes nothing (write_ledger.h). Only an empty
// folder becomes a new store. Only the owner may read its files. MajorCompact, CompareAndPut and writes exclude each
// other. One process at a time opens a directory for writing; any number may open it read-only beside that process, and
// see the moment of their opening.
#pragma once

#include <rocksdb/env.h>

#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "store/embedded/catalog.h"
#include "store/embedded/open_database.h"
#include "store/store.h"

namespace fensi::store {

class EmbeddedStore final : public Store {
 public:
  /// kUnavailable if another process writes to the directory; else as OpenDatabase.
  static Result<std::unique_ptr<EmbeddedStore>> Open(const EmbeddedOptions& options);
  ~EmbeddedStore() override;

  // Tables.
  Status CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) override;
  Result<std::optional<TableDescriptor>> DescribeTable(const std::string& table) override;
  Result<std::vector<std::string>> TableNames() override;
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override;
  Result<std::optional<TableIdentity>> IdentityOf(const std::string& table) override;
  Status DropTable(const std::string& table) override;
  /// Does what HBase's major compaction does: drops hidden and expired puts, versions beyond the family's limit, and
  /// markers that are older than hbase.hstore.time.to.purge.deletes. Writes wait until it ends.
  Status MajorCompact(const std::string& table);

  // Writes and reads of their rows.
  Result<bool> CompareAndPut(const std::string& table, const ConditionalPut& change) override;
  Result<std::vector<RejectedRow>> Put(const std::string& table, std::span<const RowMutation> rows) override;
  Result<std::vector<RejectedRow>> Delete(const std::string& table, std::span<const RowMutation> rows) override;
  Result<std::vector<Row>> Scan(const std::string& table, const ScanRequest& request) override;
  Result<std::vector<Row>> Get(const std::string& table, std::span<const GetRequest> requests) override;
  Result<std::vector<Row>> GetSome(const std::string& table, std::span<const GetRequest> requests,
                                   size_t max_bytes) override;

 private:
  EmbeddedStore(std::unique_ptr<rocksdb::Env> memory, std::unique_ptr<Database> database, Clock* clock);
  /// Reads in this order, until the rows take `max_bytes`; returns how many were read.
  Result<size_t> Read(const std::string& table, std::span<const GetRequest> requests, std::span<const size_t> order,
                      size_t max_bytes, std::vector<Row>* rows);
  Result<std::vector<RejectedRow>> Write(const std::string& table, std::span<const RowMutation> rows, WriteKind kind);
  Status Commit(rocksdb::WriteBatch* batch, const std::string& doing);

  const std::unique_ptr<rocksdb::Env> memory_;  // in_memory only; destroyed after database_
  const std::unique_ptr<Database> database_;
  Clock* const clock_;
  Catalog catalog_;  // synchronises itself

  std::shared_mutex mu_;  // shared by writes; exclusive for CompareAndPut, MajorCompact and DropTable

  Mutex failure_mu_;
  Status failure_ ABSL_GUARDED_BY(failure_mu_);  // of the failed write, after which nothing is written
};

}  // namespace fensi::store
