// What a mapping file refers to outside of itself. mapping/ reads nothing: whoever loads a file brings these along.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace fensi::mapping {

/// The rules of a place's clocks. Immutable; any thread.
class TimeZone {
 public:
  virtual ~TimeZone() = default;
  /// What local clocks show beyond UTC at this instant, in seconds.
  virtual int64_t OffsetSeconds(int64_t utc_millis) const = 0;
};

/// The table in which fensi keeps what it knows of all indexes of a store, unless `--meta_table` names another one.
inline constexpr char kDefaultMetaTable[] = "fensi_meta";

/// Both functions may be empty: then nothing outside can be named. Called while files are loaded, never later.
struct Environment {
  /// The bytes of a file under `protos:`; `name` is as written there, relative to the mapping file.
  std::function<Result<std::string>(const std::string& mapping_path, const std::string& name)> read_file;
  /// Null: there is no zone of that name ("Asia/Shanghai").
  std::function<std::shared_ptr<const TimeZone>(const std::string& name)> zone;
  /// Tables of fensi itself, canonical: no mapping may read or write them.
  std::vector<std::string> meta_tables = {kDefaultMetaTable};
};

}  // namespace fensi::mapping
