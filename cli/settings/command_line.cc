#include "cli/settings/command_line.h"

#include "cli/flags/secrets.h"
#include "cli/program/suggest.h"
#include "cli/settings/flag_word.h"

namespace fensi::cli {
namespace {

class LineParser {
 public:
  LineParser(const Command& command, std::span<const std::string> words) : command_(command), words_(words) {}

  CommandLine Parse() {
    while (next_ < words_.size()) TakeWord(words_[next_++]);
    return std::move(line_);
  }

 private:
  void TakeWord(const std::string& word) {
    if (only_arguments_ || word.size() < 2 || word[0] != '-') {
      line_.arguments.push_back(word);
    } else if (word == "--") {
      only_arguments_ = true;
    } else if (word == "-h" || word == "--help") {
      line_.help = true;
    } else {
      TakeFlag(SplitFlagWord(word));
    }
  }

  void TakeFlag(const FlagWord& word) {
    const MeantFlag meant = MeantBy(word, [&](const std::string& name) { return Taken(name); });
    if (meant.rule == nullptr) return RefuseFlag(word.name, !word.value);
    if (meant.value) return Set(*meant.rule, *meant.value);
    const std::string flag = "--" + meant.rule->name;
    if (next_ >= words_.size()) {
      return line_.flags.Refuse(*meant.rule, flag + ": a value is missing (" + meant.rule->placeholder + ")");
    }
    Set(*meant.rule, words_[next_++]);
  }

  void Set(const FlagRule& rule, const std::string& value) {
    const std::string flag = "--" + rule.name;
    const std::string secret = rule.may_hold_secrets ? LiteralSecret(value) : "";
    if (secret.empty()) {
      line_.flags.Take(rule, value, flag, kCommandLine);
    } else {
      line_.flags.Refuse(rule, flag + ": " + secret +
                                   " is a secret, and everybody on this machine can read command lines; write " +
                                   ReferencesOf(secret) +
                                   ", or put it into a file, and name that with "
                                   "--kafka_property_file");
    }
  }

  // The value of a refused flag cannot be told from an argument; swallowing it keeps it out of the argument count.
  void RefuseFlag(const std::string& name, bool value_may_follow) {
    const FlagRule* foreign = FindFlagRule(name);
    if (foreign != nullptr) {
      line_.flags.AddFault("--" + name + ": not a flag of 'fensi " + command_.name + "'" + CommandsThatTake(name));
      const bool has_value = value_may_follow && !foreign->is_switch;
      if (has_value && next_ < words_.size() && !words_[next_].starts_with("-")) ++next_;
      return;
    }
    std::vector<std::string> known;
    for (const FlagUse& use : command_.flags) {
      if (!use.hidden) known.push_back("--" + use.name);
    }
    line_.flags.AddFault("--" + name + ": unknown flag" + DidYouMean("--" + name, known));
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

  const Command& command_;
  std::span<const std::string> words_;
  size_t next_ = 0;
  bool only_arguments_ = false;
  CommandLine line_;
};

}  // namespace

CommandLine ParseCommandLine(const Command& command, std::span<const std::string> words) {
  return LineParser(command, words).Parse();
}

}  // namespace fensi::cli
