#include "operations/mappings/environment.h"

#include <absl/time/time.h>

#include <algorithm>

#include "base/hbase_limits.h"
#include "operations/mappings/mapping_files.h"

namespace fensi::operations {
namespace {

class NamedZone final : public mapping::TimeZone {
 public:
  explicit NamedZone(absl::TimeZone zone) : zone_(zone) {}
  int64_t OffsetSeconds(int64_t utc_millis) const override { return zone_.At(absl::FromUnixMillis(utc_millis)).offset; }
  std::optional<int64_t> NextChange(int64_t utc_millis) const override {
    absl::TimeZone::CivilTransition change;
    if (!zone_.NextTransition(absl::FromUnixMillis(utc_millis), &change)) return std::nullopt;
    return absl::ToUnixMillis(zone_.At(change.to).trans);
  }

 private:
  const absl::TimeZone zone_;
};

/// Names as in the database, and nothing that would depend on this machine alone ("localtime", a path).
bool IsZoneName(const std::string& name) {
  const auto legal = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '/' ||
           c == '+' || c == '-';
  };
  return !name.empty() && name[0] >= 'A' && name[0] <= 'Z' && std::all_of(name.begin(), name.end(), legal);
}

std::shared_ptr<const mapping::TimeZone> FindZone(const std::string& name) {
  absl::TimeZone zone;
  if (!IsZoneName(name) || !absl::LoadTimeZone(absl::string_view(name.data(), name.size()), &zone)) return nullptr;
  return std::make_shared<NamedZone>(zone);
}

/// `name` beside the mapping file. It may not lead out of its folder: a mapping is shared as a folder.
Result<std::string> ReadBeside(const std::string& mapping_path, const std::string& name) {
  if (name.starts_with('/') || name.find("..") != std::string::npos) {
    return Status(StatusCode::kInvalidArgument,
                  name + ": the file must be in the folder of the mapping file, or below it. Move the file there");
  }
  const size_t slash = mapping_path.rfind('/');
  constexpr size_t kMost = size_t{4} << 20;
  return ReadRegularFile(slash == std::string::npos ? name : mapping_path.substr(0, slash + 1) + name, kMost);
}

}  // namespace

mapping::Environment FileEnvironment(const std::string& meta_table) {
  mapping::Environment environment{.read_file = ReadBeside, .zone = FindZone};
  environment.meta_tables.emplace_back(CanonicalTableName(meta_table));
  return environment;
}

}  // namespace fensi::operations
