#include "cli/settings/command_line.h"

#include <map>

#include "base/shown_text.h"
#include "cli/flags/short_flags.h"
#include "cli/settings/flag_word.h"
#include "operations/access/secrets.h"

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
    if (meant.rule != nullptr) return TakeValue(*meant.rule, word.typed, meant.value);
    const ShortFlag* letter = IsShort(word) ? FindShortFlag(command_, word.name[0]) : nullptr;
    if (letter != nullptr) return TakeLetter(*letter, word);
    RefuseFlag(word);
  }

  void TakeValue(const FlagRule& rule, const std::string& typed, const std::optional<std::string>& value) {
    if (value) return Set(rule, *value);
    if (next_ < words_.size()) return Set(rule, words_[next_++]);
    line_.flags.Refuse(rule, typed + ": a value is missing (" + rule.placeholder + ")");
  }

  void TakeLetter(const ShortFlag& letter, const FlagWord& word) {
    const FlagRule& rule = *FindFlagRule(letter.flag);
    if (letter.value.empty()) return TakeValue(rule, word.typed, word.value);
    if (!word.value) return Set(rule, letter.value);
    line_.flags.Refuse(rule, word.typed + " takes no value: write --" + letter.flag + "=" + letter.value);
  }

  void Set(const FlagRule& rule, const std::string& value) {
    const std::string flag = "--" + rule.name;
    const std::string secret = rule.may_hold_secrets ? operations::LiteralSecret(value) : "";
    if (secret.empty()) {
      line_.flags.Take(rule, value, flag, kCommandLine);
    } else {
      line_.flags.Refuse(rule, flag + ": " + secret +
                                   " is a secret, and everybody on this machine can read command lines. Write " +
                                   operations::ReferencesOf(secret) +
                                   ", or put the secret into a file, and name the file with "
                                   "--kafka_property_file");
    }
  }

  // The value of a refused flag cannot be told from an argument; swallowing it keeps it out of the argument count.
  void RefuseFlag(const FlagWord& word) {
    const FlagRule* foreign = FindFlagRule(word.name);
    const std::string instead = Instead(word.name);
    if (foreign != nullptr) {
      line_.flags.AddFault(word.typed + ": not a flag of 'fensi " + command_.name + "'" +
                           (instead.empty() ? CommandsThatTake(word.name) : "; write " + instead));
      const bool has_value = !word.value && !foreign->is_switch;
      if (has_value && next_ < words_.size() && !words_[next_].starts_with("-")) ++next_;
      return;
    }
    if (!instead.empty()) return line_.flags.AddFault(word.typed + ": unknown flag; write " + instead);
    if (IsDigit(word.typed[1]) && command_.max_arguments > 0) {
      return line_.flags.AddFault(word.typed + ": unknown flag. An argument that begins with '-' goes after '--', " +
                                  "which ends the flags: fensi " + command_.name + " … -- " + word.typed);
    }
    std::vector<std::string> known;
    for (const FlagUse& use : command_.flags) {
      if (!use.hidden && !IsShort(word)) known.push_back("--" + use.name);
    }
    line_.flags.AddFault(word.typed + ": unknown flag" + DidYouMean("--" + word.name, known));
  }

  static bool IsDigit(char letter) { return letter >= '0' && letter <= '9'; }

  /// The flag of this command, with its placeholder, for a word by which others know it; empty: there is none.
  std::string Instead(const std::string& name) const {
    static const std::map<std::string, std::vector<std::string>> kOthers = {
        {"source", {"kafka"}},
        {"kafka", {"source"}},
        {"brokers", {"kafka", "source"}},
        {"broker", {"kafka", "source"}},
        {"bootstrap_server", {"kafka", "source"}},
        {"bootstrap_servers", {"kafka", "source"}},
        {"limit", {"max_rows", "max_events", "max"}},
        {"max_rows", {"max_events", "max"}},
        {"max_events", {"max_rows", "max"}},
    };
    const auto others = kOthers.find(name);
    if (others == kOthers.end()) return "";
    for (const std::string& other : others->second) {
      const FlagRule* const rule = Taken(other);
      if (rule == nullptr) continue;
      return "--" + other +
             (rule->is_switch ? "" : "=" + (other == "source" ? "kafka://HOST:PORT" : rule->placeholder));
    }
    return "";
  }

  static std::string CommandsThatTake(const std::string& name) {
    std::string text;
    for (const Command& command : AllCommands()) {
      for (const FlagUse& use : command.flags) {
        if (use.name == name && !use.hidden) text += (text.empty() ? " (it belongs to " : ", ") + command.name;
      }
    }
    return text.empty() ? text : text + "): leave it out";
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
