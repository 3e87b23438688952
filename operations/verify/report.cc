#include "operations/verify/report.h"

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/bytes.h"
#include "base/shown_text.h"
#include "base/text.h"
#include "indexer/index_table.h"
#include "operations/access/flag_faults.h"
#include "operations/access/position.h"
#include "operations/console/console.h"
#include "operations/json/json_line.h"

namespace fensi::operations {
namespace {

using nlohmann::ordered_json;
using sweep::Finding;

constexpr int64_t kMostAsText = 20;  // as text: whoever has thousands wants to know how many

std::string Direction(const sweep::CompareOptions& options) {
  if (options.forward && options.backward) return "both";
  return options.forward ? "forward" : "reverse";
}

ordered_json JsonOf(const Finding& finding) {
  ordered_json object = {{"kind", sweep::KindName(finding.kind)}};
  if (!finding.source.row.empty()) object["source_row"] = Escape(finding.source.row);
  if (finding.source.column) {
    object["source_column"] = ColumnText(finding.source.column->family, finding.source.column->qualifier);
  }
  if (!finding.cell.row.empty()) {
    object["table"] = finding.cell.table;
    object["row"] = Escape(finding.cell.row);
    object["column"] = ColumnText(finding.cell.family, finding.cell.qualifier);
  }
  if (finding.kind == Finding::Kind::kMissing || finding.kind == Finding::Kind::kContentDiffers) {
    object["expected"] = finding.expected;
  }
  if (finding.kind == Finding::Kind::kOrphan || finding.kind == Finding::Kind::kContentDiffers) {
    object["found"] = finding.found;
    object["timestamp"] = finding.timestamp;
  }
  if (!finding.reason.empty()) object["reason"] = finding.reason;
  object["seen"] = TimeText(finding.seen);
  object["confirmed"] = TimeText(finding.confirmed);
  return object;
}

ordered_json JsonOf(const sweep::Counts& counts, const Status& end) {
  ordered_json object = {{"kind", "summary"},
                         {"complete", end.ok()},
                         {"mark", counts.awaited_mark ? "awaited" : "none"},
                         {"rows", counts.rows.load()},
                         {"entries", counts.entries.load()},
                         {"cells", counts.cells.load()},
                         {"good", counts.good.load()},
                         {"missing", counts.missing.load()},
                         {"orphan", counts.orphan.load()},
                         {"content_differs", counts.content_differs.load()},
                         {"in_flight", counts.in_flight.load()},
                         {"undecided", counts.undecided.load()},
                         {"unmappable", counts.unmappable.load()},
                         {"outside", counts.outside.load()},
                         {"younger", counts.younger.load()},
                         {"unattributed", counts.unattributed.load()}};
  if (counts.uneven > 0) object["uneven"] = counts.uneven.load();
  if (!end.ok()) object["open"] = counts.open.load();
  if (!end.ok()) object["why"] = end.message();
  return object;
}

std::string TextOf(const std::string& index, const sweep::Counts& counts, const Status& end) {
  std::string text = "index " + index + ": " + Counted(counts.differences(), "difference");
  if (counts.differences() > 0) {
    text += " (" + WithCommas(counts.missing) + " missing, " + WithCommas(counts.orphan) + " orphan, " +
            WithCommas(counts.content_differs) + " with another value)";
  }
  text += " among " + Counted(counts.rows, "source row") + " with " + WithCommas(counts.entries) +
          (counts.entries == 1 ? " entry, and " : " entries, and ") + Counted(counts.cells, "index cell");
  const std::pair<int64_t, const char*> others[] = {{counts.in_flight, "in flight"},
                                                    {counts.undecided, "undecided"},
                                                    {counts.unmappable, "unmappable"},
                                                    {counts.outside, "outside of 'retention'"},
                                                    {counts.younger, "younger than --as_of"},
                                                    {counts.unattributed, "of unknown source rows"},
                                                    {counts.uneven, "of 1,048,576 buckets uneven"}};
  for (const auto& [number, what] : others) {
    if (number > 0) text += "; " + WithCommas(number) + " " + what;
  }
  if (!end.ok()) text += "; not all was compared: " + SanitizeForTerminal(end.message());
  return text + "\n";
}

}  // namespace

Result<ReportFile> ReportFile::Open(const std::string& path, bool overwrite) {
  ReportFile file;
  file.path_ = path;
  if (path.empty()) return file;
  // It names rows and values, for the eyes of its owner alone.
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (overwrite ? O_TRUNC : O_EXCL), 0600);
  if (descriptor < 0 && errno == EEXIST) {
    return FileExists(path);
  }
  if (descriptor < 0) {
    const StatusCode code = errno == EACCES || errno == EPERM ? StatusCode::kPermission : StatusCode::kInvalidArgument;
    return Status(code, "cannot make the report " + path + ": " + std::strerror(errno) +
                            ". Name a file in a folder that this user may write, with --report");
  }
  file.file_.reset(fdopen(descriptor, "w"));
  return file.file_ == nullptr ? Result<ReportFile>(file.Failed()) : std::move(file);
}

