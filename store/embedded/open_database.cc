#include "store/embedded/open_database.h"

#include <fcntl.h>
#include <rocksdb/cache.h>
#include <rocksdb/file_system.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/listener.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/table.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "store/embedded/key_codec.h"
#include "store/embedded/store_folder.h"

namespace fensi::store {
namespace {

/// Whatever the tables hold, no more memory than this and the memtables: filters and indexes of blocks are in the
/// cache, too, in pieces, of which those that are read stay.
rocksdb::BlockBasedTableOptions BlockOptions() {
  constexpr size_t kBlockCacheBytes = 64 << 20;
  constexpr double kBitsPerRow = 10;
  rocksdb::BlockBasedTableOptions blocks;
  blocks.block_cache = rocksdb::NewLRUCache(kBlockCacheBytes);
  blocks.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kBitsPerRow));
  blocks.whole_key_filtering = false;
  blocks.cache_index_and_filter_blocks = true;
  blocks.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  blocks.partition_filters = true;
  return blocks;
}

/// Small memtables, since rows come in any order: what fits into the processor's cache is searched so much quicker that
/// merging more files costs less. (Insertion with hints would be quicker still, but RocksDB 7.8 takes one list's hint
/// for the other when a range is deleted, as where a table is dropped.)
void SetMemtables(rocksdb::Options* options) {
  constexpr size_t kMemtableBytes = 16 << 20;
  options->write_buffer_size = kMemtableBytes;
  options->max_bytes_for_level_base =
      kMemtableBytes * static_cast<uint64_t>(options->level0_file_num_compaction_trigger);
  options->memtable_prefix_bloom_size_ratio = 0.05;
}

/// Makes each file for the eyes of its owner, whatever the umask and the folder, before RocksDB opens it.
class HiddenFiles final : public rocksdb::FileSystemWrapper {
 public:
  HiddenFiles() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "fensi.hidden_files"; }
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override {
    Make(path);
    return target()->NewWritableFile(path, options, file, debug);
  }
  rocksdb::IOStatus ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                       std::unique_ptr<rocksdb::FSWritableFile>* file,
                                       rocksdb::IODebugContext* debug) override {
    Make(path);
    return target()->ReopenWritableFile(path, options, file, debug);
  }

 private:
  /// RocksDB reports the errors, too.
  static void Make(const std::string& path) {
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0) close(fd);
  }
};

rocksdb::Env* HidingEnv() {
  static rocksdb::Env* const env = rocksdb::NewCompositeEnv(std::make_shared<HiddenFiles>()).release();
  return env;
}

/// Tells the ledger which files hold what; RocksDB calls it on its own threads, without its locks.
class FileWatch final : public rocksdb::EventListener {
 public:
  explicit FileWatch(std::shared_ptr<WriteLedger> ledger) : ledger_(std::move(ledger)) {}
  void OnFlushCompleted(rocksdb::DB* database, const rocksdb::FlushJobInfo& flush) override {
    uint64_t log = 0;
    if (!database->GetIntProperty(rocksdb::DB::Properties::kMinLogNumberToKeep, &log)) return ledger_->NoteManifest();
    ledger_->NoteFlushed(flush.largest_seqno, log);
  }
  void OnCompactionCompleted(rocksdb::DB*, const rocksdb::CompactionJobInfo&) override { ledger_->NoteManifest(); }

 private:
  const std::shared_ptr<WriteLedger> ledger_;
};

/// The recovery mode refuses a record that is damaged, and takes one that is incomplete for the last one of a process
/// that was killed: kAbsoluteConsistency would refuse that, too. It also takes a wrong length or zeroes for the end;
/// LogCheck finds these. RocksDB tracks only logs that were synced (track_and_verify_wals_in_manifest), and ours never
/// are.
rocksdb::Options DatabaseOptions(rocksdb::Env* memory) {
  rocksdb::Options options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(BlockOptions()));
  options.prefix_extractor.reset(NewRowPrefixTransform());
  SetMemtables(&options);
  options.paranoid_checks = true;
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  options.info_log = std::make_shared<RecoveryLog>();
  if (memory != nullptr) options.env = memory;
  return options;
}

