#include "cli/settings/settled_again.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "base/mutex.h"
#include "base/text.h"
#include "cli/flags/flags.h"

namespace fensi::cli {
namespace {

constexpr char kDefault[] = "default";

struct Start {
  const Command* command = nullptr;  // null: there was none
  std::vector<std::string> words;
  std::vector<std::string> variables;
  std::vector<FlagSetting> settings;
};

/// The flags with which the process was started.
class TheStart {
 public:
  Start Get() const {
    const MutexLock lock(mu_);
    return start_;
  }
  void Set(Start start) {
    const MutexLock lock(mu_);
    start_ = std::move(start);
  }
  void Take(const FlagSetting& setting) {
    const MutexLock lock(mu_);
    std::erase_if(start_.settings, [&](const FlagSetting& each) { return each.name == setting.name; });
    if (setting.origin != kDefault) start_.settings.push_back(setting);
  }

 private:
  mutable Mutex mu_;
  Start start_ ABSL_GUARDED_BY(mu_);
};

/// Not destroyed: detached threads may still read it when the process ends.
TheStart& OfThisProcess() {
  static TheStart* const start = std::make_unique<TheStart>().release();
  return *start;
}

FlagSetting SettingOf(const std::vector<FlagSetting>& settings, const std::string& name) {
  const auto found =
      std::find_if(settings.begin(), settings.end(), [&](const FlagSetting& each) { return each.name == name; });
  return found == settings.end() ? FlagSetting{name, FlagDefault(name), kDefault} : *found;
}

}  // namespace

void NoteStart(const Command& command, std::span<const std::string> words, std::span<const std::string> variables,
               const Settled& settled) {
  OfThisProcess().Set({.command = &command,
                       .words = {words.begin(), words.end()},
                       .variables = {variables.begin(), variables.end()},
                       .settings = settled.settings});
}

SettledAgain SettleAgain() {
  const Start start = OfThisProcess().Get();
  for (const std::string& path : SplitList(SettingOf(start.settings, "flagfile").value)) {
    std::error_code unknown;
    const auto kind = std::filesystem::status(path, unknown).type();
    // A pipe is empty by now: all that it said would be taken back.
    if (kind == std::filesystem::file_type::fifo || kind == std::filesystem::file_type::character) {
      return {
          .faults =
              {"--flagfile: " + path +
               " is no file that can be read again, but a pipe or a device. Restart the process to change its flags"},
          .changed = {}};
    }
  }
  const Settled now = Settle(*start.command, start.words, start.variables);
  if (!now.faults.empty()) return {.faults = now.faults, .changed = {}};
  return {.faults = {}, .changed = ChangedSettings(*start.command, start.settings, now.settings)};
}

void NoteTaken(const FlagSetting& setting) { OfThisProcess().Take(setting); }

std::string FlagsNow() {
  const Start start = OfThisProcess().Get();
  return start.command == nullptr ? "" : FlagsText(*start.command, start.settings);
}

std::vector<FlagSetting> ChangedSettings(const Command& command, const std::vector<FlagSetting>& before,
                                         const std::vector<FlagSetting>& now) {
  std::vector<FlagSetting> changed;
  for (const FlagUse& use : command.flags) {
    if (use.name == "flagfile" || use.name == "print_flags") continue;
    FlagSetting setting = SettingOf(now, use.name);
    if (setting.value != SettingOf(before, use.name).value) changed.push_back(std::move(setting));
  }
  return changed;
}

}  // namespace fensi::cli
