#include "mapping/yaml/text_check.h"

#include "base/utf8.h"
#include "mapping/mapping_text.h"
#include "mapping/screen_text.h"

namespace fensi::mapping {

namespace {

// Reports the first fault of a line.
bool CheckLine(Reporter* reporter, int number, std::string_view line) {
  for (size_t i = 0; i < line.size();) {
    const Place place{number, static_cast<int>(i) + 1, 1};
    const size_t length = Utf8Length(line.substr(i));
    if (line[i] == '\t') {
      reporter->Report(Code::kTab, place, "a tab", {"indent with spaces; in a template a tab is \\x09"});
      return false;
    }
    if (length == 0 || IsControl(line.substr(i), length)) {
      reporter->Report(Code::kNotText, place, length == 0 ? "this byte is not UTF-8" : "a control character",
                       {"in a template any byte can be written as \\xNN"});
      return false;
    }
    i += length;
  }
  return true;
}

}  // namespace

bool CheckText(Reporter* reporter) {
  if (reporter->text().size() > kMaxMappingBytes) {
    reporter->Report(Code::kTooLarge, {1, 1, 1},
                     "the file has more than " + std::to_string(kMaxMappingBytes) + " bytes");
    return false;
  }
  bool good = true;
  int number = 1;
  std::string_view rest = reporter->text();
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    good = CheckLine(reporter, number, reporter->Line(number)) && good;
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    ++number;
  }
  return good;
}

}  // namespace fensi::mapping
