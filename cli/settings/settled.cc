#include "cli/settings/settled.h"

#include <algorithm>
#include <functional>

#include "base/text.h"
#include "cli/flags/flags.h"
#include "cli/settings/command_line.h"
#include "cli/settings/flag_file.h"
#include "cli/settings/variables.h"
#include "operations/access/secrets.h"

namespace fensi::cli {
namespace {

const FlagSetting* FindIn(const std::vector<FlagSetting>& settings, const std::string& name) {
  const auto found =
      std::find_if(settings.begin(), settings.end(), [&](const FlagSetting& setting) { return setting.name == name; });
  return found == settings.end() ? nullptr : &*found;
}

class Settling {
 public:
  explicit Settling(const Command& command) : command_(command) {}

  Settled Settle(std::span<const std::string> words, std::span<const std::string> variables) {
    const CommandLine line = ParseCommandLine(command_, words);
    settled_.arguments = line.arguments;
    settled_.help = line.help;
    if (line.help) return std::move(settled_);
    const SettingList environment = ReadVariables(command_, variables);
    const FlagSetting* named = line.flags.Find("flagfile");
    if (named == nullptr) named = environment.Find("flagfile");
    const FlagFiles files = named == nullptr ? FlagFiles() : ReadFlagFiles(SplitList(named->value));
    for (const auto* settings : {&line.flags.settings(), &environment.settings(), &files.settings}) Merge(*settings);
    for (const auto* faults : {&line.flags.faults(), &environment.faults(), &files.faults}) AddFaults(*faults);
    if (files.wrong_file) settled_.code = StatusCode::kConfiguration;
    const FlagSetting* print = FindIn(settled_.settings, "print_flags");
    settled_.print_flags = print != nullptr && print->value == "true";
    if (settled_.print_flags) return std::move(settled_);
    CheckArguments();
    if (!files.wrong_file) {
      CheckRequired([&](const std::string& name) {
        return line.flags.Names(name) || environment.Names(name) || files.named.contains(name);
      });
    }
    return std::move(settled_);
  }

 private:
  /// Those of the command that nobody set who goes before.
  void Merge(const std::vector<FlagSetting>& settings) {
    for (const FlagSetting& setting : settings) {
      const bool taken = std::any_of(command_.flags.begin(), command_.flags.end(),
                                     [&](const FlagUse& use) { return use.name == setting.name; });
      if (taken && FindIn(settled_.settings, setting.name) == nullptr) settled_.settings.push_back(setting);
    }
  }

  void AddFaults(const std::vector<std::string>& faults) {
    settled_.faults.insert(settled_.faults.end(), faults.begin(), faults.end());
  }

  void CheckArguments() {
    const size_t count = settled_.arguments.size();
    const std::string usage = "'fensi " + command_.name + " " + command_.arguments + "'";
    if (count < command_.min_arguments) {
      settled_.faults.push_back("too few arguments: " + usage);
    } else if (count > command_.max_arguments) {
      const std::string& extra = settled_.arguments[command_.max_arguments];
      settled_.faults.push_back(command_.max_arguments == 0
                                    ? "unexpected argument '" + extra + "': this command takes none"
                                    : "unexpected argument '" + extra + "': the usage is " + usage);
    }
  }

  void CheckRequired(const std::function<bool(const std::string&)>& is_named) {
    for (const FlagUse& use : command_.flags) {
      if (!use.required || is_named(use.name)) continue;
      settled_.faults.push_back("--" + use.name + " is missing: " + FlagDescription(use.name));
    }
  }

  const Command& command_;
  Settled settled_;
};

bool IsAboutFlags(const std::string& name) { return name == "flagfile" || name == "print_flags"; }

std::string SetLine(const FlagSetting& setting) {
  const bool hides = FindFlagRule(setting.name)->may_hold_secrets;
  const std::string value = hides ? operations::WithoutSecrets(setting.value) : setting.value;
  if (value.find('\n') != std::string::npos || value.ends_with('\r')) {
    return "# --" + setting.name + " has a value of several lines, which no flag file can hold\n";
  }
  return "--" + setting.name + "=" + value + "\n";
}

}  // namespace

Settled Settle(const Command& command, std::span<const std::string> words, std::span<const std::string> variables) {
  return Settling(command).Settle(words, variables);
}

void ApplySettings(const Settled& settled) {
  for (const FlagSetting& setting : settled.settings) {
    SetFlag(setting.name, setting.value, setting.origin == kCommandLine);
  }
}

std::string FlagsText(const Command& command, const std::vector<FlagSetting>& settings) {
  std::string text, origin;
  for (const FlagSetting& setting : settings) {
    if (IsAboutFlags(setting.name)) continue;
    if (setting.origin != origin) text += "# " + ShownValue(setting.origin) + "\n";
    origin = setting.origin;
    text += SetLine(setting);
  }
  std::string defaults;
  for (const FlagUse& use : command.flags) {
    const bool shown = !use.hidden && !IsAboutFlags(use.name) && FindIn(settings, use.name) == nullptr;
    if (shown) defaults += "#--" + use.name + "=" + FlagDefault(use.name) + "\n";
  }
  return text + (defaults.empty() ? "" : "# default\n" + defaults);
}

}  // namespace fensi::cli
