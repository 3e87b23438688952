#include "cli/flags/flags.h"

#include <gflags/gflags.h>

#include <set>
#include <utility>

#include "cli/flags/value_rules.h"
#include "mapping/environment.h"
#include "operations/access/secrets.h"

#define FLAG(type, name, standard, rule, help) DEFINE_##type(name, standard, help)
#include "cli/flags/flag_table.h"
#undef FLAG

namespace fensi::cli {
namespace {

using Fault = std::function<std::string(const std::string&)>;

FlagRule Value(const char* placeholder, Fault fault) { return {.placeholder = placeholder, .fault = std::move(fault)}; }

FlagRule List(const char* placeholder, Fault fault) {
  return {.placeholder = placeholder, .is_list = true, .fault = std::move(fault)};
}

FlagRule Number(int64_t least, int64_t most) { return Value("N", WholeNumber(least, most)); }

FlagRule Switch() { return {.is_switch = true, .fault = FaultOfSwitch}; }
FlagRule Deed() { return {.is_switch = true, .must_be_typed = true, .fault = FaultOfSwitch}; }

FlagRule Hiding(FlagRule rule) {
  rule.may_hold_secrets = true;
  return rule;
}

FlagRule Place(FlagRule rule) {
  rule.is_place = true;
  return rule;
}

FlagRule Described(const char* name, FlagRule rule, const char* description) {
  rule.name = name;
  rule.description = description;
  return rule;
}

std::vector<FlagRule> MakeRules() {
  std::vector<FlagRule> rules;
  // gflags defines it, and knows it by another description.
  rules.push_back(
      Described("flagfile", List("FILE", FaultOfNames),
                "files with flags, one --FLAG=VALUE or --SWITCH per line. A '#' begins a comment. A line "
                "--flagfile=FILE reads a further file. A flag on the command line overrides environment variables, "
                "and environment variables override the files. The environment variable of a flag is FENSI_ and the "
                "flag's name in capitals ('fensi help configuration')"));
#define FLAG(type, name, standard, rule, help) rules.push_back(Described(#name, rule, help))
#include "cli/flags/flag_table.h"
#undef FLAG
  return rules;
}

gflags::CommandLineFlagInfo InfoOf(const std::string& name) {
  gflags::CommandLineFlagInfo info;
  gflags::GetCommandLineFlagInfo(name.c_str(), &info);
  return info;
}

std::set<std::string>& TypedFlags() {
  static std::set<std::string> names;
  return names;
}

}  // namespace

const FlagRule* FindFlagRule(const std::string& name) {
  static const std::vector<FlagRule> rules = MakeRules();
  for (const FlagRule& rule : rules) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

std::string FaultOfValue(const FlagRule& rule, const std::string& value) {
  if (rule.is_place && operations::NamesUser(value)) {
    return "the value has a user in front of a host. Remove the user from the value, and give the user by the flags of "
           "'fensi help configuration'. fensi does not show the value, because it may have a password";
  }
  return rule.fault(value);
}

std::string FlagDescription(const std::string& name) {
  const FlagRule* rule = FindFlagRule(name);
  return rule == nullptr ? "" : rule->description;
}

std::string FlagDefault(const std::string& name) { return InfoOf(name).default_value; }

std::string FlagValue(const std::string& name) { return InfoOf(name).current_value; }

bool FlagIsGiven(const std::string& name) { return !InfoOf(name).is_default; }

bool FlagIsTyped(const std::string& name) { return TypedFlags().contains(name); }

void SetFlag(const std::string& name, const std::string& value, bool typed) {
  if (typed) TypedFlags().insert(name);
  if (name == "flagfile") {
    FLAGS_flagfile = value;  // gflags would read the files, by rules of its own
  } else {
    gflags::SetCommandLineOption(name.c_str(), value.c_str());
  }
}

}  // namespace fensi::cli
