#include "daemon/status/config_hash.h"

#include <algorithm>
#include <set>

#include "mapping/digest.h"

namespace fensi::daemon {
namespace {

/// A flag that says what is so without it says nothing.
bool SaysDefault(std::string_view line, const FlagDefaultOf& default_of) {
  const std::string word(line.substr(line.find_first_not_of('-')));
  const size_t equals = word.find('=');
  return equals != std::string::npos && word.substr(equals + 1) == default_of(word.substr(0, equals));
}

/// All that a mapping file decides about an index; a part of it is no part of the definition.
std::string LineOf(const mapping::Index& index) {
  std::string line = "index " + index.name();
  for (const std::string& part : {index.fingerprint(), index.topic(), index.group(), index.dead_letter_topic(),
                                  index.requests_topic(), std::to_string(index.keep_millis().value_or(0))}) {
    line += " " + part;
  }
  if (const mapping::ChangelogSpec* changelog = index.changelog()) line += " " + changelog->Text();
  return line;
}

}  // namespace

std::string ConfigHash(std::string_view flags, const IndexRuns& runs, const FlagDefaultOf& default_of) {
  constexpr size_t kDigits = 12;
  std::set<std::string> lines;
  while (!flags.empty()) {
    const std::string_view line = flags.substr(0, flags.find('\n'));
    flags.remove_prefix(std::min(flags.size(), line.size() + 1));
    if (line.empty() || line.front() == '#' || line.starts_with("--admin=") || SaysDefault(line, default_of)) continue;
    lines.emplace(line);
  }
  for (const auto& run : runs) lines.insert(LineOf(run->index()));
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return mapping::Digest(text).substr(0, kDigits);
}

}  // namespace fensi::daemon
