#include "operations/files/recorded_events.h"

#include <memory>
#include <utility>

#include "base/bytes.h"
#include "consumer/file/record_reader.h"
#include "operations/access/flag_faults.h"
#include "operations/files/file_names.h"

namespace fensi::operations {
namespace {

using consumer::LineReader;
using consumer::RecordReader;

constexpr std::string_view kFile = "file:";

Result<std::unique_ptr<RecordReader>> OpenRecords(const std::string& path,
                                                  const std::optional<consumer::CsvOptions>& csv) {
  Result<std::unique_ptr<LineReader>> opened = LineReader::Open(path);
  FENSI_RETURN_IF_ERROR(consumer::WithSourceRemedy(opened.status()));
  std::unique_ptr<LineReader> lines = std::move(*opened);
  if (csv) return std::unique_ptr<RecordReader>(new consumer::CsvRecords(path, std::move(lines), *csv));
  return std::unique_ptr<RecordReader>(new consumer::JsonRecords(path, std::move(lines)));
}

/// False: `use` has seen enough.
Result<bool> ReadRecords(RecordReader* records, const std::function<Result<bool>(ChangeEvent event)>& use) {
  while (true) {
    consumer::Record record;
    consumer::RecordMemory memory;
    const LineReader::Outcome outcome = records->Next(true, &record, &memory);
    if (outcome == LineReader::Outcome::kFailed) return records->status();
    if (outcome != LineReader::Outcome::kLine) return true;
    FENSI_RETURN_IF_ERROR(record.decoded);
    const Result<bool> more = use(std::move(record.event));
    if (!more.ok() || !*more) return more;
  }
}

}  // namespace

std::optional<consumer::CsvOptions> CsvOf(const CsvColumns& columns, const std::string& table) {
  if (columns.row.empty()) return std::nullopt;
  return consumer::CsvOptions{table, *Unescape(columns.row), *Unescape(columns.time), *Unescape(columns.family)};
}

Status CheckCsv(const CsvColumns& columns) {
  if (!columns.row.empty() || (columns.family.empty() && columns.time.empty())) return {};
  return FlagRequires("--csv_family or --csv_time", "--csv_row");
}

Status ForEachRecordedEvent(const std::string& source, const CsvColumns& columns, const std::string& csv_table,
                            const std::function<Result<bool>(ChangeEvent event)>& use) {
  FENSI_RETURN_IF_ERROR(CheckCsv(columns));
  if (!source.starts_with(kFile)) {
    return InvalidArgument(
        "--source must name a file for this command: --source=file:PATH, or file:- for standard input");
  }
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> files, FilesNamed(source.substr(kFile.size())));
  for (const std::string& file : files) {
    FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<RecordReader> records, OpenRecords(file, CsvOf(columns, csv_table)));
    FENSI_ASSIGN_OR_RETURN(const bool more, ReadRecords(records.get(), use));
    if (!more) return {};
  }
  return {};
}

}  // namespace fensi::operations
