#include "sweep/found_text.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "sweep/board_text.h"

namespace fensi::sweep {
namespace {

constexpr std::array kKinds = {Finding::Kind::kMissing, Finding::Kind::kOrphan, Finding::Kind::kContentDiffers,
                               Finding::Kind::kUndecided, Finding::Kind::kUnmappable};
constexpr char kNoColumn[] = "-";

/// In the order of the line.
std::array<std::string*, 8> TextsOf(Finding* finding) {
  return {&finding->source.row,     &finding->cell.table, &finding->cell.row, &finding->cell.family,
          &finding->cell.qualifier, &finding->expected,   &finding->found,    &finding->reason};
}

bool ReadColumn(std::istringstream* words, Finding* finding) {
  std::string family, qualifier;
  if (!(*words >> family >> qualifier)) return false;
  if (family == kNoColumn && qualifier == kNoColumn) return true;
  const std::optional<std::string> name = KeyOf(family), column = KeyOf(qualifier);
  if (name && column) finding->source.column = {*name, *column};
  return name && column;
}

bool ReadTexts(std::istringstream* words, Finding* finding) {
  for (std::string* text : TextsOf(finding)) {
    std::string word;
    if (!(*words >> word)) return false;
    const std::optional<std::string> value = KeyOf(word);
    if (!value) return false;
    *text = *value;
  }
  std::string more;
  return !(*words >> more);
}

}  // namespace

std::string TextOf(const Finding& finding) {
  std::string text = std::string(KindName(finding.kind)) + " " + std::to_string(finding.seen) + " " +
                     std::to_string(finding.confirmed) + " " + std::to_string(finding.timestamp);
  const std::optional<store::ColumnPlace>& column = finding.source.column;
  text +=
      " " + (column ? KeyWord(column->family) : kNoColumn) + " " + (column ? KeyWord(column->qualifier) : kNoColumn);
  Finding copy = finding;
  for (const std::string* part : TextsOf(&copy)) text += " " + KeyWord(*part);
  return text;
}

std::optional<Finding> FindingOf(const std::string& text) {
  std::istringstream words(text);
  std::string kind;
  Finding finding;
  if (!(words >> kind >> finding.seen >> finding.confirmed >> finding.timestamp)) return std::nullopt;
  const auto known =
      std::find_if(kKinds.begin(), kKinds.end(), [&](Finding::Kind each) { return kind == KindName(each); });
  if (known == kKinds.end() || !ReadColumn(&words, &finding) || !ReadTexts(&words, &finding)) return std::nullopt;
  finding.kind = *known;
  return finding;
}

}  // namespace fensi::sweep
