#include "cli/program/command_line.h"

#include <gflags/gflags.h>

#include <algorithm>

#include "cli/flags/flags.h"
#include "cli/program/output.h"
#include "cli/program/suggest.h"

namespace fensi::cli {
namespace {

/// For a terminal: not longer than a person reads, one line.
std::string Shown(const std::string& value) {
  constexpr size_t kMostBytes = 300;
  std::string text = value.substr(0, kMostBytes);
  if (value.size() > kMostBytes) {
    while ((static_cast<unsigned char>(value[text.size()]) & 0xC0) == 0x80) text.pop_back();  // whole characters
    text += "… (" + std::to_string(value.size()) + " bytes)";
  }
  std::replace(text.begin(), text.end(), '\n', '?');
  return Harmless(text);
}

class Parser {
 public:
  Parser(const Command& command, std::span<const std::string> words) : command_(command), words_(words) {
    parsed_.line.command = &command;
  }

  ParsedLine Parse() {
    while (next_ < words_.size()) TakeWord(words_[next_++]);
    if (!parsed_.line.help) {
      CheckArguments();
      CheckRequiredFlags();
    }
    return std::move(parsed_);
  }

 private:
  void TakeWord(const std::string& word) {
    if (only_arguments_ || word.size() < 2 || word[0] != '-') {
      parsed_.line.arguments.push_back(word);
    } else if (word == "--") {
      only_arguments_ = true;
    } else if (word == "-h" || word == "--help") {
      parsed_.line.help = true;
    } else {
      TakeFlag(word);
    }
  }

  void TakeFlag(const std::string& word) {
    const size_t dashes = word[1] == '-' ? 2 : 1;
    const size_t equals = word.find('=');
    std::string name = word.substr(dashes, equals == std::string::npos ? std::string::npos : equals - dashes);
    std::replace(name.begin(), name.end(), '-', '_');
    if (const FlagRule* rule = Taken(name)) {
      TakeValue(*rule, word, equals);
    } else if (const FlagRule* negated = name.starts_with("no") ? Taken(name.substr(2)) : nullptr;
               negated != nullptr && negated->is_switch && equals == std::string::npos) {
      Set(*negated, "false");
    } else {
      RefuseFlag(name, equals == std::string::npos);
    }
  }

  void TakeValue(const FlagRule& rule, const std::string& word, size_t equals) {
    if (equals != std::string::npos) return Set(rule, word.substr(equals + 1));
    if (rule.is_switch) return Set(rule, "true");
    if (next_ >= words_.size()) return Fault("--" + rule.name + ": a value is missing (" + rule.placeholder + ")");
    Set(rule, words_[next_++]);
  }

  void Set(const FlagRule& rule, const std::string& value) {
    if (std::string fault = FaultOfValue(rule, value); !fault.empty()) {
      return Fault("--" + rule.name + (rule.may_hold_secrets ? "" : "=" + Shown(value)) + ": " + Shown(fault));
    }
    for (FlagSetting& setting : parsed_.line.settings) {
      if (setting.name != rule.name) continue;
      if (!rule.is_list) return Fault("--" + rule.name + ": given twice");
      setting.value += "," + value;
      return;
    }
    parsed_.line.settings.push_back({rule.name, value});
  }

  // The value of a refused flag cannot be told from an argument; swallowing it keeps it out of the argument count.
  void RefuseFlag(const std::string& name, bool value_may_follow) {
    const FlagRule* foreign = FindFlagRule(name);
    if (foreign != nullptr) {
      Fault("--" + name + ": not a flag of 'fensi " + command_.name + "'" + CommandsThatTake(name));
      const bool has_value = value_may_follow && !foreign->is_switch;
      if (has_value && next_ < words_.size() && !words_[next_].starts_with("-")) ++next_;
      return;
    }
    std::vector<std::string> known;
    for (const FlagUse& use : command_.flags) {
      if (!use.hidden) known.push_back("--" + use.name);
    }
    Fault("--" + name + ": unknown flag" + DidYouMean("--" + name, known));
  }

  static std::string CommandsThatTake(const std::string& name) {
    std::string text;
    for (const Command& command : AllCommands()) {
      for (const FlagUse& use : command.flags) {
        if (use.name == name && !use.hidden) text += (text.empty() ? " (it belongs to " : ", ") + command.name;
      }
    }
    return text.empty() ? text : text + ")";
  }

  const FlagRule* Taken(const std::string& name) const {
    for (const FlagUse& use : command_.flags) {
      if (use.name == name) return FindFlagRule(name);
    }
    return nullptr;
  }

  void CheckArguments() {
    const size_t count = parsed_.line.arguments.size();
    const std::string usage = "'fensi " + command_.name + " " + command_.arguments + "'";
    if (count < command_.min_arguments) {
      Fault("too few arguments: " + usage);
    } else if (count > command_.max_arguments) {
      const std::string& extra = parsed_.line.arguments[command_.max_arguments];
      Fault(command_.max_arguments == 0 ? "unexpected argument '" + extra + "'"
                                        : "unexpected argument '" + extra + "': the usage is " + usage);
    }
  }

  void CheckRequiredFlags() {
    for (const FlagUse& use : command_.flags) {
      const auto is_it = [&](const FlagSetting& setting) { return setting.name == use.name; };
      const bool given = std::any_of(parsed_.line.settings.begin(), parsed_.line.settings.end(), is_it);
      const auto faulty = [&](const std::string& fault) {
        const std::string flag = "--" + use.name;
        return fault.starts_with(flag + "=") || fault.starts_with(flag + ":");
      };
      const bool told = std::any_of(parsed_.faults.begin(), parsed_.faults.end(), faulty);
      if (!use.required || given || told) continue;
      Fault("--" + use.name + " is missing: " + FlagDescription(use.name));
    }
  }

  void Fault(std::string fault) { parsed_.faults.push_back(std::move(fault)); }

  const Command& command_;
  std::span<const std::string> words_;
  size_t next_ = 0;
  bool only_arguments_ = false;
  ParsedLine parsed_;
};

}  // namespace

ParsedLine ParseCommandLine(const Command& command, std::span<const std::string> words) {
  return Parser(command, words).Parse();
}

void ApplySettings(const CommandLine& line) {
  for (const FlagSetting& setting : line.settings) {
    gflags::SetCommandLineOption(setting.name.c_str(), setting.value.c_str());
  }
}

}  // namespace fensi::cli
