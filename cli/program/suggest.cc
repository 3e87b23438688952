#include "cli/program/suggest.h"

#include <vector>

#include "base/suggest.h"

namespace fensi::cli {

std::string DidYouMean(std::string_view name, std::span<const std::string> known) {
  const std::vector<std::string> hints = Suggest(name, std::vector<std::string_view>(known.begin(), known.end()));
  return hints.empty() ? "" : "; " + hints.front();
}

}  // namespace fensi::cli
