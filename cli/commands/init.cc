#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/hbase_limits.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "cli/program/output.h"
#include "mapping/mapping.h"
#include "mapping/mapping_draft.h"
#include "operations/access/flag_faults.h"
#include "operations/access/row_pages.h"
#include "operations/access/stores.h"
#include "operations/files/recorded_events.h"
#include "operations/files/recorded_sample.h"
#include "operations/mappings/environment.h"

namespace fensi::cli {
namespace {

using mapping::TableSample;

/// Rows of every region, so that a table whose keys begin alike in one place is not taken for all alike.
Status ReadRows(store::Store* store, const std::string& table, TableSample* sample) {
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> starts, store->RegionStarts(table));
  const auto wanted = static_cast<size_t>(FLAGS_sample);
  for (size_t i = 0; i < starts.size() && sample->rows.size() < wanted; ++i) {
    const size_t share = (wanted - sample->rows.size() + starts.size() - i - 1) / (starts.size() - i);
    store::ScanRequest request = operations::PrefixScan("");
    request.start_row = starts[i];
    if (i + 1 < starts.size()) request.stop_row = starts[i + 1];
    const auto add = [&](const store::Row& row) { sample->rows.push_back({row.row, row.cells}); };
    FENSI_RETURN_IF_ERROR(operations::ForEachRow(store, table, request, static_cast<int64_t>(share), add).status());
  }
  return Status();
}

Result<TableSample> StoredRows(const std::string& table) {
  const Result<std::unique_ptr<store::Store>> store =
      operations::OpenStoreToRead(operations::SourceOf(ReadStoreOptions()), table);
  FENSI_RETURN_IF_ERROR(store.status());
  FENSI_ASSIGN_OR_RETURN(const store::TableDescriptor description,
                         operations::RequireTable(operations::SourceOf(ReadStoreOptions()), store->get(), table));
  TableSample sample;
  sample.table = table;
  for (const store::FamilyDescriptor& family : description.families) {
    sample.families.push_back({family.name, family.ttl_seconds});
  }
  FENSI_RETURN_IF_ERROR(ReadRows(store->get(), table, &sample));
  return sample;
}

Result<TableSample> ReadSample(const std::string& table) {
  if (FLAGS_store.empty() && FLAGS_source.empty()) {
    return InvalidArgument(
        "--store is missing: give the store of the table, or --source=file:PATH to read the rows from events or CSV");
  }
  if (FlagIsTyped("store") && FlagIsTyped("source")) return operations::FlagsExclude("--store", "--source");
  // A flag file or the environment may have both, for other commands.
  const bool recorded = FLAGS_store.empty() || FlagIsTyped("source");
  if (!recorded && FlagIsTyped("csv_row")) return operations::FlagRequires("--csv_row", "--source=file:PATH");
  FENSI_RETURN_IF_ERROR(operations::CheckCsv(ReadCsvColumns()));
  return recorded ? operations::RecordedRows(FLAGS_source, ReadCsvColumns(), table, static_cast<size_t>(FLAGS_sample))
                  : StoredRows(table);
}

Status WriteFile(const std::string& path, const std::string& text) {
  const int mode = FLAGS_overwrite ? O_TRUNC : O_EXCL;
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | mode, 0644);
  if (file < 0 && errno == EEXIST) {
    return operations::FileExists(path);
  }
  const auto fault = [&path](const char* what, StatusCode usual) {
    const StatusCode code = errno == EACCES || errno == EPERM ? StatusCode::kPermission : usual;
    return Status(code, std::string("cannot ") + what + " file " + path + ": " + std::strerror(errno) +
                            ". Correct the cause, or name another file with --output");
  };
  if (file < 0) return fault("create", StatusCode::kInvalidArgument);
  size_t written = 0;
  while (written < text.size()) {
    const ssize_t some = write(file, text.data() + written, text.size() - written);
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) break;
    written += static_cast<size_t>(some);
  }
  const Status status = written < text.size() ? fault("write to", StatusCode::kInternal) : Status();
  close(file);
  if (!status.ok() && !FLAGS_overwrite) unlink(path.c_str());  // the next try would find it and stop
  return status;
}

/// Nothing leaves this command that 'fensi check' would refuse.
Status CheckText(const std::string& text) {
  mapping::Diagnostics diagnostics;
  mapping::Load({{"starter", text}}, &diagnostics, operations::FileEnvironment(FLAGS_meta_table));
  if (diagnostics.errors() == 0) return Status();
  return Status(StatusCode::kInternal,
                "fensi generated a mapping file with errors, which is a defect of fensi. Report these errors, and the "
                "output of 'fensi describe' for the table:\n" +
                    diagnostics.Text());
}

Result<int> Init(const Arguments& arguments) {
  if (FLAGS_overwrite && FLAGS_output.empty()) {
    return operations::FlagRequires("--overwrite", "--output");
  }
  FENSI_ASSIGN_OR_RETURN(const std::string table, ParseTableName(arguments[0]));
  FENSI_ASSIGN_OR_RETURN(const TableSample sample, ReadSample(table));
  const mapping::MappingDraft starter = mapping::DraftMapping(sample);
  FENSI_RETURN_IF_ERROR(CheckText(starter.text));
  for (const std::string& skew : starter.skews) Say("warning: " + skew);
  if (FLAGS_output.empty()) {
    Print(starter.text);
    return kExitDone;
  }
  FENSI_RETURN_IF_ERROR(WriteFile(FLAGS_output, starter.text));
  Say("init: file " + FLAGS_output + " created from " + Counted(static_cast<int64_t>(sample.rows.size()), "row"));
  return kExitDone;
}

}  // namespace

Command InitCommand() {
  Command command;
  command.name = "init";
  command.summary = "write a first mapping file for a table";
  command.arguments = "TABLE";
  command.min_arguments = command.max_arguments = 1;
  command.description =
      "Reads the families of a table and some of its rows, and writes a mapping file. From the rows, fensi guesses "
      "how row keys are built. fensi also guesses which qualifiers are names, which qualifiers are data, and which "
      "values are texts, numbers or times.\n\n"
      "The mapping file describes the rows in comments, and has one row as a test. The mapping file has the index "
      "that the table most likely needs. Other possible indexes are commented out. For each possible index, the "
      "mapping file has a cost that fensi estimates from the sampled rows. If one key value would surely get more "
      "than 1 % of all entries, fensi prints a warning.\n\n"
      "The mapping file passes 'fensi check' and 'fensi test'. Check yourself that the index answers your queries. "
      "The command writes nothing to a server. With --source=file:PATH, the rows come from change events or from "
      "CSV, in the forms of 'fensi run'. fensi reads the files of --source until it has --sample different rows.";
  command.flags =
      FlagUses("store source_store source csv_row csv_time csv_family sample output overwrite connect_timeout_s");
  SetMeaning(&command, "source",
             "files with rows: file:PATH[,PATH] or file:- (standard input). A file has one JSON event per "
             "line. With --csv_row, a file has CSV. A PATH may be a pattern such as 'days/*.gz'");
  command.examples = {{"fensi init guanzhu --store hbase://127.0.0.1:2181/hbase --output guanzhu.yaml",
                       "writes the mapping file guanzhu.yaml"},
                      {"fensi init orders --store hbase://127.0.0.1:2181/hbase --sample 1000",
                       "prints a mapping file that fensi makes from 1,000 rows"},
                      {"fensi init orders --source file:orders.csv --csv_row id --csv_family o",
                       "prints a mapping file that fensi makes from a CSV file"}};
  command.run = Init;
  return command;
}

}  // namespace fensi::cli
