// A family of which no attribute is HBase's default.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "store/store.h"

namespace fensi::testing {

inline store::FamilyDescriptor RichFamily(std::string name, int32_t ttl_seconds,
                                          std::map<std::string, std::string> configuration) {
  return {.name = std::move(name),
          .max_versions = 5,
          .min_versions = 2,
          .ttl_seconds = ttl_seconds,
          .bloom_filter = "ROWCOL",
          .compression = "GZ",
          .in_memory = true,
          .block_cache = false,
          .block_size = 8192,
          .replication_scope = 1,
          .configuration = std::move(configuration)};
}

}  // namespace fensi::testing
