#include "cli/settings/setting_list.h"

#include <algorithm>

#include "base/shown_text.h"
#include "cli/program/output.h"
#include "operations/access/secrets.h"

namespace fensi::cli {

const FlagSetting* SettingList::Take(const FlagRule& rule, const std::string& value, const std::string& shown,
                                     const std::string& origin) {
  if (const std::string fault = FaultOfValue(rule, value); !fault.empty()) {
    const bool hides = rule.may_hold_secrets || (rule.is_place && operations::NamesUser(value));
    Refuse(rule, shown + (hides ? "" : "=" + ShownValue(value)) + ": " + ShownValue(fault));
    return nullptr;
  }
  if (rule.must_be_typed && value == "true" && origin != kCommandLine) {
    Refuse(rule, shown + ": type this flag in the command line; no flag file and no variable may set it");
    return nullptr;
  }
  named_.insert(rule.name);
  const auto first = std::find_if(settings_.begin(), settings_.end(),
                                  [&](const FlagSetting& setting) { return setting.name == rule.name; });
  if (first == settings_.end()) return &settings_.emplace_back(FlagSetting{rule.name, value, origin});
  const bool elsewhere = first->origin != origin;
  if (!rule.is_list) {
    Refuse(rule, shown + ": given twice" + (elsewhere ? ", first in " + first->origin : "") + "; remove one");
    return nullptr;
  }
  first->value += "," + value;
  if (elsewhere) first->origin += ", " + origin;
  return &*first;
}

void SettingList::Refuse(const FlagRule& rule, const std::string& fault) {
  named_.insert(rule.name);
  AddFault(fault);
}

const FlagSetting* SettingList::Find(const std::string& name) const {
  const auto found = std::find_if(settings_.begin(), settings_.end(),
                                  [&](const FlagSetting& setting) { return setting.name == name; });
  return found == settings_.end() ? nullptr : &*found;
}

std::string ShownValue(const std::string& value) {
  constexpr size_t kMostBytes = 300;
  std::string text = value.substr(0, kMostBytes);
  if (value.size() > kMostBytes) {
    while ((static_cast<unsigned char>(value[text.size()]) & 0xC0) == 0x80) text.pop_back();  // whole characters
    text += "… (" + std::to_string(value.size()) + " bytes)";
  }
  std::replace(text.begin(), text.end(), '\n', '?');
  return SanitizeForTerminal(text);
}

}  // namespace fensi::cli
