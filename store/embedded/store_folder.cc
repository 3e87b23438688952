#include "store/embedded/store_folder.h"

#include <algorithm>
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
  const bool refused = fault == std::errc::permission_denied || fault == std::errc::operation_not_permitted;
  return Status(refused ? StatusCode::kPermission : StatusCode::kUnavailable,
                "embedded store " + directory + ": " + fault.message());
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
                                                ": the folder has other files and no store, such as " + foreign +
                                                "; name a folder that is empty or absent");
}

Status MakeFolder(const std::string& directory) {
  std::error_code fault;
  const bool made = fs::create_directories(directory, fault);
  if (made && !fault) fs::permissions(directory, fs::perms::owner_all, fault);
  if (!fault) return {};
  return Status(StatusCode::kPermission, "cannot create directory " + directory + ": " + fault.message());
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

}  // namespace fensi::store
