#include "cli/help/help.h"

#include <algorithm>

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
  const std::string standard = FlagDefault(use.name);
  std::string text = FlagDescription(use.name);
  if (use.required) {
    text += " (required)";
  } else if (!standard.empty() && standard != "false") {
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
  for (const Page& page : Pages()) names.append(names.empty() ? "" : ", ").append(page.name);
  return names;
}

}  // namespace

std::string FunctionsHelp() {
  std::string text =
      "Functions of templates: {reference | function argument | ...}. 'default x' stands in for what is absent.\n";
  std::string group;
  for (const mapping::FunctionText& function : mapping::FunctionTexts()) {
    if (function.group != group) text += "\n" + function.group + "\n";
    group = function.group;
    text += FunctionHelp(function);
  }
  return text;
}

std::string TopicHelp(const std::string& topic) {
  for (const Page& page : Pages()) {
    if (page.name == topic) return RenderPage(page.markdown);
  }
  for (const mapping::FunctionText& function : mapping::FunctionTexts()) {
    if (function.usage.substr(0, function.usage.find(' ')) == topic)
      return function.group + "\n" + FunctionHelp(function);
  }
  std::string text;
  for (const Page& page : Pages()) {
    const std::string rows = RenderRows(page.markdown, topic);
    if (!rows.empty()) text += "of 'fensi help " + std::string(page.name) + "':\n" + rows;
  }
  return text;
}

std::string ProgramHelp() {
  std::string text =
      "fensi keeps secondary index tables of HBase up to date.\n\nusage: fensi COMMAND [flags] [arguments]\n\n";
  for (const Command& command : AllCommands()) text += "  " + Padded(command.name, 12) + command.summary + "\n";
  return text + "\n" +
         Wrapped(
             "'fensi help COMMAND' shows the flags of a command, with examples; 'fensi help functions' what "
             "templates can do. 'fensi help TOPIC' shows a page (" +
                 PageNames() + "), a function, an exit code, or what is said of a word.",
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
