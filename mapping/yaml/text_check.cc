#include "mapping/yaml/text_check.h"

#include "mapping/yaml/parse.h"

namespace fensi::mapping {

size_t Utf8Length(std::string_view rest) {
  const auto lead = static_cast<unsigned char>(rest[0]);
  const size_t length = lead < 0x80                   ? 1
                        : lead >= 0xc2 && lead < 0xe0 ? 2
                        : lead >= 0xe0 && lead < 0xf0 ? 3
                        : lead >= 0xf0 && lead < 0xf5 ? 4
                                                      : 0;
  if (length == 0 || length > rest.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(rest[i]) & 0xc0) != 0x80) return 0;
  }
  return length;
}

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

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
    if (length == 0 || IsControl(line[i])) {
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
                     "the file has " + std::to_string(reporter->text().size()) + " bytes, more than " +
                         std::to_string(kMaxMappingBytes));
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
