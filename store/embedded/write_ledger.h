// The file ACKNOWLEDGED beside a RocksDB database: the last acknowledged write, and the files that hold the writes.
//
// RocksDB's log has no end mark. A log that was cut, zeroed or removed, or whose record has a wrong length, reads like
// the log of a killed process. The ledger distinguishes the two: an acknowledged write has a sequence number, and the
// database that is opened again must reach that number without a gap.
//
// Each change is one write of 64 bytes, so the file survives the death of the process (kill -9) whole. There is no
// fsync. Any thread; calls block on the disk only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "base/status.h"

namespace fensi::store {

/// Numbers of writes are RocksDB's sequence numbers; numbers of files are those in their names.
struct Acknowledged {
  uint64_t written = 0;  // the last acknowledged write
  uint64_t flushed = 0;  // all writes up to this one are in table files
  uint64_t log = 0;      // log that begins with the write after `flushed`
  uint64_t manifest = 0;
  uint64_t manifest_bytes = 0;  // this many bytes of the manifest have `manifest_hash`; only grows
  uint64_t manifest_hash = 0;
};

/// DIRECTORY/MANIFEST-000005 and DIRECTORY/000007.log.
std::string ManifestPath(const std::string& directory, uint64_t number);
std::string LogPath(const std::string& directory, uint64_t number);

/// Ends the message about a damaged store.
inline constexpr char kRestoreStore[] =
    ". Restore the directory from a copy. Without a copy, build its indexes again in an empty directory "
    "(--store=embedded:DIR)";
/// Ends the message about a file or directory that the system cannot read or write.
inline constexpr char kCheckDisk[] = ". Check the disk, and the rights of this user on the directory of the store";

/// An error that names the file and the two remedies.
Status DamagedFile(const std::string& path, const std::string& what);

/// The number of the manifest that DIRECTORY/CURRENT names. kInternal: CURRENT has another form, or that manifest is
/// missing.
Result<uint64_t> CurrentManifest(const std::string& directory);

/// Absent: the last process was of a version without a ledger. kInternal: the file is damaged.
Result<std::optional<Acknowledged>> ReadLedger(const std::string& directory);

/// kInternal: the manifest differs from the one in the ledger.
Status CheckManifest(const std::string& directory, const Acknowledged& known);

class WriteLedger {
 public:
  explicit WriteLedger(std::string directory) : directory_(std::move(directory)) {}
  ~WriteLedger();
  WriteLedger(const WriteLedger&) = delete;
  WriteLedger& operator=(const WriteLedger&) = delete;

  /// Call after the database is open, before its first write: everything is in table files.
  Status Begin(uint64_t written, uint64_t log);
  /// Call before the write is acknowledged. An error is final: the write must not be acknowledged.
  Status NoteWritten(uint64_t written);
  /// Called on RocksDB's threads after a flush; the next NoteWritten returns an error. Does nothing before Begin.
  void NoteFlushed(uint64_t flushed, uint64_t log);
  /// As NoteFlushed, after any other change of the list of files.
  void NoteManifest();

 private:
  Status ReadManifest() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status Save() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const std::string directory_;
  Mutex mu_;
  int fd_ ABSL_GUARDED_BY(mu_) = -1;
  Acknowledged known_ ABSL_GUARDED_BY(mu_);
  Status failure_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::store
