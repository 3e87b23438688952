// Inspects the folder of an embedded store before it is opened, and sets its access rights. Blocks on the disk.
#pragma once

#include <rocksdb/env.h>
#include <rocksdb/wal_filter.h>

#include <cstdarg>
#include <map>
#include <optional>
#include <string>

#include "base/status.h"
#include "store/embedded/write_ledger.h"

namespace fensi::store {

enum class FolderContent {
  kNothing,   // or the rest of a process that died before its database was created
  kDatabase,  // CURRENT exists
};

/// kInternal: CURRENT is missing beside other files of a database. kConfiguration: files that are not of a database.
/// kPermission: the folder cannot be read.
Result<FolderContent> LookIntoFolder(const std::string& directory);

/// Creates the folder readable by its owner only; an existing folder stays as it is.
Status MakeFolder(const std::string& directory);

/// Removes the rights of other users from files of an older fensi. kPermission: that is not allowed.
Status HideFiles(const std::string& directory);

// Checks what RocksDB finds in its logs while it opens a database, and whether every acknowledged write is in them.
//
// RocksDB calls both classes on the thread that opens the database. One opening each.

/// Extracts from RocksDB's own log the log file that RocksDB could not read. RocksDB's own log writer would end the
/// process when the disk is full, and RocksDB's statuses do not name the file.
class RecoveryLog final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char* format, va_list arguments) override;
  /// "000007.log"; empty: none.
  const std::string& damaged() const { return damaged_; }

 private:
  std::string damaged_;
};

class LogCheck final : public rocksdb::WalFilter {
 public:
  const char* Name() const override { return "fensi.log_check"; }
  void ColumnFamilyLogNumberMap(const std::map<uint32_t, uint64_t>& logs,
                                const std::map<std::string, uint32_t>& families) override;
  WalProcessingOption LogRecordFound(unsigned long long log, const std::string& path, const rocksdb::WriteBatch& batch,
                                     rocksdb::WriteBatch* changed, bool* is_changed) override;

  /// Call after the opening. `known` absent: only gaps are found. `last`: the database's last sequence number.
  /// kInternal names the log that lacks acknowledged writes.
  Status Outcome(const std::string& directory, const std::optional<Acknowledged>& known, uint64_t last) const;

 private:
  uint64_t wanted_log_ = 0;  // oldest log that the manifest needs
  bool any_ = false;
  uint64_t first_log_ = 0, first_ = 0;
  uint64_t last_log_ = 0, next_ = 0;
  bool gap_ = false;
  uint64_t before_gap_ = 0, after_gap_ = 0;  // numbers of logs
  uint64_t missing_ = 0;
};

}  // namespace fensi::store