/// The table file by which a database cannot be opened, which RocksDB rarely names. Empty: none.
std::string DamagedTable(const std::string& directory) {
  std::error_code fault;
  for (std::filesystem::directory_iterator file(directory, fault), end; !fault && file != end; file.increment(fault)) {
    if (file->path().extension() != ".sst") continue;
    rocksdb::SstFileReader reader(DatabaseOptions(nullptr));
    if (!reader.Open(file->path()).ok()) return file->path();
  }
  return "";
}

/// The file in RocksDB's error about a missing table file: RocksDB tries the name of old versions last.
std::string MissingTable(const std::string& text) {
  const size_t end = text.find(".ldb");
  const size_t begin = end == std::string::npos ? end : text.rfind('/', end);
  return begin == std::string::npos ? "" : text.substr(begin, end - begin) + ".sst";
}

/// A damaged or missing file that is no log.
Status FileFault(const std::string& text, const std::string& directory) {
  FENSI_ASSIGN_OR_RETURN(const uint64_t manifest, CurrentManifest(directory));
  const std::string list = ManifestPath(directory, manifest);
  const std::string missing = MissingTable(text);
  if (!missing.empty()) return DamagedFile(directory + missing, "is missing, or " + list + " is damaged");
  const std::string damaged = DamagedTable(directory);
  if (!damaged.empty()) return DamagedFile(damaged, "is damaged (" + text + ")");
  return DamagedFile(list, "or a file that it names is damaged (" + text + ")");
}

Status OpenFault(const rocksdb::Status& status, const std::string& directory, const std::string& damaged_log) {
  const std::string text = status.ToString();
  const auto says = [&](const char* words) { return text.find(words) != std::string::npos; };
  if (status.IsIOError() && (says("While lock file") || says("lock hold by current process"))) {
    return Status(StatusCode::kUnavailable,
                  "embedded store " + directory +
                      ": another process writes to it. Stop that process, or use a command that only reads, such as "
                      "'fensi lookup'");
  }
  const Status fault = FromRocksDb(status, "opening " + directory);
  if (says(std::strerror(EACCES))) return Status(StatusCode::kPermission, fault.message());
  if (!damaged_log.empty()) return DamagedFile(directory + "/" + damaged_log, "is damaged (" + text + ")");
  const bool missing = status.IsPathNotFound() || says(std::strerror(ENOENT));
  return status.IsCorruption() || missing ? FileFault(text, directory) : fault;
}

Status NoStore(const std::string& directory) {
  return Status(StatusCode::kNotFound, "there is no embedded store in " + directory +
                                           ". Check --store. To make the store: fensi create MAPPING --store "
                                           "embedded:" +
                                           directory + " --execute");
}

/// Opens the database to read, and finds out whether all that was acknowledged is in it. Changes nothing.
Result<std::unique_ptr<rocksdb::DB>> OpenChecked(const std::string& directory) {
  FENSI_ASSIGN_OR_RETURN(const FolderContent content, LookIntoFolder(directory));
  if (content == FolderContent::kNothing) return NoStore(directory);
  FENSI_ASSIGN_OR_RETURN(const std::optional<Acknowledged> known, ReadLedger(directory));
  FENSI_RETURN_IF_ERROR(CurrentManifest(directory).status());
  if (known) FENSI_RETURN_IF_ERROR(CheckManifest(directory, *known));
  LogCheck check;
  auto log = std::make_shared<RecoveryLog>();
  rocksdb::Options options = DatabaseOptions(nullptr);
  options.info_log = log;
  options.wal_filter = &check;
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status = rocksdb::DB::OpenForReadOnly(options, directory, &opened);
  if (!status.ok()) return OpenFault(status, directory, log->damaged());
  std::unique_ptr<rocksdb::DB> database(opened);
  FENSI_RETURN_IF_ERROR(check.Outcome(directory, known, database->GetLatestSequenceNumber()));
  return database;
}

