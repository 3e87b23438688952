#include "cli/settings/variables.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "cli/flags/flags.h"
#include "cli/settings/flag_word.h"

namespace fensi::cli {
namespace {

constexpr std::string_view kPrefix = "FENSI_";

std::string Capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c); });
  return text;
}

std::string SmallLetters(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  return text;
}

/// The variables that Kubernetes sets for a Service whose name is fensi or begins with "fensi-".
bool IsOfAService(const std::string& name) {
  const std::string whole = "_" + name;
  if (whole.ends_with("_SERVICE_HOST") || whole.ends_with("_PORT")) return true;
  const size_t port = whole.find("_PORT_");
  const size_t digit = port == std::string::npos ? whole.size() : port + 6;
  return whole.find("_SERVICE_PORT") != std::string::npos ||
         (digit < whole.size() && whole[digit] >= '0' && whole[digit] <= '9');
}

/// The switches of tests/README.md: who works on fensi has them in his environment.
bool IsOfTheTests(const std::string& name) {
  static const std::set<std::string> names = {"ACCEPT",     "BENCHES", "BIN",      "CACHE",   "EXAMPLES",  "FUZZ",
                                              "HISTORIES",  "JOBS",    "MAPPINGS", "ROOT",    "SANITIZED", "SANITIZER",
                                              "SANITIZERS", "TESTS",   "UNITY",    "VERSION", "REVISION"};
  for (const char* area : {"DEVSTACK_", "FUZZ_", "ORACLE_", "TEST_"}) {
    if (name.starts_with(area)) return true;
  }
  return names.contains(name);
}

/// The flag that was meant by a name that is none; empty: nobody can say.
std::string MeantByVariable(const std::string& variable) {
  const std::string name = SmallLetters(variable);
  for (const Command& command : AllCommands()) {
    const std::string flag = name.starts_with(command.name + "_") ? name.substr(command.name.size() + 1) : "";
    if (FindFlagRule(flag) != nullptr) return flag;
  }
  for (const std::string_view no : {"no_", "no"}) {
    const FlagRule* rule = name.starts_with(no) ? FindFlagRule(name.substr(no.size())) : nullptr;
    if (rule != nullptr && rule->is_switch) return rule->name;
  }
  const std::vector<std::string> flags = ShownFlagNames();
  return std::string(Nearest(name, std::vector<std::string_view>(flags.begin(), flags.end())));
}

bool Takes(const Command& command, const std::string& flag) {
  return std::any_of(command.flags.begin(), command.flags.end(), [&](const FlagUse& use) { return use.name == flag; });
}

void TakeVariable(const Command& command, const std::string& name, const std::string& value, SettingList* list) {
  const std::string small = SmallLetters(name);
  const std::string shown = std::string(kPrefix) + name;
  const FlagRule* rule = Capitals(name) == name ? FindFlagRule(small) : nullptr;
  if (rule != nullptr) {
    if (Takes(command, small)) list->Take(*rule, value, shown, shown);
    return;
  }
  if (IsOfAService(name) || IsOfTheTests(name)) return;
  const std::string meant = MeantByVariable(name);
  if (meant.empty()) return;
  list->AddFault(shown + ": no flag has this name; did you mean '" + std::string(kPrefix) + Capitals(meant) + "'?");
}

}  // namespace

SettingList ReadVariables(const Command& command, std::span<const std::string> variables) {
  SettingList list;
  if (command.flags.empty()) return list;
  for (const std::string& variable : variables) {
    const size_t equals = variable.find('=');
    if (equals == std::string::npos || !variable.starts_with(kPrefix)) continue;
    TakeVariable(command, variable.substr(kPrefix.size(), equals - kPrefix.size()), variable.substr(equals + 1), &list);
  }
  return list;
}

}  // namespace fensi::cli
