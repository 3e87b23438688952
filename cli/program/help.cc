#include "cli/program/help.h"

#include <algorithm>

#include "cli/flags/flags.h"
#include "mapping/functions_reference.h"

namespace fensi::cli {
namespace {

constexpr size_t kTextWidth = 100;

std::string Padded(const std::string& text, size_t width) {
  return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

/// Breaks `text` at spaces so that no line is wider than kTextWidth; every line begins with `indent` spaces.
std::string Wrapped(const std::string& text, size_t indent) {
  std::string out, line;
  const auto flush = [&] {
    if (!line.empty()) out += std::string(indent, ' ') + line + "\n";
    line.clear();
  };
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && indent + line.size() + 1 + word.size() > kTextWidth) flush();
    if (!word.empty()) line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  flush();
  return out;
}

std::string FlagHelp(const FlagUse& use) {
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
  return head + "\n" + Wrapped(text, 6);
}

/// Backquotes mark code on a page, and are noise on a terminal.
std::string Plain(std::string text) {
  std::erase(text, '`');
  return text;
}

}  // namespace

std::string FunctionsHelp() {
  std::string text =
      "Functions of templates: {reference | function argument | ...}. 'default x' stands in for what is absent.\n";
  std::string group;
  for (const mapping::FunctionText& function : mapping::FunctionTexts()) {
    if (function.group != group) text += "\n" + function.group + "\n";
    group = function.group;
    text += "  " + function.usage + "   (" + function.types + ")\n" + Wrapped(Plain(function.summary), 6);
    if (function.errors != "never") text += Wrapped(Plain(function.errors), 6);
    text += "      " + function.input + " " + function.steps + "  gives  " + function.output + "\n";
  }
  return text;
}

std::string ProgramHelp() {
  std::string text =
      "fensi keeps secondary index tables of HBase up to date.\n\nusage: fensi COMMAND [flags] [arguments]\n\n";
  for (const Command& command : AllCommands()) text += "  " + Padded(command.name, 10) + command.summary + "\n";
  return text +
         "\n'fensi help COMMAND' shows the flags of a command, with examples; 'fensi help functions' what templates "
         "can do.\n";
}

std::string CommandHelp(const Command& command) {
  std::string text = "usage: fensi " + command.name;
  if (!command.flags.empty()) text += " [flags]";
  if (!command.arguments.empty()) text += " " + command.arguments;
  text += "\n\n" + Wrapped(command.description, 0);
  if (!command.flags.empty()) text += "\nflags:\n";
  for (const FlagUse& use : command.flags) {
    if (!use.hidden) text += FlagHelp(use);
  }
  if (!command.examples.empty()) text += "\nexamples:\n";
  for (const Example& example : command.examples) text += "  " + example.line + "\n" + Wrapped(example.meaning, 6);
  return text;
}

}  // namespace fensi::cli
