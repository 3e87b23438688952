#include "operations/mappings/mapping_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "base/shown_text.h"
#include "base/text.h"
#include "operations/access/bounded_read.h"
#include "operations/console/console.h"
#include "operations/json/json_line.h"
#include "operations/mappings/environment.h"
#include "operations/mappings/mapping_paths.h"

namespace fensi::operations {
namespace {

Result<std::string> ReadAndClose(const std::string& path, int file, size_t most) {
  if (file < 0) return FileFault(path, errno);
  Result<std::string> text = ReadUpTo(path, file, most);
  close(file);
  return text;
}

/// The same file by the same or another name, as by two globs: each of its indexes would be there already.
Status CheckGivenOnce(const std::vector<std::string>& paths) {
  std::map<std::pair<dev_t, ino_t>, std::string> seen;
  for (const std::string& path : paths) {
    struct stat info {};
    if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    const auto [found, fresh] = seen.try_emplace({info.st_dev, info.st_ino}, path);
    if (fresh) continue;
    const std::string what = found->second == path ? "is given twice" : "is the same file as " + found->second;
    return Status(StatusCode::kInvalidArgument, path + " " + what + ". Give each mapping file once");
  }
  return {};
}

struct Unreadable {
  std::string path;
  Status why;
};

std::string UnreadableJson(const std::string& path, const Status& fault) {
  const nlohmann::ordered_json json = {
      {"diagnostic", "error"}, {"file", path}, {"code", "unreadable"}, {"message", fault.message()}};
  return JsonLine(json);
}

using Reader = Result<std::string> (*)(const std::string& path, size_t most);

std::vector<mapping::MappingText> ReadAll(const std::vector<std::string>& paths, Reader reader,
                                          std::vector<Unreadable>* faults) {
  std::vector<mapping::MappingText> files;
  for (const std::string& path : paths) {
    Result<std::string> text = reader(path, mapping::kMaxMappingBytes);
    if (text.ok()) {
      files.push_back({path, std::move(*text)});
    } else {
      faults->push_back({path, text.status()});
    }
  }
  return files;
}

/// The first; all others are said.
Status TellUnreadable(const std::vector<Unreadable>& faults, bool json) {
  for (const Unreadable& each : faults) {
    if (json) Print(UnreadableJson(each.path, each.why));
    if (!json && &each != &faults.front()) Say(each.why.message());
  }
  return faults.empty() ? Status() : faults.front().why;
}

/// Which bytes the paths name at this moment, as far as the file system tells without reading them.
std::string Stamp(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) {
    struct stat info {};
    std::error_code error;
    const bool known = stat(path.c_str(), &info) == 0;
    text += path + "\n" + std::filesystem::canonical(path, error).string() + "\n";
    if (!known || !S_ISREG(info.st_mode)) continue;  // a pipe is read once, while somebody writes into it
    for (const auto number : {static_cast<int64_t>(info.st_ino), static_cast<int64_t>(info.st_size),
                              static_cast<int64_t>(info.st_mtim.tv_sec), static_cast<int64_t>(info.st_mtim.tv_nsec)}) {
      text += std::to_string(number) + " ";
    }
  }
  return text;
}

struct ReadFiles {
  std::vector<std::string> paths;
  std::vector<mapping::MappingText> files;
  std::vector<Unreadable> faults;
};

/// All of one moment: a folder that is replaced meanwhile, as Kubernetes does it, is read again.
Result<ReadFiles> ReadTogether(const std::vector<std::string>& named, Reader reader) {
  constexpr int kTries = 10;
  for (int i = 0; i < kTries; ++i) {
    FENSI_ASSIGN_OR_RETURN(std::vector<std::string> paths, MappingPaths(named));
    const std::string before = Stamp(paths);
    FENSI_RETURN_IF_ERROR(CheckGivenOnce(paths));
    ReadFiles read{.paths = std::move(paths), .files = {}, .faults = {}};
    read.files = ReadAll(read.paths, reader, &read.faults);
    const Result<std::vector<std::string>> after = MappingPaths(named);
    if (after.ok() && Stamp(*after) == before) return read;
  }
  return Status(
      StatusCode::kConfiguration,
      "the mapping files changed each time while fensi read them: run the command again when they are complete");
}

std::string JsonText(const mapping::Diagnostic& diagnostic) {
  const bool error = diagnostic.severity == mapping::Severity::kError;
  const nlohmann::ordered_json json = {{"diagnostic", error ? "error" : "warning"},
                                       {"file", diagnostic.path},
                                       {"line", diagnostic.line},
                                       {"column", diagnostic.column},
                                       {"width", diagnostic.width},
                                       {"code", diagnostic.code},
                                       {"message", diagnostic.message},
                                       {"hints", diagnostic.notes}};
  return JsonLine(json);
}

/// "3 errors in 1 of 5 mapping files".
std::string CountedErrors(const mapping::Diagnostics& diagnostics, int64_t files) {
  std::set<std::string> faulty;
  for (const mapping::Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity == mapping::Severity::kError) faulty.insert(diagnostic.path);
  }
  const auto of_errors = static_cast<int64_t>(faulty.size());
  return Counted(static_cast<int64_t>(diagnostics.errors()), "error") + " in " +
         (of_errors < files ? WithCommas(of_errors) + " of " : "") + Counted(files, "mapping file");
}

