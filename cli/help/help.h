// The texts of `fensi help` and `fensi help COMMAND`. Pure.
#pragma once

#include <string>
#include <vector>

#include "cli/program/command.h"

namespace fensi::cli {

/// The meaning of a flag for the command that has it.
std::string ShownMeaning(const FlagUse& use);
/// The default of a flag for the command that has it. Empty: none, or the meaning names the default itself.
std::string ShownDefault(const FlagUse& use);

std::string ProgramHelp();
std::string CommandHelp(const Command& command);

/// `fensi help TOPIC`: a page of docs/, a function of the mapping language, the section of a page with this heading, or
/// the rows of the pages' tables for a key, an exit code, an event of the log or a word of the glossary. Empty: unknown
/// topic.
std::string TopicHelp(const std::string& topic);

/// `fensi` alone: what most people need first.
std::string ShortHelp();

/// `fensi help WORD…` for other words: the commands, flags, functions and pages that have all of them. Empty: none.
std::string SearchHelp(const std::vector<std::string>& words);

/// `fensi help functions`: every function of the mapping language.
std::string FunctionsHelp();

}  // namespace fensi::cli
