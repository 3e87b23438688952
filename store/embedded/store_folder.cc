#include "store/embedded/store_folder.h"

#include <rocksdb/write_batch.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "store/embedded/write_ledger.h"

namespace fensi::store {
namespace {

namespace fs = std::filesystem;

/// RocksDB makes these before CURRENT, and no write is acknowledged before that. The root of a file system has
/// lost+found.
bool IsNothing(const std::string& name) {
  constexpr std::string_view kNames[] = {"LOCK", "IDENTITY", "MANIFEST-000001", "000001.dbtmp", "lost+found"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

bool IsOfDatabase(const std::string& name) {
  const bool numbered = !name.empty() && name.front() >= '0' && name.front() <= '9';
  return name.starts_with("MANIFEST-") || name.starts_with("OPTIONS-") || name == "ACKNOWLEDGED" ||
         (numbered && (name.ends_with(".sst") || name.ends_with(".log") || name.ends_with(".dbtmp")));
}

Status FolderFault(const std::string& directory, const std::error_code& fault) {
  if (fault == std::errc::not_a_directory) {
    return Status(StatusCode::kUnavailable,
                  "embedded store " + directory + " is a file. Name a directory in --store=embedded:DIR");
  }
  const bool refused = fault == std::errc::permission_denied || fault == std::errc::operation_not_permitted;
  return Status(refused ? StatusCode::kPermission : StatusCode::kUnavailable,
                "embedded store " + directory + ": " + fault.message() + kCheckDisk);
}

}  // namespace

Result<FolderContent> LookIntoFolder(const std::string& directory) {
  std::error_code fault;
  if (fs::exists(directory + "/CURRENT", fault)) return FolderContent::kDatabase;
  if (fault && fault != std::errc::no_such_file_or_directory && fault != std::errc::not_a_directory) {
    return FolderFault(directory, fault);
  }
  if (!fs::exists(directory, fault)) return FolderContent::kNothing;
  std::string foreign;
  fs::directory_iterator entry(directory, fault);
  for (; !fault && entry != fs::directory_iterator(); entry.increment(fault)) {
    const std::string name = entry->path().filename();
    if (IsOfDatabase(name) && !IsNothing(name)) {
      return DamagedFile(directory + "/CURRENT", "is missing beside " + name);
    }
    if (!IsNothing(name)) foreign = name;
  }
  if (fault) return FolderFault(directory, fault);
  if (foreign.empty()) return FolderContent::kNothing;
  return Status(StatusCode::kConfiguration, "embedded store " + directory +
                                                ": the directory holds other files, such as " + foreign +
                                                ", and no store. Name an empty or absent directory in "
                                                "--store=embedded:DIR");
}

Status MakeFolder(const std::string& directory) {
  std::error_code fault;
  const bool made = fs::create_directories(directory, fault);
  if (made && !fault) fs::permissions(directory, fs::perms::owner_all, fault);
  if (!fault) return {};
  return Status(StatusCode::kPermission,
                "cannot create directory " + directory + ": " + fault.message() +
                    ". Create the directory for this user, or name another one in --store=embedded:DIR");
}

Status HideFiles(const std::string& directory) {
  constexpr fs::perms kOthers = fs::perms::group_all | fs::perms::others_all;
  std::error_code fault;
  fs::directory_iterator entry(directory, fault);
  for (; !fault && entry != fs::directory_iterator(); entry.increment(fault)) {
    const std::string name = entry->path().filename();
    if (!IsOfDatabase(name) && name != "CURRENT" && name != "IDENTITY") continue;
    const fs::file_status found = entry->symlink_status(fault);
    if (fault || found.type() != fs::file_type::regular || (found.permissions() & kOthers) == fs::perms::none) continue;
    fs::permissions(entry->path(), kOthers, fs::perm_options::remove, fault);
    if (fault) return FolderFault(entry->path(), fault);
  }
  return fault ? FolderFault(directory, fault) : Status();
}

namespace {

/// A batch begins with its sequence number, 8 bytes little-endian.
uint64_t SequenceOf(const rocksdb::WriteBatch& batch) {
  uint64_t sequence = 0;
  for (size_t i = sizeof sequence; i-- > 0;) {
    sequence = sequence << 8 | static_cast<unsigned char>(batch.Data()[i]);
  }
  return sequence;
}

Status Lacks(const std::string& logs, uint64_t first) {
  return DamagedFile(
      logs, "was cut, damaged or removed: write number " + std::to_string(first) + " was acknowledged and is missing");
}

}  // namespace

/// "… DIRECTORY/000007.log: dropping 42 bytes; Corruption: checksum mismatch"
void RecoveryLog::Logv(const char* format, va_list arguments) {
  if (!damaged_.empty()) return;
  std::array<char, 4096 + 512> room;  // a path and its words
  if (vsnprintf(room.data(), room.size(), format, arguments) < 0) return;
  const std::string_view line(room.data());
  const size_t end = line.find(": dropping ");
  if (end == std::string_view::npos) return;
  const size_t slash = line.rfind('/', end);
  damaged_ = line.substr(slash + 1, end - slash - 1);
}

void LogCheck::ColumnFamilyLogNumberMap(const std::map<uint32_t, uint64_t>& logs,
                                        const std::map<std::string, uint32_t>&) {
  if (!logs.empty()) wanted_log_ = logs.begin()->second;
}

rocksdb::WalFilter::WalProcessingOption LogCheck::LogRecordFound(unsigned long long log, const std::string&,
                                                                 const rocksdb::WriteBatch& batch, rocksdb::WriteBatch*,
                                                                 bool*) {
  const uint64_t count = batch.Count();
  if (count == 0) return WalProcessingOption::kContinueProcessing;
  const uint64_t sequence = SequenceOf(batch);
  if (!any_) {
    first_log_ = log;
    first_ = sequence;
  } else if (sequence != next_ && !gap_) {
    gap_ = true;
    before_gap_ = last_log_;
    after_gap_ = log;
    missing_ = next_;
  }
  any_ = true;
  last_log_ = log;
  next_ = sequence + count;
  return WalProcessingOption::kContinueProcessing;
}

Status LogCheck::Outcome(const std::string& directory, const std::optional<Acknowledged>& known, uint64_t last) const {
  // After a flush that the ledger does not know the manifest wants a later log.
  const bool as_known = known && wanted_log_ <= known->log;
  if (as_known && known->written > known->flushed) {
    const bool begins = any_ && first_log_ == known->log && first_ == known->flushed + 1;
    if (!begins) return Lacks(LogPath(directory, known->log), known->flushed + 1);
  }
  if (gap_) {
    const std::string before = LogPath(directory, before_gap_);
    return Lacks(before_gap_ == after_gap_ ? before : before + " or " + LogPath(directory, after_gap_), missing_);
  }
  if (known && last < known->written) {
    return Lacks(LogPath(directory, any_ ? last_log_ : known->log), last + 1);
  }
  return {};
}

}  // namespace fensi::store