/// A message may quote the mapping.
RedactableText FaultWords(const mapping::Diagnostic& diagnostic) {
  return diagnostic.path + ":" + std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column) +
         ": error: " + RedactableText::Quote(diagnostic.message) + " [" + diagnostic.code + "]";
}

}  // namespace

Result<std::string> ReadFile(const std::string& path, size_t most) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    const Status fault = FileFault(path, errno);
    const bool missing = fault.code() == StatusCode::kNotFound;
    return missing ? fault.WithSuffix(". Correct the path of the mapping file") : fault;
  }
  if (S_ISDIR(info.st_mode))
    return Status(StatusCode::kInvalidArgument, path + " is a folder. Name a file of the folder");
  return ReadAndClose(path, open(path.c_str(), O_RDONLY | O_CLOEXEC), most);
}

Result<std::string> ReadRegularFile(const std::string& path, size_t most) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);  // a pipe would wait for a writer
  struct stat info {};
  const bool known = file >= 0 && fstat(file, &info) == 0;
  if (known && !S_ISREG(info.st_mode)) {
    close(file);
    return Status(StatusCode::kInvalidArgument, path + ": is not a regular file. Name a regular file");
  }
  Result<std::string> text = ReadAndClose(path, file, most);
  if (!text.ok() || text->size() <= most) return text;
  return Status(StatusCode::kInvalidArgument,
                path + ": the file has more than " + std::to_string(most) + " bytes. Divide it into several files");
}

Result<std::vector<mapping::Mapping>> LoadMappings(const std::vector<std::string>& paths, const std::string& meta_table,
                                                   bool json) {
  FENSI_ASSIGN_OR_RETURN(const ReadFiles read, ReadTogether(paths, ReadFile));
  FENSI_RETURN_IF_ERROR(TellUnreadable(read.faults, json));
  mapping::Diagnostics diagnostics;
  std::vector<mapping::Mapping> mappings = mapping::Load(read.files, &diagnostics, FileEnvironment(meta_table));
  if (json) {
    for (const mapping::Diagnostic& diagnostic : diagnostics.InOrder()) Print(JsonText(diagnostic));
  } else {
    Diagnose(diagnostics.Text());
  }
  if (diagnostics.errors() == 0) return mappings;
  return Status(StatusCode::kConfiguration,
                CountedErrors(diagnostics, static_cast<int64_t>(read.paths.size())) + ": correct them as shown above");
}

std::vector<mapping::Mapping> LoadQuietly(const std::vector<std::string>& paths, const std::string& meta_table,
                                          std::vector<RedactableText>* faults) {
  const Result<ReadFiles> read = ReadTogether(paths, ReadRegularFile);
  if (!read.ok()) {
    faults->push_back(read.status().words());
    return {};
  }
  for (const Unreadable& each : read->faults) faults->push_back(each.why.words());
  mapping::Diagnostics diagnostics;
  std::vector<mapping::Mapping> mappings = mapping::Load(read->files, &diagnostics, FileEnvironment(meta_table));
  for (const mapping::Diagnostic& diagnostic : diagnostics.InOrder()) {
    if (diagnostic.severity == mapping::Severity::kError) faults->push_back(FaultWords(diagnostic));
  }
  if (!faults->empty()) mappings.clear();
  return mappings;
}

std::string PathOf(const std::vector<mapping::Mapping>& mappings, const mapping::Index& index) {
  for (const mapping::Mapping& mapping : mappings) {
    for (const auto& each : mapping.indexes) {
      if (each.get() == &index) return mapping.path;
    }
  }
  return {};
}

namespace {

/// Of many names the first ones.
std::string FirstNames(std::vector<std::string> names) {
  constexpr size_t kMost = 10;
  const size_t left = names.size() - std::min(names.size(), kMost);
  names.resize(names.size() - left);
  return Joined(names) + (left > 0 ? " and " + std::to_string(left) + " more" : "");
}

}  // namespace

Result<Indexes> ChosenIndexes(const std::vector<mapping::Mapping>& mappings, const std::vector<std::string>& names) {
  Indexes chosen;
  std::vector<std::string> known;
  for (const mapping::Mapping& mapping : mappings) {
    for (const auto& index : mapping.indexes) {
      known.push_back(index->name());
      if (names.empty() || std::find(names.begin(), names.end(), index->name()) != names.end()) chosen.push_back(index);
    }
  }
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string meant = DidYouMean(name, known);
    return InvalidArgument("no index '" + name + "' in the mapping files" +
                           (meant.empty() ? "; they have " + FirstNames(known) : meant));
  }
  return chosen;
}

Result<std::shared_ptr<const mapping::Index>> OneIndex(const std::vector<mapping::Mapping>& mappings,
                                                       const std::string& name) {
  FENSI_ASSIGN_OR_RETURN(const Indexes indexes, ChosenIndexes(mappings, {name}));
  return indexes.front();
}

Result<std::shared_ptr<const mapping::Index>> LoadIndex(const std::string& path, const std::string& name,
                                                        const std::string& meta_table) {
  FENSI_ASSIGN_OR_RETURN(const std::vector<mapping::Mapping> mappings, LoadMappings({path}, meta_table));
  return OneIndex(mappings, name);
}

}  // namespace fensi::operations
