#include "cli/run/config_hash.h"

#include <algorithm>
#include <set>

#include "mapping/digest.h"

namespace fensi::cli {

std::string ConfigHash(std::string_view flags, const IndexRuns& runs) {
  constexpr size_t kDigits = 12;
  std::set<std::string> lines;
  while (!flags.empty()) {
    const std::string_view line = flags.substr(0, flags.find('\n'));
    flags.remove_prefix(std::min(flags.size(), line.size() + 1));
    if (!line.empty() && line.front() != '#' && !line.starts_with("--admin=")) lines.emplace(line);
  }
  for (const auto& run : runs) lines.insert("index " + run->name() + " " + run->index().fingerprint());
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return mapping::Digest(text).substr(0, kDigits);
}

}  // namespace fensi::cli
