#include "store/embedded/open_database.h"

#include <rocksdb/cache.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <cstring>
#include <filesystem>
#include <memory>

#include "store/embedded/key_codec.h"
#include "store/embedded/rocksdb_status.h"

namespace fensi::store {
namespace {

/// RocksDB's own writer of its log file ends the process when the disk is full. What matters is in the statuses.
class NoLog final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

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

rocksdb::Options DatabaseOptions(rocksdb::Env* memory, bool read_only) {
  rocksdb::Options options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(BlockOptions()));
  options.prefix_extractor.reset(NewRowPrefixTransform());
  SetMemtables(&options);
  options.create_if_missing = !read_only;
  options.info_log = std::make_shared<NoLog>();
  if (memory != nullptr) options.env = memory;
  return options;
}

Status OpenFault(const rocksdb::Status& status, const std::string& directory) {
  const std::string text = status.ToString();
  const auto says = [&](const char* words) { return text.find(words) != std::string::npos; };
  if (status.IsIOError() && (says("While lock file") || says("lock hold by current process"))) {
    return Status(StatusCode::kUnavailable, "embedded store " + directory +
                                                ": another process writes to it (stop that one, or open it read-only)");
  }
  const Status fault = FromRocksDb(status, "opening " + directory);
  return says(std::strerror(EACCES)) ? Status(StatusCode::kPermission, fault.message()) : fault;
}

Status RequireStore(const std::string& directory) {
  std::error_code fault;
  const bool exists = std::filesystem::exists(directory + "/CURRENT", fault);
  if (fault == std::errc::permission_denied) {
    return Status(StatusCode::kPermission, "embedded store " + directory + ": " + fault.message());
  }
  if (exists) return Status();
  return Status(StatusCode::kNotFound, "there is no embedded store in " + directory +
                                           " (fensi run or fensi create with --store embedded:" + directory +
                                           " makes it)");
}

Result<std::unique_ptr<rocksdb::DB>> OpenReadOnly(const rocksdb::Options& options, const std::string& directory) {
  // The writing process may replace files between our reading of the list and of the files: look again.
  constexpr int kAttempts = 10;
  rocksdb::DB* database = nullptr;
  rocksdb::Status status;
  for (int i = 0; i < kAttempts && database == nullptr; ++i) {
    status = rocksdb::DB::OpenForReadOnly(options, directory, &database);
  }
  if (database == nullptr) return OpenFault(status, directory);
  return std::unique_ptr<rocksdb::DB>(database);
}

}  // namespace

Result<std::unique_ptr<rocksdb::DB>> OpenDatabase(const EmbeddedOptions& options, rocksdb::Env* memory) {
  const std::string directory = memory == nullptr ? options.directory : "/embedded";
  if (directory.empty()) return Status(StatusCode::kInvalidArgument, "an embedded store needs a directory");
  const rocksdb::Options database_options = DatabaseOptions(memory, options.read_only);
  if (options.read_only || options.existing) FENSI_RETURN_IF_ERROR(RequireStore(directory));
  if (options.read_only) return OpenReadOnly(database_options, directory);
  std::error_code error;
  // What is indexed may be for few eyes.
  const bool made = memory == nullptr && std::filesystem::create_directories(directory, error);
  if (made && !error) std::filesystem::permissions(directory, std::filesystem::perms::owner_all, error);
  if (error) return Status(StatusCode::kPermission, "cannot create directory " + directory + ": " + error.message());
  rocksdb::DB* database = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(database_options, directory, &database);
  if (!status.ok()) return OpenFault(status, directory);
  return std::unique_ptr<rocksdb::DB>(database);
}

}  // namespace fensi::store
