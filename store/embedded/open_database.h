// Opens the RocksDB database of an EmbeddedStore. Blocks on the disk.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/env.h>

#include <memory>
#include <string>

#include "store/embedded/embedded_options.h"
#include "store/embedded/write_ledger.h"

namespace fensi::store {

/// A database and the ledger of its writes. Any thread.
class Database {
 public:
  /// `ledger` is null for a database in memory or that is only read.
  Database(std::unique_ptr<rocksdb::DB> rocks, std::shared_ptr<WriteLedger> ledger)
      : ledger_(std::move(ledger)), rocks_(std::move(rocks)) {}
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  rocksdb::DB* rocks() const { return rocks_.get(); }
  /// The only way to write; `doing` as FromRocksDb has it. Logged and acknowledged when it returns.
  Status Write(rocksdb::WriteBatch* batch, const std::string& doing);

 private:
  const std::shared_ptr<WriteLedger> ledger_;
  std::unique_ptr<rocksdb::DB> rocks_;  // its threads tell the ledger until they end
};

/// `memory` is the environment for in_memory, else null; it must outlive the database. kInternal: a file is damaged or
/// missing, and the message names it; nothing was changed. kConfiguration: the folder has other files.
Result<std::unique_ptr<Database>> OpenDatabase(const EmbeddedOptions& options, rocksdb::Env* memory);

}  // namespace fensi::store
