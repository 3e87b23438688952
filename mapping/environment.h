// The environment of mapping files. mapping/ reads no files: the caller provides what they refer to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"

namespace fensi::mapping {

/// The rules of a place's clocks. Immutable; any thread.
class TimeZone {
 public:
  virtual ~TimeZone() = default;
  /// Offset of local clocks from UTC at this instant, in seconds.
  virtual int64_t OffsetSeconds(int64_t utc_millis) const = 0;
  /// The first instant after this one at which the clocks may be set; absent: none.
  virtual std::optional<int64_t> NextChange(int64_t utc_millis) const = 0;
};

/// The table with fensi's data about all indexes of a store, unless `--meta_table` names another one.
inline constexpr char kDefaultMetaTable[] = "fensi_meta";

/// Both functions may be empty: then files cannot refer to anything outside. Called while files are loaded, never
/// later.
struct Environment {
  /// The bytes of a file under `protos:` or `avros:`; `name` is as written there, relative to the mapping file.
  std::function<Result<std::string>(const std::string& mapping_path, const std::string& name)> read_file;
  /// Null: unknown zone ("Asia/Shanghai").
  std::function<std::shared_ptr<const TimeZone>(const std::string& name)> zone;
  /// fensi's own tables, canonical: no mapping may read or write them.
  std::vector<std::string> meta_tables = {kDefaultMetaTable};
};

/// The environment for reading one file.
class AvroSchemas;
class ProtoSchemas;
class RegexBudget;

/// Cheap to copy; borrows the environment while files are loaded.
struct Outside {
  const Environment* environment = nullptr;
  std::shared_ptr<const ProtoSchemas> schemas;  // null: the file has no `protos:`
  std::shared_ptr<RegexBudget> regexes;         // null: unbounded
  std::shared_ptr<const AvroSchemas> avros;     // null: the file has no `avros:`
};

// The text of a mapping file, before it is parsed.

/// A longer file is refused.
constexpr size_t kMaxMappingBytes = 1 << 20;

/// Text of a mapping file and the name under which diagnostics show it. (Reading the file is the caller's work.)
struct MappingText {
  std::string path;
  std::string text;
};

}  // namespace fensi::mapping
