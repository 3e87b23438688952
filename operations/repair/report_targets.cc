#include "operations/repair/report_targets.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <utility>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "indexer/index_table.h"
#include "indexer/repair_target_validator.h"

namespace fensi::operations {
namespace {

using nlohmann::json;

Status Wrong(const std::string& why) { return Status(StatusCode::kConfiguration, why); }

/// A line that 'fensi verify' does not write.
Status Malformed(const std::string& why) { return Wrong(why + ". Use the report as 'fensi verify' wrote it"); }

/// Empty where there is none; a value of another type is kConfiguration.
Result<std::string> StringAt(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return std::string();
  if (!found->is_string()) return Malformed(std::string("\"") + key + "\" is no text");
  return found->get<std::string>();
}

Result<std::string> DecodedOf(const json& object, const char* key) {
  FENSI_ASSIGN_OR_RETURN(const std::string text, StringAt(object, key));
  const Result<std::string> bytes = Unescape(text);
  return bytes.ok() ? bytes : Malformed(std::string("\"") + key + "\": " + bytes.status().message());
}

Result<store::ColumnPlace> ColumnOf(const json& object, const char* key) {
  FENSI_ASSIGN_OR_RETURN(const std::string text, StringAt(object, key));
  const ColumnName name = SplitColumn(text);
  const Result<std::string> family = Unescape(name.family), qualifier = Unescape(name.qualifier);
  const bool good = name.has_qualifier && !name.family.empty() && family.ok() && qualifier.ok();
  if (!good) return Malformed(std::string("\"") + key + "\" is not family:qualifier");
  return store::ColumnPlace{*family, *qualifier};
}

Result<sweep::SourceUnit> UnitOf(const json& object, const mapping::Index& index) {
  FENSI_ASSIGN_OR_RETURN(std::string row, DecodedOf(object, "source_row"));
  if (row.size() > kMaxRowBytes) return Wrong("\"source_row\" is longer than HBase allows: verify again");
  sweep::SourceUnit unit{std::move(row), {}};
  if (!object.contains("source_column")) return unit;
  FENSI_ASSIGN_OR_RETURN(store::ColumnPlace column, ColumnOf(object, "source_column"));
  const bool is_unit = index.state_scope() == mapping::StateScope::kColumn;
  if (!is_unit || !index.Watches(column.family, column.qualifier)) {
    return Wrong("\"source_column\" is not a column that the index watches: verify again with this mapping");
  }
  unit.column = std::move(column);
  return unit;
}

/// The cell will be removed, so it must be the index's own.
Result<sweep::IndexCell> CellOf(const json& object, const mapping::Index& index) {
  FENSI_ASSIGN_OR_RETURN(std::string table, StringAt(object, "table"));
  table = std::string(CanonicalTableName(table));
  FENSI_ASSIGN_OR_RETURN(const std::string row, DecodedOf(object, "row"));
  if (row.empty() || row.size() > kMaxRowBytes)
    return Malformed("\"row\" must have 1 to " + std::to_string(kMaxRowBytes) + " bytes");
  FENSI_ASSIGN_OR_RETURN(const store::ColumnPlace column, ColumnOf(object, "column"));
  const Status usable = indexer::RepairTargetValidator(&index).Check({table, row, column.family, column.qualifier});
  if (!usable.ok()) return Wrong(usable.message());
  return sweep::IndexCell{table, row, column.family, column.qualifier};
}

/// Nothing: the line tells of nothing that could be repaired.
Result<std::optional<Target>> TargetOf(const json& object, const std::string& kind, const mapping::Index& index) {
  const bool difference = kind == "missing" || kind == "orphan" || kind == "content_differs";
  if (!difference && kind != "undecided" && kind != "unmappable")
    return Wrong(
        "invalid \"kind\" '" + EscapeSome(kind, 40) +
        "' (missing, orphan, content_differs, undecided or unmappable): use the report as 'fensi verify' wrote it");
  FENSI_ASSIGN_OR_RETURN(sweep::SourceUnit unit, UnitOf(object, index));
  if (unit.row.empty() && kind != "orphan") return Malformed("\"source_row\" is missing");
  if (kind == "unmappable") return std::optional<Target>();
  Target target{std::move(unit), {}};
  if (!difference && !object.contains("table")) return std::optional(std::move(target));
  FENSI_ASSIGN_OR_RETURN(target.cell, CellOf(object, index));
  return std::optional(std::move(target));
}

Status CheckBeginning(const json& object, const std::string& kind, const ReportOf& of) {
  if (kind != "verify")
    return Wrong(
        "the line is not the first line of a report. Write a report with 'fensi verify MAPPING INDEX --report FILE'");
  const mapping::Index& index = *of.index;
  const std::tuple<const char*, const char*, std::string> facts[] = {{"index", "index", index.name()},
                                                                     {"table", "table", index.table()},
                                                                     {"source", "source table", index.source_table()},
                                                                     {"incarnation", "incarnation", of.incarnation}};
  for (const auto& [key, what, wanted] : facts) {
    FENSI_ASSIGN_OR_RETURN(const std::string found, StringAt(object, key));
    if (found == wanted) continue;
    if (std::string_view(key) == "incarnation") {
      return Wrong("the report is of incarnation '" + Escape(found) +
                   "' of the index, which was dropped and created again since. Verify the index again");
    }
    return Wrong(std::string("the report is of ") + what + " '" + Escape(found) + "', and the mapping file has '" +
                 wanted + "'. Verify the index again with this mapping file");
  }
  return Status();
}

/// For a first line that was checked.
std::optional<store::TableIdentity> WholeTable(const json& object) {
  for (const char* part : {"start_row", "stop_row", "sample", "as_of"}) {
    // M25: a report of a part of the rows proves nothing about the table.
    if (object.contains(part)) return std::nullopt;
  }
  const Result<std::string> direction = StringAt(object, "direction"), identity = StringAt(object, "table_identity");
  if (!direction.ok() || *direction != "both" || !identity.ok()) return std::nullopt;
  return indexer::ParseIdentity(*identity);
}

/// Cells of unknown source rows are counted, and not named.
bool NamesAll(const json& summary) {
  const auto unknown = summary.find("unattributed");
  const auto complete = summary.find("complete");
  return unknown != summary.end() && *unknown == 0 && complete != summary.end() && *complete == true;
}

Status CheckSummary(const json& object, bool partial) {
  const auto complete = object.find("complete");
  if (complete == object.end() || !complete->is_boolean()) return Malformed("\"complete\" is missing");
  if (partial || complete->get<bool>()) return Status();
  const Result<std::string> why = StringAt(object, "why");
  return Wrong("the report is not whole (" + (why.ok() ? Escape(*why) : "") +
               "). Run 'fensi verify' again, or repair only the differences that the report has with --partial_report");
}

}  // namespace

Result<std::unique_ptr<ReportTargets>> ReportTargets::Open(const std::string& path, ReportOf of) {
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<consumer::LineReader> lines, consumer::LineReader::Open(path));
  if (lines->size() < 0)
    return Wrong(path +
                 " is no regular file, and fensi reads a report twice. Write the report to a file with --report");
  std::unique_ptr<ReportTargets> report(new ReportTargets(path, std::move(of), std::move(lines)));
  FENSI_RETURN_IF_ERROR(report->ForEach([](const Target&) { return Status(); }));
  return report;
}

