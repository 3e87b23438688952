#include "meta/bulk_loads.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/bytes.h"
#include "base/random_name.h"
#include "base/text.h"

namespace fensi::meta {
namespace {

constexpr char kLoad[] = "load", kTaken[] = "taken";

/// A key without blanks, as one word.
std::string WordOf(const std::string& key) {
  std::string word = "=";
  for (const char c : Escape(key)) word += c == ' ' ? std::string("\\x20") : std::string(1, c);
  return word;
}

std::optional<std::string> KeyOf(const std::string& word) {
  if (!word.starts_with('=')) return std::nullopt;
  const Result<std::string> key = Unescape(std::string_view(word).substr(1));
  return key.ok() ? std::optional(*key) : std::nullopt;
}

/// Two loads without a region's name are one if they begin at the same row.
std::string IdOf(const LoadedRegion& load) {
  std::string region;
  for (const char c : Escape(load.region)) region += c == '/' ? std::string("\\x2F") : std::string(1, c);
  const std::string id = region + "/" + std::to_string(load.sequence_id);
  return load.region.empty() ? id + "/" + Escape(load.row) : id;
}

std::optional<LoadedRegion> LoadOf(std::string_view id, const Cell& cell) {
  LoadedRegion load{.cell = cell};
  const size_t slash = id.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const Result<std::string> region = Unescape(id.substr(0, slash));
  const std::string_view rest = id.substr(slash + 1);
  const std::optional<uint64_t> sequence = ParseWhole<uint64_t>(rest.substr(0, rest.find('/')));
  std::istringstream words(cell.value);
  std::string row, token, more;
  if (!region.ok() || !sequence || !(words >> row >> load.written >> load.met >> token) || words >> more) {
    return std::nullopt;
  }
  const std::optional<std::string> key = KeyOf(row);
  if (!key) return std::nullopt;
  load.region = *region;
  load.sequence_id = *sequence;
  load.row = *key;
  return load;
}

}  // namespace

std::string LoadsRow(const std::string& index) { return JobRow(index, "loads"); }

Status BulkLoads::Note(const LoadedRegion& load) const {
  // M27: the token makes a new version, which a job that has taken the load before does not forget.
  const std::string value =
      WordOf(load.row) + " " + std::to_string(load.written) + " " + std::to_string(load.met) + " " + RandomName();
  Status noted;
  for (int tries = 0; tries < VersionedMetaRow::kMostTries; ++tries) {
    noted = row_.Set(Prefix(kLoad) + IdOf(load), value);
    // A job that is finished at this moment forgets the meeting before.
    if (noted.code() != StatusCode::kNotFound) break;
  }
  return noted;
}

Result<std::vector<LoadedRegion>> BulkLoads::Waiting() const {
  FENSI_ASSIGN_OR_RETURN(const VersionedMetaRow::Cells cells, row_.ReadAll());
  const std::string prefix = Prefix(kLoad);
  std::vector<LoadedRegion> loads;
  for (auto at = cells.lower_bound(prefix); at != cells.end() && at->first.starts_with(prefix); ++at) {
    std::optional<LoadedRegion> load = LoadOf(std::string_view(at->first).substr(prefix.size()), at->second);
    if (!load) return UnknownValue(row_.table(), row_.row(), at->first, at->second.value);
    loads.push_back(std::move(*load));
  }
  std::stable_sort(loads.begin(), loads.end(),
                   [](const LoadedRegion& one, const LoadedRegion& other) { return one.met < other.met; });
  return loads;
}

Status BulkLoads::Take(const std::string& job, const std::vector<LoadedRegion>& loads) const {
  std::string lines;
  for (const LoadedRegion& load : loads) {
    lines += std::to_string(load.cell.timestamp) + " " + load.cell.qualifier + "\n";
  }
  return row_.Set(Prefix(kTaken) + job, lines);
}

Status BulkLoads::Finish(const std::string& job) const {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> taken, row_.Read(Prefix(kTaken) + job));
  if (!taken) return {};  // another process has finished the job
  VersionedMetaRow::Cells done;
  std::istringstream lines(taken->value);
  for (std::string line; std::getline(lines, line);) {
    const size_t blank = line.find(' ');
    const std::optional<int64_t> version = ParseWhole<int64_t>(line.substr(0, blank));
    if (!version || blank == std::string::npos) {
      return UnknownValue(row_.table(), row_.row(), taken->qualifier, taken->value);
    }
    const std::string column = line.substr(blank + 1);
    done.emplace(column, VersionedMetaRow::CellOf(column, *version, ""));
  }
  FENSI_RETURN_IF_ERROR(row_.Forget(done));
  return row_.Forget({{taken->qualifier, *taken}});
}

Status BulkLoads::ForgetJobsBut(const std::string& job) const {
  FENSI_ASSIGN_OR_RETURN(VersionedMetaRow::Cells cells, row_.ReadAll());
  std::erase_if(cells, [&](const auto& each) {
    return !each.first.starts_with(Prefix(kTaken)) || each.first == Prefix(kTaken) + job;
  });
  return cells.empty() ? Status() : row_.Forget(cells);
}

}  // namespace fensi::meta
