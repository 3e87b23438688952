#include "sweep/found_rows.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "base/bytes.h"
#include "meta/shared_row.h"
#include "sweep/found_text.h"
#include "sweep/page_reader.h"

namespace fensi::sweep {
namespace {

using meta::SharedRow;

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

std::string FoundRows::RowOf(size_t range) const {
  std::ostringstream number;
  number << std::setfill('0') << std::setw(5) << range;
  return job_row_ + ":" + job_ + ":" + number.str();
}

Status FoundRows::Keep(size_t range, const std::vector<Finding>& findings) const {
  for (size_t begin = 0; begin < findings.size(); begin += kKeptAtOnce) {
    store::RowMutation mutation{RowOf(range), {}};
    for (size_t i = begin; i < std::min(findings.size(), begin + kKeptAtOnce); ++i) {
      mutation.cells.push_back(SharedRow::CellOf(ColumnOf(findings[i]), kKeptVersion, TextOf(findings[i])));
    }
    FENSI_RETURN_IF_ERROR(RequireTaken(store_->Put(table_, {&mutation, 1})));
  }
  return {};
}

Status FoundRows::Walk(const std::string& prefix, const std::function<Status(const store::Row&)>& use) const {
  store::ScanRequest request;
  request.start_row = prefix;
  request.stop_row = PrefixEnd(prefix);
  request.columns.push_back({meta::kFamily, std::nullopt});
  PageReader reader(store_, table_, request);
  std::vector<store::Row> page;
  for (;;) {
    const Result<bool> more = reader.Next(&page);
    FENSI_RETURN_IF_ERROR(more.status());
    for (const store::Row& row : page) FENSI_RETURN_IF_ERROR(use(row));
    if (!*more) return {};
  }
}

Status FoundRows::ForEach(const std::function<Status(const Finding&)>& use) const {
  return Walk(job_row_ + ":" + job_ + ":", [&](const store::Row& row) -> Status {
    for (const Cell& cell : row.cells) {
      const std::optional<Finding> finding = FindingOf(cell.value);
      if (!finding) {
        return Status(StatusCode::kInternal, "table " + table_ + ", row " + Escape(row.row) + ", column i:" +
                                                 Escape(cell.qualifier) + " holds '" + EscapeSome(cell.value, 100) +
                                                 "', which this version of fensi does not understand");
      }
      FENSI_RETURN_IF_ERROR(use(*finding));
    }
    return {};
  });
}

Status FoundRows::ForgetOthers(const std::function<Status()>& is_current) const {
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
