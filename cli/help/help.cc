#include "cli/help/help.h"

#include "cli/flags/flags.h"
#include "cli/flags/short_flags.h"
#include "cli/help/pages.h"
#include "cli/help/wrap.h"
#include "mapping/functions_reference.h"

namespace fensi::cli {
namespace {

std::string Padded(const std::string& text, size_t width) {
  return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

std::string FlagHelp(const Command& command, const FlagUse& use) {
  const FlagRule* rule = FindFlagRule(use.name);
  std::string head = "  --" + use.name;
  if (rule != nullptr && !rule->is_switch) head += " " + rule->placeholder;
  const std::string standard = ShownDefault(use);
  std::string text = ShownMeaning(use);
  if (use.required) {
    text += " (required)";
  } else if (!standard.empty()) {
    text += " (default " + standard + ")";
  }
  text += ShortFormsText(command, use.name);
  return head + "\n" + Wrapped(text, 6);
}

/// Backquotes mark code on a page, and are noise on a terminal.
std::string Plain(std::string text) {
  std::erase(text, '`');
  return text;
}

std::string FunctionHelp(const mapping::FunctionText& function) {
  std::string text = "  " + function.usage + "   (" + function.types + ")\n" + Wrapped(Plain(function.summary), 6);
  if (function.errors != "never") text += Wrapped(Plain(function.errors), 6);
  return text + "      " + function.input + " " + function.steps + "  gives  " + function.output + "\n";
}

std::string PageNames() {
  std::string names;
  for (const Page& page : Pages()) names += (names.empty() ? "" : ", ") + PageTopic(page);
  return names;
}

/// The places that have all of some words, the first ones of each topic.
class HelpSearch {
 public:
  explicit HelpSearch(const std::vector<std::string>& words) {
    for (const std::string& word : words) words_.push_back(Folded(word));
  }

  void Look(const std::string& topic, const std::string& text) {
    const std::string folded = Folded(text);
    for (const std::string& word : words_) {
      if (folded.find(word) == std::string::npos) return;
    }
    if (topics_.empty() || topics_.back().name != topic) topics_.push_back({topic, {}, 0});
    if (++topics_.back().found <= kMostOfATopic) topics_.back().places.push_back(text);
  }

  std::string Text() const {
    std::string text;
    for (const Topic& topic : topics_) {
      text += topic.name + "\n";
      for (const std::string& place : topic.places) text += Wrapped(Plain(place.substr(0, kMostBytes)), 2);
      const int64_t more = topic.found - kMostOfATopic;
      if (more > 0) text += "  and " + std::to_string(more) + " more\n";
    }
    return text;
  }

 private:
  static constexpr int64_t kMostOfATopic = 2;
  static constexpr size_t kMostBytes = 400;
  struct Topic {
    std::string name;
    std::vector<std::string> places;
    int64_t found = 0;
  };
  std::vector<std::string> words_;
  std::vector<Topic> topics_;
};

}  // namespace

std::string FunctionsHelp() {
  std::string text =
      "Functions of templates: {reference | function argument | ...}. 'default x' gives x if the value is absent.\n";
  std::string group;
  for (const mapping::FunctionText& function : mapping::FunctionTexts()) {
    if (function.group != group) text += "\n" + function.group + "\n";
    group = function.group;
    text += FunctionHelp(function);
  }
  return text;
}

std::string ShownMeaning(const FlagUse& use) { return use.meaning.empty() ? FlagDescription(use.name) : use.meaning; }

std::string ShownDefault(const FlagUse& use) {
  const std::string meaning = ShownMeaning(use);
  if (meaning.find("(default") != std::string::npos) return "";
  const std::string standard = use.meaning.empty() ? FlagDefault(use.name) : use.standard;
  return standard == "false" ? "" : standard;
}

std::string TopicHelp(const std::string& topic) {
  for (const Page& page : Pages()) {
    if (page.name == topic || std::string(page.name) + ".md" == topic) return RenderPage(page.markdown);
  }
  std::string text;
  for (const mapping::FunctionText& function : mapping::FunctionTexts()) {
    if (function.usage.substr(0, function.usage.find(' ')) != topic) continue;
    if (text.empty()) text = function.group + "\n";
    text += FunctionHelp(function);
  }
  if (!text.empty()) return text;
  for (const Page& page : Pages()) {
    const std::string section = RenderSection(page.markdown, topic);
    const std::string rows = section.empty() ? RenderRows(page.markdown, topic) : section;
    if (!rows.empty()) text += "of 'fensi help " + PageTopic(page) + "':\n" + rows;
  }
  return text;
}

std::string ShortHelp() {
  std::string text = "usage: fensi COMMAND [flags] [arguments]\n\n";
  for (const char* name : {"init", "check", "test", "create", "run", "backfill", "verify", "lookup", "status"}) {
    text += "  " + Padded(name, 14) + FindCommand(name)->summary + "\n";
  }
  return text +
         "\n'fensi help' lists all commands and pages. 'fensi help COMMAND' explains a command, and 'fensi help WORD' "
         "searches for a word. The first steps are in README.md (in the package: /usr/share/doc/fensi/README.md).";
}

std::string SearchHelp(const std::vector<std::string>& words) {
  HelpSearch search(words);
  for (const Command& command : AllCommands()) {
    search.Look("fensi help " + command.name, command.summary + ". " + command.description);
    for (const FlagUse& use : command.flags) {
      if (!use.hidden) search.Look("fensi help " + command.name, "--" + use.name + ": " + ShownMeaning(use));
    }
  }
  for (const mapping::FunctionText& function : mapping::FunctionTexts()) {
    search.Look("fensi help " + function.usage.substr(0, function.usage.find(' ')),
                function.usage + ": " + function.summary);
  }
  for (const Page& page : Pages()) {
    for (const std::string& paragraph : ParagraphsOf(page.markdown))
      search.Look("fensi help " + PageTopic(page), paragraph);
  }
  return search.Text();
}

std::string ProgramHelp() {
  std::string text =
      "fensi keeps secondary index tables of HBase up to date.\n\nusage: fensi COMMAND [flags] [arguments]\n\n";
  for (const Command& command : AllCommands()) text += "  " + Padded(command.name, 14) + command.summary + "\n";
  return text + "\n" +
         Wrapped(
             "'fensi help COMMAND' shows the flags of a command, with examples. 'fensi help functions' shows the "
             "functions of templates. 'fensi help TOPIC' shows a page (" +
                 PageNames() + "), a function or an exit code, or searches for a word.",
             0);
}

std::string CommandHelp(const Command& command) {
  std::string text = "usage: fensi " + command.name;
  if (!command.flags.empty()) text += " [flags]";
  if (!command.arguments.empty()) text += " " + command.arguments;
  text += "\n\n" + Wrapped(command.description, 0);
  if (!command.flags.empty()) text += "\nflags:\n";
  for (const FlagUse& use : command.flags) {
    if (!use.hidden) text += FlagHelp(command, use);
  }
  if (!command.examples.empty()) text += "\nexamples:\n";
  for (const Example& example : command.examples) text += "  " + example.line + "\n" + Wrapped(example.meaning, 6);
  return text;
}

}  // namespace fensi::cli
