// What one place says of flags: the command line, the environment, or one flag file. Pure.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/flags/flags.h"

namespace fensi::cli {

/// The origin of what is typed.
constexpr char kCommandLine[] = "command line";

struct FlagSetting {
  std::string name;
  std::string value;   // values of a list that is given several times are joined by commas
  std::string origin;  // for people: "command line", "FENSI_" and a name, "fensi.conf:3"; of a list all of them
};

/// Each flag stands in it once, with a value that its rule takes.
class SettingList {
 public:
  /// `shown` is the flag as the place writes it: "--workers". Null when it is refused; the pointer holds until the next
  /// call.
  const FlagSetting* Take(const FlagRule& rule, const std::string& value, const std::string& shown,
                          const std::string& origin);
  /// The flag is named there, and not taken.
  void Refuse(const FlagRule& rule, const std::string& fault);
  void AddFault(std::string fault) { faults_.push_back(std::move(fault)); }

  const std::vector<FlagSetting>& settings() const { return settings_; }
  /// Null when the list has no such flag.
  const FlagSetting* Find(const std::string& name) const;
  /// Taken or refused.
  bool Names(const std::string& name) const { return named_.contains(name); }
  /// Sentences.
  const std::vector<std::string>& faults() const { return faults_; }

 private:
  std::vector<FlagSetting> settings_;
  std::set<std::string> named_;
  std::vector<std::string> faults_;
};

/// What was written, for a terminal: no longer than a person reads, and one line.
std::string ShownValue(const std::string& value);

}  // namespace fensi::cli