/// Opens beside a process that writes.
Result<std::unique_ptr<Database>> OpenToRead(const std::string& directory) {
  // The writing process may replace files between our reading of the list and of the files: look again.
  constexpr int kAttempts = 10;
  Result<std::unique_ptr<rocksdb::DB>> database = OpenChecked(directory);
  for (int i = 1; i < kAttempts && !database.ok() && database.status().code() != StatusCode::kNotFound; ++i) {
    database = OpenChecked(directory);
  }
  FENSI_RETURN_IF_ERROR(database.status());
  return std::make_unique<Database>(std::move(*database), nullptr);
}

/// Call before anything is changed: RocksDB deletes files that a damaged list does not name.
Status CheckAlone(const std::string& directory) {
  rocksdb::Env* const env = rocksdb::Env::Default();
  rocksdb::FileLock* lock = nullptr;
  const rocksdb::Status locked = env->LockFile(directory + "/LOCK", &lock);
  if (!locked.ok()) return OpenFault(locked, directory, "");
  const Status outcome = OpenChecked(directory).status();
  env->UnlockFile(lock).PermitUncheckedError();
  return outcome;
}

Result<std::unique_ptr<Database>> OpenInMemory(rocksdb::Env* memory) {
  rocksdb::Options options = DatabaseOptions(memory);
  options.create_if_missing = true;
  rocksdb::DB* database = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(options, "/embedded", &database);
  FENSI_RETURN_IF_ERROR(FromRocksDb(status, "opening a store in memory"));
  return std::make_unique<Database>(std::unique_ptr<rocksdb::DB>(database), nullptr);
}

Result<std::unique_ptr<Database>> OpenToWrite(const std::string& directory, FolderContent content) {
  auto ledger = std::make_shared<WriteLedger>(directory);
  rocksdb::Options options = DatabaseOptions(nullptr);
  options.create_if_missing = content == FolderContent::kNothing;
  options.listeners.push_back(std::make_shared<FileWatch>(ledger));
  options.env = HidingEnv();
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(options, directory, &opened);
  if (!status.ok()) return OpenFault(status, directory, "");
  auto database = std::make_unique<Database>(std::unique_ptr<rocksdb::DB>(opened), ledger);
  FENSI_RETURN_IF_ERROR(HideFiles(directory));
  std::unique_ptr<rocksdb::LogFile> log;
  FENSI_RETURN_IF_ERROR(FromRocksDb(opened->GetCurrentWalFile(&log), "finding the log of " + directory));
  FENSI_RETURN_IF_ERROR(ledger->Begin(opened->GetLatestSequenceNumber(), log->LogNumber()));
  return database;
}

}  // namespace

Database::~Database() {
  rocks_.reset();
  if (ledger_ != nullptr) ledger_->NoteManifest();
}

Status Database::Write(rocksdb::WriteBatch* batch, const std::string& doing) {
  FENSI_RETURN_IF_ERROR(FromRocksDb(rocks_->Write({}, batch), doing));
  return ledger_ == nullptr ? Status() : ledger_->NoteWritten(rocks_->GetLatestSequenceNumber());
}

Result<std::unique_ptr<Database>> OpenDatabase(const EmbeddedOptions& options, rocksdb::Env* memory) {
  if (memory != nullptr) return OpenInMemory(memory);
  const std::string& directory = options.directory;
  if (directory.empty())
    return Status(StatusCode::kInvalidArgument, "an embedded store needs a directory: write embedded:DIR");
  if (options.read_only) return OpenToRead(directory);
  FENSI_ASSIGN_OR_RETURN(const FolderContent content, LookIntoFolder(directory));
  if (content == FolderContent::kNothing) {
    if (options.existing) return NoStore(directory);
    FENSI_RETURN_IF_ERROR(MakeFolder(directory));
  } else {
    FENSI_RETURN_IF_ERROR(CheckAlone(directory));
  }
  return OpenToWrite(directory, content);
}

}  // namespace fensi::store
