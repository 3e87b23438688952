// Every flag of the program, as flag_table.h lists them: gflags' variables, and rules that gflags cannot express
// (placeholder, range, list).
//
// Values out of range are refused, never clipped. Set before any thread starts; afterwards only those that a reload may
// change (daemon/control), by the thread that reloads, and read by that thread alone.
#pragma once

#include <gflags/gflags_declare.h>

#include <functional>
#include <string>

#define FLAG(type, name, ...) DECLARE_##type(name)
#include "cli/flags/flag_table.h"
#undef FLAG
DECLARE_string(flagfile);  // of gflags

namespace fensi::cli {

struct FlagRule {
  std::string name;
  std::string placeholder;  // "URL", "N"
  bool is_switch = false;
  bool is_list = false;           // may be given several times; values are joined by commas
  bool must_be_typed = false;     // executes a plan, so no variable and no file may set it for many commands
  bool may_hold_secrets = false;  // its values are never shown, not even wrong ones (operations/access/secrets.h)
  bool is_place = false;          // an address of servers: no user before a host
  std::string description;
  /// The error in a value, as a sentence without the flag's name; empty: none.
  std::function<std::string(const std::string&)> fault;
};

/// Null: no such flag.
const FlagRule* FindFlagRule(const std::string& name);

std::string FaultOfValue(const FlagRule& rule, const std::string& value);
std::string FlagDescription(const std::string& name);
std::string FlagDefault(const std::string& name);
std::string FlagValue(const std::string& name);
/// True if it was set, in any place.
bool FlagIsGiven(const std::string& name);
/// True if it was typed in the command line. The environment and flag files are for many commands, so only a typed flag
/// is refused by a command that does not take it.
bool FlagIsTyped(const std::string& name);
/// Sets a flag to a value that FaultOfValue accepts.
void SetFlag(const std::string& name, const std::string& value, bool typed);

}  // namespace fensi::cli
