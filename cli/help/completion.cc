#include "cli/help/completion.h"

#include <map>

#include "base/kerberos.h"
#include "cli/flags/flags.h"
#include "cli/help/pages.h"
#include "cli/program/command.h"

namespace fensi::cli {
namespace {

/// As a word in single quotes; `also` are characters that mean something inside of them, and get a backslash.
std::string Quoted(std::string_view text, std::string_view also = "") {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
      continue;
    }
    if (also.find(c) != std::string_view::npos) quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

/// The description of a flag, up to the first break of the sentence.
std::string Short(const std::string& description) { return description.substr(0, description.find_first_of(".;:(,")); }

std::vector<std::string> ShownFlags(const Command& command) {
  std::vector<std::string> names;
  for (const FlagUse& use : command.flags) {
    if (!use.hidden) names.push_back(use.name);
  }
  return names;
}

std::vector<std::string> QopWords() {
  std::vector<std::string> words;
  for (const Qop qop : kQops) words.emplace_back(QopName(qop));
  return words;
}

/// The values of flags that have few; those of the others are places and names of a person's own.
const std::map<std::string, std::vector<std::string>>& FlagValues() {
  static const std::map<std::string, std::vector<std::string>> values = {
      {"format", {"table", "tsv", "json", "jsonl", "shell"}},
      {"color", {"auto", "always", "never"}},
      {"direction", {"both", "forward", "reverse"}},
      {"method", {"lookup", "digest"}},
      {"log_level", {"debug", "info", "warning", "error"}},
      {"log_format", {"text", "json"}},
      {"kafka_format", {"event", "hbase_kafka_proxy"}},
      {"store_qop", QopWords()},
      {"rpc_qop", QopWords()},
      {"as_of", {"watermark"}},
      {"until", {"now"}},
      {"source", {"kafka://", "file:"}},
      {"store", {"hbase://", "hbases://", "thrift://", "thrifts://", "thrift+https://", "embedded:"}},
      {"dead_letters", {"kafka", "file:"}},
  };
  return values;
}

/// Possible arguments of the command, besides files.
std::vector<std::string> ArgumentWords(const Command& command) {
  if (command.name == "completion") return CompletedShells();
  if (command.name == "dead-letters") return {"list", "show", "retry", "discard"};
  std::vector<std::string> words;
  if (command.name != "help") return words;
  for (const Command& other : AllCommands()) words.push_back(other.name);
  for (const Page& page : Pages()) words.push_back(PageTopic(page));
  words.insert(words.end(), {"functions", "man"});
  return words;
}

std::string Joined(const std::vector<std::string>& words, const std::string& before) {
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : " ") + before + word;
  return joined;
}

bool IsSwitch(const std::string& flag) {
  const FlagRule* rule = FindFlagRule(flag);
  return rule != nullptr && rule->is_switch;
}

std::string BashScript() {
  std::string names, cases, values;
  for (const auto& [flag, known] : FlagValues()) {
    values += "    --" + flag + ") values=" + Quoted(Joined(known, "")) + " ;;\n";
  }
  for (const Command& command : AllCommands()) {
    names += (names.empty() ? "" : " ") + command.name;
    cases += "    " + command.name + ") flags=" + Quoted(Joined(ShownFlags(command), "--")) +
             " words=" + Quoted(Joined(ArgumentWords(command), "")) + " ;;\n";
  }
  return "# Completion of fensi for bash.\n"
         "_fensi() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} flags= words= values=\n"
         "  COMPREPLY=()\n"
         "  [[ $word == = ]] && word=\n"
         "  [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    COMPREPLY=($(compgen -W " +
         Quoted(names) +
         " -- \"$word\"))\n"
         "    return\n"
         "  fi\n"
         "  case ${COMP_WORDS[1]} in\n" +
         cases +
         "  esac\n"
         "  case $before in\n" +
         values +
         "  esac\n"
         "  if [[ $values ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
         "  elif [[ $word == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$flags\" -- \"$word\"))\n"
         "  elif [[ $words && ($COMP_CWORD == 2 || ${COMP_WORDS[1]} != dead-letters) ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "  elif [[ $before == *.yaml || $before == *.yml ]]; then  # the indexes of a mapping file\n"
         "    COMPREPLY=($(compgen -W \"$(fensi check \"$before\" --json 2>/dev/null |\n"
         "      sed -n 's/.*\"index\": *\"\\([^\"]*\\)\",\"table\".*/\\1/p')\" -- \"$word\"))\n"
         "  fi\n"
         "}\n"
         "complete -o default -F _fensi fensi\n";
}

std::string ZshFlag(const std::string& name) {
  const std::string text = "[" + Short(FlagDescription(name)) + "]";
  const auto known = FlagValues().find(name);
  const std::string values = known == FlagValues().end() ? "_files" : "(" + Joined(known->second, "") + ")";
  const std::string spec = IsSwitch(name) ? "--" + name + text : "*--" + name + "=" + text + ":value:" + values;
  return Quoted(spec);
}

std::string ZshScript() {
  std::string names, cases;
  for (const Command& command : AllCommands()) {
    names += "    " + Quoted(command.name + ":" + command.summary) + "\n";
    cases += "    " + command.name + ") _arguments";
    for (const std::string& flag : ShownFlags(command)) cases += " " + ZshFlag(flag);
    const std::string words = Joined(ArgumentWords(command), "");
    cases += words.empty() ? " '*:file:_files' ;;\n" : " " + Quoted("*:word:(" + words + ")") + " ;;\n";
  }
  return "#compdef fensi\n"
         "# Completion of fensi for zsh.\n"
         "_fensi() {\n"
         "  local -a commands=(\n" +
         names +
         "  )\n"
         "  if ((CURRENT == 2)); then\n"
         "    _describe command commands\n"
         "    return\n"
         "  fi\n"
         "  local command=$words[2]\n"
         "  shift words\n"
         "  ((CURRENT--))\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "}\n"
         "_fensi \"$@\"\n";
}

std::string FishScript() {
  std::string text = "# Completion of fensi for fish.\n";
  for (const Command& command : AllCommands()) {
    text += "complete -c fensi -n __fish_use_subcommand -f -a " + command.name + " -d " +
            Quoted(command.summary, "\\") + "\n";
    const std::string behind = "complete -c fensi -n '__fish_seen_subcommand_from " + command.name + "'";
    for (const std::string& flag : ShownFlags(command)) {
      const auto known = FlagValues().find(flag);
      const std::string values = known == FlagValues().end() ? "" : " -f -a " + Quoted(Joined(known->second, ""));
      text += behind + " -l " + flag + (IsSwitch(flag) ? "" : " -r") + values + " -d " +
              Quoted(Short(FlagDescription(flag)), "\\") + "\n";
    }
    const std::string words = Joined(ArgumentWords(command), "");
    if (!words.empty()) text += behind + " -f -a " + Quoted(words) + "\n";
  }
  return text;
}

}  // namespace

const std::vector<std::string>& CompletedShells() {
  static const std::vector<std::string> shells = {"bash", "fish", "zsh"};
  return shells;
}

std::string CompletionScript(std::string_view shell) {
  if (shell == "bash") return BashScript();
  return shell == "zsh" ? ZshScript() : FishScript();
}

}  // namespace fensi::cli
