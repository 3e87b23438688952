#include "base/split_list.h"

#include <algorithm>

namespace fensi {

std::vector<std::string> SplitList(const std::string& list) {
  std::vector<std::string> parts;
  std::string part;
  for (size_t at = 0; at <= list.size(); ++at) {
    if (at < list.size() && list[at] != ',') {
      const bool comma = list.compare(at, 2, "\\,") == 0;
      part += comma ? ',' : list[at];
      at += comma ? 1 : 0;
    } else if (!part.empty()) {
      parts.push_back(std::move(part));
      part.clear();
    }
  }
  return parts;
}

}  // namespace fensi
