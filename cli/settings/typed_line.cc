#include <string_view>

#include "cli/flags/flags.h"
#include "cli/settings/command_line.h"

namespace fensi::cli {
namespace {

/// Quoted for a shell where it must be.
std::string QuotedForShell(const std::string& word) {
  const std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=/.,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string TypedLine(const Command& command, const Arguments& arguments) {
  std::string line = "fensi " + command.name;
  for (const std::string& word : arguments) line += " " + QuotedForShell(word);
  for (const FlagUse& flag : command.flags) {
    if (!FlagIsTyped(flag.name)) continue;
    line += " --" + flag.name + (FindFlagRule(flag.name)->is_switch ? "" : "=" + QuotedForShell(FlagValue(flag.name)));
  }
  return line;
}

}  // namespace fensi::cli
