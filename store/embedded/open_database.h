// Opens the RocksDB database of an EmbeddedStore. Blocks on the disk.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/status.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/status.h"
#include "store/embedded/write_ledger.h"

namespace fensi::store {

/// Options of an EmbeddedStore. In a header of its own, because the store's parts need it and the store needs them.
struct EmbeddedOptions {
  std::string directory;         // created if it is absent, unless read_only or existing
  bool in_memory = false;        // nothing is stored; directory is not used
  bool read_only = false;        // an absent directory is kNotFound, writes are kPermission
  bool existing = false;         // an absent directory is kNotFound
  Clock* clock = SystemClock();  // for expiry; must outlive the store
};

// Converts RocksDB's status to ours. Any thread, does not block.

/// `doing` completes "embedded store: …" for a person. A failing disk is kUnavailable, because it may recover; a full
/// disk is kInternal: nothing must be written until a person has made room.
inline Status FromRocksDb(const rocksdb::Status& status, std::string_view doing) {
  if (status.ok()) return Status();
  const std::string text = "embedded store: " + std::string(doing) + ": ";
  if (status.IsNoSpace()) {
    return Status(StatusCode::kInternal, text + "the disk is full (" + status.ToString() +
                                             "). Make room, and start again: no acknowledged write is lost");
  }
  const StatusCode code = status.IsNotSupported() ? StatusCode::kPermission  // write through a read-only opening
                          : status.IsCorruption() ? StatusCode::kInternal
                                                  : StatusCode::kUnavailable;
  const char* const remedy = code == StatusCode::kInternal      ? kRestoreStore
                             : code == StatusCode::kUnavailable ? kCheckDisk
                                                                : "";
  return Status(code, text + status.ToString() + remedy);
}

// Opens the RocksDB database of an EmbeddedStore. Blocks on the disk.

/// A database and the ledger of its writes. Any thread.
class Database {
 public:
  /// `ledger` is null for a database in memory or opened read-only.
  Database(std::unique_ptr<rocksdb::DB> rocks, std::shared_ptr<WriteLedger> ledger)
      : ledger_(std::move(ledger)), rocks_(std::move(rocks)) {}
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  rocksdb::DB* rocks() const { return rocks_.get(); }
  /// The only way to write; `doing` as for FromRocksDb. Logged and acknowledged on return.
  Status Write(rocksdb::WriteBatch* batch, const std::string& doing);

 private:
  const std::shared_ptr<WriteLedger> ledger_;
  std::unique_ptr<rocksdb::DB> rocks_;  // its threads use the ledger until they end
};

/// `memory` is the environment for in_memory, else null; it must outlive the database. kInternal: a file is damaged or
/// missing, and the message names it; nothing was changed. kConfiguration: the folder has other files.
Result<std::unique_ptr<Database>> OpenDatabase(const EmbeddedOptions& options, rocksdb::Env* memory);

}  // namespace fensi::store
