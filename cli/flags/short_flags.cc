#include "cli/flags/short_flags.h"

#include <algorithm>
#include <vector>

namespace fensi::cli {
namespace {

const std::vector<ShortFlag>& ShortFlags() {
  static const std::vector<ShortFlag> flags = {
      {'o', "format", ""}, {'n', "max_rows", ""},         {'n', "max_events", ""},
      {'n', "max", ""},    {'q', "log_level", "warning"}, {'v', "log_level", "debug"},
  };
  return flags;
}

}  // namespace

const ShortFlag* FindShortFlag(const Command& command, char letter) {
  for (const ShortFlag& flag : ShortFlags()) {
    const auto is_it = [&](const FlagUse& use) { return use.name == flag.flag && !use.hidden; };
    if (flag.letter == letter && std::any_of(command.flags.begin(), command.flags.end(), is_it)) return &flag;
  }
  return nullptr;
}

std::string ShortFormsText(const Command& command, const std::string& flag) {
  std::string text;
  for (const ShortFlag& candidate : ShortFlags()) {
    if (candidate.flag != flag || FindShortFlag(command, candidate.letter) != &candidate) continue;
    text += std::string(text.empty() ? " (" : ", ") + (candidate.value.empty() ? "short: " : "") + "-" +
            candidate.letter + (candidate.value.empty() ? "" : ": " + candidate.value);
  }
  return text.empty() ? text : text + ")";
}

}  // namespace fensi::cli
