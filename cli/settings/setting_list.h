// The flags of one place: the command line, the environment, or one flag file. Pure.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/flags/flags.h"

namespace fensi::cli {

/// The origin of typed flags.
constexpr char kCommandLine[] = "command line";

struct FlagSetting {
  std::string name;
  std::string value;   // several values of a list are joined by commas
  std::string origin;  // for people: "command line", "FENSI_" and a name, "fensi.conf:3"; of a list all of them
};

/// Has each flag once, with a value that its rule accepts.
class SettingList {
 public:
  /// `shown` is the flag as written in its place: "--workers". Null if it is refused; the pointer is valid until the
  /// next call.
  const FlagSetting* Take(const FlagRule& rule, const std::string& value, const std::string& shown,
                          const std::string& origin);
  /// Records a flag that is named and refused.
  void Refuse(const FlagRule& rule, const std::string& fault);
  void AddFault(std::string fault) { faults_.push_back(std::move(fault)); }

  const std::vector<FlagSetting>& settings() const { return settings_; }
  /// Null: the list has no such flag.
  const FlagSetting* Find(const std::string& name) const;
  /// True if taken or refused.
  bool Names(const std::string& name) const { return named_.contains(name); }
  /// Sentences.
  const std::vector<std::string>& faults() const { return faults_; }

 private:
  std::vector<FlagSetting> settings_;
  std::set<std::string> named_;
  std::vector<std::string> faults_;
};

/// The written value, sanitized and shortened for a terminal.
std::string ShownValue(const std::string& value);

}  // namespace fensi::cli