Status ReportTargets::ForEach(const Use& use) {
  FENSI_RETURN_IF_ERROR(lines_->Rewind());
  line_ = 0;
  place_ = Place::kBeginning;
  FENSI_RETURN_IF_ERROR(TakeAll(use));
  if (place_ == Place::kBehindSummary || (of_.partial && place_ == Place::kFindings)) return Status();
  return Wrong(path_ + " is not a whole report: its last line is not a summary. Verify the index again" +
               std::string(place_ == Place::kFindings
                               ? ", or repair only the differences that the report has with --partial_report"
                               : ""));
}

Status ReportTargets::TakeAll(const Use& use) {
  consumer::LineReader::Line line;
  Status broken;
  while (true) {
    const consumer::LineReader::Outcome outcome = lines_->Next(true, &line);
    if (outcome == consumer::LineReader::Outcome::kFailed) return Wrong(lines_->status().message());
    // The last line of a report that was cut may be a piece of one.
    if (outcome != consumer::LineReader::Outcome::kLine) return of_.partial ? Status() : broken;
    if (!broken.ok()) return broken;
    ++line_;
    const bool begun = place_ == Place::kFindings;
    const Status taken = TakeLine(line.text, use);
    if (taken.ok()) continue;
    if (!begun || taken.code() != StatusCode::kConfiguration) return taken;
    broken = taken;
  }
}

Status ReportTargets::TakeLine(std::string_view line, const Use& use) {
  const json object = json::parse(line.begin(), line.end(), nullptr, false);
  if (!object.is_object()) return Broken(Malformed("the line is no JSON object").message());
  const Result<std::string> kind = StringAt(object, "kind");
  if (!kind.ok()) return Broken(kind.status().message());
  if (place_ == Place::kBehindSummary) return Broken(Malformed("the line is after the summary").message());
  Status checked;
  if (place_ == Place::kBeginning) {
    checked = CheckBeginning(object, *kind, of_);
    place_ = Place::kFindings;
    whole_table_ = checked.ok() ? WholeTable(object) : std::nullopt;
  } else if (*kind == "summary") {
    checked = CheckSummary(object, of_.partial);
    place_ = Place::kBehindSummary;
    if (!NamesAll(object)) whole_table_.reset();
  } else {
    const Result<std::optional<Target>> target = TargetOf(object, *kind, *of_.index);
    if (!target.ok()) return Broken(target.status().message());
    return target->has_value() ? use(**target) : Status();
  }
  return checked.ok() ? checked : Broken(checked.message());
}

Status ReportTargets::Broken(const std::string& why) const {
  return Wrong(path_ + ":" + std::to_string(line_) + ": " + why);
}

}  // namespace fensi::operations
