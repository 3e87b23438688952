// Which columns of the source an index reads.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::mapping {

/// Columns of the source that an index reads: one column, or a whole family, or those whose qualifier begins so.
struct Watch {
  std::string family;
  std::string qualifier;  // or its prefix
  enum class Kind { kColumn, kPrefix, kFamily } kind = Kind::kColumn;
  bool bound = false;  // named by `each:`
};

/// As people write it: "f1:a", "f1:a*" for a prefix or a family, " (each)" behind what an entry is made of each of.
std::string WatchText(const Watch& watch);
std::vector<std::string> WatchTexts(std::span<const Watch> watches);

bool Covers(const Watch& watch, std::string_view family, std::string_view qualifier);

}  // namespace fensi::mapping
