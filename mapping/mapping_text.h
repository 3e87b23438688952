// The text of a mapping file, before it is read.
#pragma once

#include <cstddef>
#include <string>

namespace fensi::mapping {

/// A longer file is refused.
constexpr size_t kMaxMappingBytes = 1 << 20;

/// Text of a mapping file and the name under which diagnostics show it. (Reading the file is the caller's work.)
struct MappingText {
  std::string path;
  std::string text;
};

}  // namespace fensi::mapping