Status ReportFile::Failed() const {
  return Status(
      StatusCode::kInternal,
      "cannot write to " + path_ + ": " + std::strerror(errno) +
          "; the report is not whole. Free space on the disk, then run the same command again with --overwrite");
}

Status ReportFile::Write(const std::string& line) {
  if (file_ == nullptr) return Status();
  const bool written = std::fwrite(line.data(), 1, line.size(), file_.get()) == line.size();
  return written && std::fflush(file_.get()) == 0 ? Status() : Failed();
}

Status ReportFile::Close() {
  if (file_ == nullptr) return Status();
  return std::fclose(file_.release()) == 0 ? Status() : Failed();
}

Status VerifyReport::Tell(const std::string& line, const std::string& text) {
  FENSI_RETURN_IF_ERROR(file_.Write(line));
  Print(json_ ? line : text);
  return FinishOutput();
}

Status VerifyReport::Begin(const sweep::CompareOptions& options, const Compared& compared) {
  ordered_json object = {{"kind", "verify"},
                         {"index", index_->name()},
                         {"table", index_->table()},
                         {"source", index_->source_table()},
                         {"direction", Direction(options)},
                         {"recheck_s", options.judge.recheck.count() / 1000}};
  if (options.digest) object["method"] = "digest";
  if (!compared.incarnation.empty()) object["incarnation"] = compared.incarnation;
  if (compared.table) object["table_identity"] = indexer::FormatIdentity(*compared.table);
  if (!options.start_row.empty()) object["start_row"] = Escape(options.start_row);
  if (!options.stop_row.empty()) object["stop_row"] = Escape(options.stop_row);
  if (options.walk.sample > 0) object["sample"] = options.walk.sample;
  if (options.as_of != INT64_MAX) object["as_of"] = TimeText(options.as_of);
  object["began"] = TimeText(compared.began.value_or(clock_->WallMillis()));
  const bool part = options.as_of != INT64_MAX;
  return Tell(JsonLine(object), part ? "index " + index_->name() + ": as of " + TimeText(options.as_of) + "\n" : "");
}

Status VerifyReport::Add(const Finding& finding) {
  const bool shown = ++findings_ <= kMostAsText;
  return Tell(JsonLine(JsonOf(finding)), shown ? TextOfFinding(finding) : "");
}

Status VerifyReport::End(const sweep::Counts& counts, const Status& end) {
  std::string more;
  if (findings_ > kMostAsText) {
    more = "  … and " + WithCommas(findings_ - kMostAsText) + " more, " +
           (file_.given() ? "which the report names" : "which --report FILE or --json names") + "\n";
  }
  FENSI_RETURN_IF_ERROR(Tell(JsonLine(JsonOf(counts, end)), more + TextOf(index_->name(), counts, end)));
  return file_.Close();
}

}  // namespace fensi::operations
