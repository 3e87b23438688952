#include "cli/settings/flag_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/shown_text.h"
#include "base/text.h"
#include "cli/flags/flags.h"
#include "cli/settings/flag_word.h"
#include "operations/access/secret_file.h"
#include "operations/access/secrets.h"

namespace fensi::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostNested = 4;  // files that a file reads, and those that they read, and so on

/// So that a file is known by whatever name.
std::string OneName(const std::string& path) {
  std::error_code error;
  const fs::path name = fs::weakly_canonical(path, error);
  return error ? path : name.string();
}

class FlagFileReader {
 public:
  FlagFiles Read(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) ReadFile(path, "--flagfile: ");
    return std::move(read_);
  }

 private:
  struct Open {
    std::string path;
    Status secrecy;
    SettingList list;
    std::string place;  // of the current line: "fensi.conf:3"
  };

  void ReadFile(const std::string& path, const std::string& named_by) {
    const std::string name = OneName(path);
    if (std::find(open_.begin(), open_.end(), name) != open_.end()) {
      return Fault(
          named_by + path +
          " is being read already: flag files include each other in a cycle. Remove one of the lines --flagfile");
    }
    if (open_.size() > kMostNested) {
      return Fault(named_by + path + " is more than " + std::to_string(kMostNested) +
                   " files deep: remove the line --flagfile from one of the flag files");
    }
    Result<operations::SettingsFile> file = operations::ReadSettingsFile(path);
    if (!file.ok()) return RefuseFile(named_by + file.status().message());
    open_.push_back(name);
    ReadLines(file->text, Open{path, file->secrecy, {}, ""});
    open_.pop_back();
  }

  void ReadLines(std::string_view text, Open file) {
    size_t number = 0;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      std::string_view line = text.substr(at, end - at);
      at = end + 1;
      file.place = file.path + ":" + std::to_string(++number);
      if (line.ends_with('\r')) line.remove_suffix(1);
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      if (!Trimmed(line).empty() && !line.starts_with('#')) TakeLine(std::string(line), &file);
    }
    for (const std::string& fault : file.list.faults()) Fault(fault);
  }

  void TakeLine(const std::string& line, Open* file) {
    const bool is_flag = line.size() > 2 && line.starts_with("--") && line.find('\0') == std::string::npos;
    const FlagWord word = is_flag ? SplitFlagWord(line) : FlagWord();
    if (!is_flag || word.name.find_first_of(" \t") != std::string::npos) {
      return Fault(file->place +
                   ": the line is no flag; write --FLAG=VALUE or --SWITCH, and '#' in front of a comment");
    }
    const MeantFlag meant = MeantBy(word, FindFlagRule);
    const std::string shown = file->place + ": --" + ShownValue(word.name);
    if (meant.rule == nullptr) return Fault(shown + ": unknown flag" + Suggestion(word.name));
    read_.named.insert(meant.rule->name);
    if (!meant.value)
      return Fault(shown + ": a value is missing; write --" + word.name + "=" + meant.rule->placeholder);
    if (word.name == "flagfile") return Include(*meant.value, *file);
    CheckSecrecy(*meant.rule, *meant.value, file);
    if (const FlagSetting* setting = file->list.Take(*meant.rule, *meant.value, shown, file->place)) Put(*setting);
  }

  static std::string Suggestion(const std::string& name) {
    std::vector<std::string> known = ShownFlagNames();
    for (std::string& flag : known) flag.insert(0, "--");
    return DidYouMean("--" + name, known);
  }

  void Include(const std::string& paths, const Open& file) {
    const std::vector<std::string> names = SplitList(paths);
    if (names.empty()) Fault(file.place + ": --flagfile: the name is missing; write --flagfile=PATH");
    for (const std::string& name : names) {
      ReadFile((fs::path(file.path).parent_path() / name).string(), file.place + ": --flagfile: ");
    }
  }

  void CheckSecrecy(const FlagRule& rule, const std::string& value, Open* file) {
    if (!rule.may_hold_secrets || file->secrecy.ok() || operations::LiteralSecret(value).empty()) return;
    RefuseFile(file->secrecy.message());
    file->secrecy = Status();  // told once
  }

  void Put(const FlagSetting& setting) {
    const auto earlier = std::find_if(read_.settings.begin(), read_.settings.end(),
                                      [&](const FlagSetting& each) { return each.name == setting.name; });
    if (earlier == read_.settings.end()) {
      read_.settings.push_back(setting);
    } else {
      *earlier = setting;
    }
  }

  void Fault(const std::string& text) { read_.faults.push_back(text); }

  void RefuseFile(const std::string& fault) {
    read_.wrong_file = true;
    Fault(fault);
  }

  FlagFiles read_;
  std::vector<std::string> open_;  // from the outermost
};

}  // namespace

FlagFiles ReadFlagFiles(const std::vector<std::string>& paths) { return FlagFileReader().Read(paths); }

}  // namespace fensi::cli
