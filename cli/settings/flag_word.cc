#include "cli/settings/flag_word.h"

#include <algorithm>
#include <set>

#include "cli/program/command.h"

namespace fensi::cli {

FlagWord SplitFlagWord(const std::string& word) {
  const size_t dashes = word[1] == '-' ? 2 : 1;
  const size_t equals = word.find('=');
  FlagWord split;
  split.typed = word.substr(0, equals);
  split.name = split.typed.substr(dashes);
  std::replace(split.name.begin(), split.name.end(), '-', '_');
  if (equals != std::string::npos) split.value = word.substr(equals + 1);
  return split;
}

bool IsShort(const FlagWord& word) { return word.name.size() == 1 && !word.typed.starts_with("--"); }

MeantFlag MeantBy(const FlagWord& word, const FindFlag& find) {
  if (const FlagRule* rule = find(word.name)) {
    if (word.value || !rule->is_switch) return {rule, word.value};
    return {rule, "true"};
  }
  const FlagRule* negated = word.name.starts_with("no") && !word.value ? find(word.name.substr(2)) : nullptr;
  if (negated != nullptr && negated->is_switch) return {negated, "false"};
  return {};
}

std::vector<std::string> ShownFlagNames() {
  std::set<std::string> names;
  for (const Command& command : AllCommands()) {
    for (const FlagUse& use : command.flags) {
      if (!use.hidden) names.insert(use.name);
    }
  }
  return std::vector<std::string>(names.begin(), names.end());
}

}  // namespace fensi::cli
