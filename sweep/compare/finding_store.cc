#include "sweep/compare/finding_store.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <sstream>

#include "base/bytes.h"
#include "meta/versioned_meta_row.h"
#include "sweep/jobs/board.h"
#include "sweep/scan/page_reader.h"

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

namespace {

using meta::VersionedMetaRow;

constexpr int64_t kKeptVersion = 1;  // version of what is written once
constexpr size_t kKeptAtOnce = 500;

/// The same for a finding however often it is made.
std::string ColumnOf(const Finding& finding) {
  Hasher hasher;
  hasher.Add(KindName(finding.kind));
  hasher.Add(finding.source.row);
  if (finding.source.column) hasher.Add(finding.source.column->family + ":" + finding.source.column->qualifier);
  const IndexCell& cell = finding.cell;
  for (const std::string* part : {&cell.table, &cell.row, &cell.family, &cell.qualifier}) hasher.Add(*part);
  const Hash hash = hasher.hash();
  std::ostringstream text;
  text << std::hex << std::setfill('0') << std::setw(16) << hash.high << std::setw(16) << hash.low;
  return text.str();
}

Status RequireTaken(const Result<std::vector<store::RejectedRow>>& written) {
  FENSI_RETURN_IF_ERROR(written.status());
  return written->empty() ? Status() : written->front().reason;
}

}  // namespace

std::string FindingStore::RowOf(size_t range) const {
  std::ostringstream number;
  number << std::setfill('0') << std::setw(5) << range;
  return job_row_ + ":" + job_ + ":" + number.str();
}

Status FindingStore::Keep(size_t range, const std::vector<Finding>& findings) const {
  for (size_t begin = 0; begin < findings.size(); begin += kKeptAtOnce) {
    store::RowMutation mutation{RowOf(range), {}};
    for (size_t i = begin; i < std::min(findings.size(), begin + kKeptAtOnce); ++i) {
      mutation.cells.push_back(VersionedMetaRow::CellOf(ColumnOf(findings[i]), kKeptVersion, TextOf(findings[i])));
    }
    FENSI_RETURN_IF_ERROR(RequireTaken(store_->Put(table_, {&mutation, 1})));
  }
  return {};
}

Status FindingStore::Walk(const std::string& prefix, const std::function<Status(const store::Row&)>& use) const {
  store::ScanRequest request = store::PrefixRequest(prefix);
  request.columns.push_back({meta::kFamily, std::nullopt});
  PageReader reader(store_, table_, request);
  std::vector<store::Row> page;
  for (;;) {
    FENSI_ASSIGN_OR_RETURN(const bool more, reader.Next(&page));
    for (const store::Row& row : page) FENSI_RETURN_IF_ERROR(use(row));
    if (!more) return {};
  }
}

Status FindingStore::ForEach(const std::function<Status(const Finding&)>& use) const {
  return Walk(job_row_ + ":" + job_ + ":", [&](const store::Row& row) -> Status {
    for (const Cell& cell : row.cells) {
      const std::optional<Finding> finding = FindingOf(cell.value);
      if (!finding) {
        return meta::UnknownValue(table_, row.row, cell.qualifier, cell.value);
      }
      FENSI_RETURN_IF_ERROR(use(*finding));
    }
    return {};
  });
}

Status FindingStore::ForgetOthers(const std::function<Status()>& is_current) const {
  const std::string ours = job_row_ + ":" + job_ + ":";
  std::vector<store::RowMutation> others;
  FENSI_RETURN_IF_ERROR(Walk(job_row_ + ":", [&](const store::Row& row) -> Status {
    const bool known = !others.empty() && others.back().row == row.row;
    if (known || row.row.starts_with(ours)) return {};
    others.push_back({row.row, {{meta::kFamily, "", kKeptVersion, CellType::kDeleteFamily, "", {}}}});
    return {};
  }));
  if (others.empty()) return {};
  // A later job would have taken the place of this one before it kept anything.
  FENSI_RETURN_IF_ERROR(is_current());
  return RequireTaken(store_->Delete(table_, others));
}

}  // namespace fensi::sweep
