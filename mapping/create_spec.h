// `create:` of an index: how its table is created.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fensi::mapping {

/// Attribute names and values as HBase knows them ("ROW", "GZ"); absent: the default of `fensi create`.
struct FamilySpec {
  std::string name;
  std::optional<int32_t> ttl_seconds;
  std::optional<int32_t> versions;
  std::optional<int32_t> min_versions;
  std::optional<std::string> bloom;
  std::optional<std::string> compression;
  std::optional<bool> in_memory;
  std::optional<bool> block_cache;
  std::optional<int32_t> block_size;

  /// The TTL that drops the newest version of a cell, too; 0: none, because with MIN_VERSIONS the newest version stays
  /// whatever its age.
  int64_t TtlMillis() const {
    const bool ends = ttl_seconds && min_versions.value_or(0) == 0;
    return ends ? int64_t{1000} * *ttl_seconds : 0;
  }
};

/// Families of the columns that are not named here get defaults.
struct CreateSpec {
  std::vector<FamilySpec> families;     // every family the index writes, sorted by name
  std::vector<std::string> split_keys;  // from `keys`, `hex` or `uniform`; sorted, without duplicates

  /// True if entries of some family expire by themselves.
  bool SomeFamilyExpires() const {
    return std::any_of(families.begin(), families.end(),
                       [](const FamilySpec& family) { return family.ttl_seconds.has_value(); });
  }
};

}  // namespace fensi::mapping
