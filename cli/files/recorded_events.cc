#include "cli/files/recorded_events.h"

#include <memory>
#include <utility>

#include "base/bytes.h"
#include "cli/files/file_names.h"
#include "cli/flags/flags.h"
#include "consumer/file/record_reader.h"

namespace fensi::cli {
namespace {

using consumer::LineReader;
using consumer::RecordReader;

constexpr std::string_view kFile = "file:";

Result<std::unique_ptr<RecordReader>> OpenRecords(const std::string& path, const std::string& csv_table) {
  Result<std::unique_ptr<LineReader>> lines = LineReader::Open(path);
  FENSI_RETURN_IF_ERROR(lines.status());
  const std::optional<consumer::CsvOptions> csv = CsvOfFlags(csv_table);
  if (csv) return std::unique_ptr<RecordReader>(new consumer::CsvRecords(path, std::move(*lines), *csv));
  return std::unique_ptr<RecordReader>(new consumer::JsonRecords(path, std::move(*lines)));
}

/// False: `use` has seen enough.
Result<bool> ReadFile(RecordReader* records, const std::function<Result<bool>(ChangeEvent event)>& use) {
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

std::optional<consumer::CsvOptions> CsvOfFlags(const std::string& table) {
  if (FLAGS_csv_row.empty()) return std::nullopt;
  return consumer::CsvOptions{table, *Unescape(FLAGS_csv_row), *Unescape(FLAGS_csv_time), *Unescape(FLAGS_csv_family)};
}

Status CheckCsvFlags() {
  if (!FLAGS_csv_row.empty() || (FLAGS_csv_family.empty() && FLAGS_csv_time.empty())) return {};
  return InvalidArgument("--csv_family and --csv_time belong to --csv_row, which is not given");
}

Status ForEachRecordedEvent(const std::string& csv_table, const std::function<Result<bool>(ChangeEvent event)>& use) {
  FENSI_RETURN_IF_ERROR(CheckCsvFlags());
  if (!FLAGS_source.starts_with(kFile)) {
    return InvalidArgument("events are read from files here: --source=file:PATH, or file:- for standard input");
  }
  const Result<std::vector<std::string>> files = FilesNamed(FLAGS_source.substr(kFile.size()));
  FENSI_RETURN_IF_ERROR(files.status());
  for (const std::string& file : *files) {
    const Result<std::unique_ptr<RecordReader>> records = OpenRecords(file, csv_table);
    FENSI_RETURN_IF_ERROR(records.status());
    const Result<bool> more = ReadFile(records->get(), use);
    FENSI_RETURN_IF_ERROR(more.status());
    if (!*more) return {};
  }
  return {};
}

}  // namespace fensi::cli
