#include "cli/mappings/mapping_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <map>
#include <utility>

#include "cli/access/bounded_read.h"
#include "cli/flags/flags.h"
#include "cli/mappings/environment.h"
#include "cli/program/color.h"
#include "cli/program/json_line.h"
#include "cli/program/output.h"
#include "cli/program/suggest.h"

namespace fensi::cli {
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
    return Status(StatusCode::kInvalidArgument, path + " " + what + "; give each mapping file once");
  }
  return {};
}

std::string UnreadableJson(const std::string& path, const Status& fault) {
  const nlohmann::ordered_json json = {
      {"diagnostic", "error"}, {"file", path}, {"code", "unreadable"}, {"message", fault.message()}};
  return JsonLine(json);
}

Status ReadAll(const std::vector<std::string>& paths, bool json, std::vector<mapping::MappingText>* files) {
  Status first;
  for (const std::string& path : paths) {
    Result<std::string> text = ReadFile(path, mapping::kMaxMappingBytes);
    if (!text.ok() && json) Print(UnreadableJson(path, text.status()));
    if (text.ok()) {
      files->push_back({path, std::move(*text)});
    } else if (first.ok()) {
      first = text.status();
    } else {
      Say(text.status().message());
    }
  }
  return first;
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

}  // namespace

Result<std::string> ReadFile(const std::string& path, size_t most) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return FileFault(path, errno);
  if (S_ISDIR(info.st_mode)) return Status(StatusCode::kInvalidArgument, path + ": is a directory");
  return ReadAndClose(path, open(path.c_str(), O_RDONLY | O_CLOEXEC), most);
}

Result<std::string> ReadRegularFile(const std::string& path, size_t most) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);  // a pipe would wait for a writer
  struct stat info {};
  const bool known = file >= 0 && fstat(file, &info) == 0;
  if (known && !S_ISREG(info.st_mode)) {
    close(file);
    return Status(StatusCode::kInvalidArgument, path + ": is no regular file");
  }
  Result<std::string> text = ReadAndClose(path, file, most);
  if (!text.ok() || text->size() <= most) return text;
  return Status(StatusCode::kInvalidArgument, path + ": has more than " + std::to_string(most) + " bytes");
}

Result<std::vector<mapping::Mapping>> LoadMappings(const std::vector<std::string>& paths, bool json) {
  std::vector<mapping::MappingText> files;
  FENSI_RETURN_IF_ERROR(CheckGivenOnce(paths));
  FENSI_RETURN_IF_ERROR(ReadAll(paths, json, &files));
  mapping::Diagnostics diagnostics;
  std::vector<mapping::Mapping> mappings = mapping::Load(files, &diagnostics, FileEnvironment());
  if (json) {
    for (const mapping::Diagnostic& diagnostic : diagnostics.InOrder()) Print(JsonText(diagnostic));
  } else {
    const bool color = WantsColor(FLAGS_color, StderrIsTerminal());
    const std::string text = color ? PaintedDiagnostics(diagnostics.Text()) : diagnostics.Text();
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
  if (diagnostics.errors() == 0) return mappings;
  const auto errors = static_cast<int64_t>(diagnostics.errors());
  return Status(StatusCode::kConfiguration,
                Counted(errors, "error") + " in " + Counted(static_cast<int64_t>(paths.size()), "mapping file"));
}

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
    std::string text = "no index '" + name + "' in the mapping files" + DidYouMean(name, known);
    return Status(StatusCode::kInvalidArgument, std::move(text));
  }
  return chosen;
}

Result<std::shared_ptr<const mapping::Index>> OneIndex(const std::vector<mapping::Mapping>& mappings,
                                                       const std::string& name) {
  const Result<Indexes> indexes = ChosenIndexes(mappings, {name});
  FENSI_RETURN_IF_ERROR(indexes.status());
  return indexes->front();
}

Result<std::shared_ptr<const mapping::Index>> LoadIndex(const std::string& path, const std::string& name) {
  const Result<std::vector<mapping::Mapping>> mappings = LoadMappings({path});
  FENSI_RETURN_IF_ERROR(mappings.status());
  return OneIndex(*mappings, name);
}

}  // namespace fensi::cli
