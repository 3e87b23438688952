#include "cli/settings/settled_again.h"

#include <algorithm>
#include <memory>

#include "cli/flags/flags.h"

namespace fensi::cli {
namespace {

struct Start {
  const Command* command;
  std::vector<std::string> words;
  std::vector<std::string> variables;
  std::vector<FlagSetting> settings;
};

std::unique_ptr<Start>& TheStart() {
  static std::unique_ptr<Start> start;
  return start;
}

FlagSetting SettingOf(const std::vector<FlagSetting>& settings, const std::string& name) {
  const auto found =
      std::find_if(settings.begin(), settings.end(), [&](const FlagSetting& each) { return each.name == name; });
  return found == settings.end() ? FlagSetting{name, FlagDefault(name), "default"} : *found;
}

}  // namespace

void NoteStart(const Command& command, std::span<const std::string> words, std::span<const std::string> variables,
               const Settled& settled) {
  TheStart() = std::make_unique<Start>(Start{.command = &command,
                                             .words = {words.begin(), words.end()},
                                             .variables = {variables.begin(), variables.end()},
                                             .settings = settled.settings});
}

SettledAgain SettleAgain() {
  const Start& start = *TheStart();
  const Settled now = Settle(*start.command, start.words, start.variables);
  if (!now.faults.empty()) return {.faults = now.faults, .changed = {}};
  return {.faults = {}, .changed = ChangedSettings(*start.command, start.settings, now.settings)};
}

void NoteTaken(const FlagSetting& setting) {
  std::vector<FlagSetting>& settings = TheStart()->settings;
  std::erase_if(settings, [&](const FlagSetting& each) { return each.name == setting.name; });
  settings.push_back(setting);
}

std::vector<FlagSetting> ChangedSettings(const Command& command, const std::vector<FlagSetting>& before,
                                         const std::vector<FlagSetting>& now) {
  std::vector<FlagSetting> changed;
  for (const FlagUse& use : command.flags) {
    if (use.name == "flagfile" || use.name == "print_flags") continue;
    FlagSetting setting = SettingOf(now, use.name);
    if (setting.value != SettingOf(before, use.name).value) changed.push_back(std::move(setting));
  }
  return changed;
}

}  // namespace fensi::cli
