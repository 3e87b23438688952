#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "cli/program/output.h"
#include "operations/mappings/index_summary.h"
#include "operations/mappings/mapping_files.h"
#include "operations/mappings/mapping_paths.h"
#include "operations/tables/online_check.h"

namespace fensi::cli {
namespace {

operations::OnlineOptions ReadOnlineOptions() {
  operations::OnlineOptions options{.message_bytes = int64_t{FLAGS_message_kb} * 1000, .json = FLAGS_json};
  if (!FLAGS_store.empty()) options.store = ReadStoreOptions();
  if (!FLAGS_kafka.empty()) options.kafka = ReadNamedKafkaOptions();
  return options;
}

Result<int> CheckTogether(const std::vector<std::string>& paths) {
  FENSI_ASSIGN_OR_RETURN(const std::vector<mapping::Mapping> mappings,
                         operations::LoadMappings(paths, FLAGS_meta_table, FLAGS_json));
  for (const mapping::Mapping& mapping : mappings) {
    for (const auto& index : mapping.indexes)
      Print(FLAGS_json ? operations::IndexSummaryJson(mapping, *index) : operations::IndexSummary(*index));
  }
  if (!FLAGS_online) return kExitDone;
  FENSI_RETURN_IF_ERROR(operations::CheckOnline(mappings, ReadOnlineOptions()));
  return kExitDone;
}

/// Alternatives may have the same names; what one lacks hides nothing of the next.
Result<int> CheckEach(const std::vector<std::string>& paths) {
  Status first;
  int64_t refused = 0;
  for (const std::string& path : paths) {
    const Result<int> outcome = CheckTogether({path});
    if (outcome.ok()) continue;
    Say("check: " + outcome.status().message());
    if (first.ok()) first = outcome.status();
    ++refused;
  }
  if (first.ok()) return kExitDone;
  const auto files = static_cast<int64_t>(paths.size());
  return Status(first.code(), std::to_string(refused) + " of " + Counted(files, "mapping file") + " refused");
}

Result<int> Check(const Arguments& named) {
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> paths, operations::MappingPaths(named));
  return FLAGS_each ? CheckEach(paths) : CheckTogether(paths);
}

}  // namespace

Command CheckCommand() {
  Command command;
  command.name = "check";
  command.summary = "check mapping files, and describe their indexes";
  command.arguments = "MAPPING|FOLDER…";
  command.min_arguments = 1;
  command.max_arguments = kAnyNumber;
  command.description =
      "Reads the mapping files as 'fensi run' does, and reports all errors and warnings together on standard error. "
      "With --json, the command prints errors and warnings as JSON objects on standard output. Without --online, the "
      "command connects to no server. If you name a folder, the command reads all files *.yaml and *.yml of the "
      "folder together. With --each, the command checks each file separately, so several files may define the same "
      "index. Exit code 78: a file has an error, or "
      "--online found an error.\n\n"
      "For every index, the command prints whether the index is stateful or stateless. A stateful index keeps a "
      "state of each source row, to find the old entries of the row. The command also prints the state that the "
      "index keeps, and the largest number of reads and writes for one event. The command also prints the watched "
      "source cells, the conditions as fensi understands them, and the parts of the row key.\n\n"
      "With --online, the command also checks whether the servers have what the indexes need. In --store, the "
      "command checks tables, families, attributes, replication and coprocessors. With --online, the command also "
      "checks that the store supports all calls that fensi needs. In --kafka, the command checks topics, partitions, "
      "cleanup policy, retention and message size. The command changes nothing on the servers.";
  command.flags = FlagUses(
      "each json online store source_store kafka kafka_property kafka_property_file message_kb meta_table "
      "connect_timeout_s");
  command.examples = {{"fensi check guanzhu.yaml", "checks one file, and describes its indexes"},
                      {"fensi check guanzhu.yaml --online --store hbase://127.0.0.1:2181/hbase --kafka 127.0.0.1:9092",
                       "checks the file, and also the tables in HBase and the topics in Kafka"},
                      {"fensi check --each mappings",
                       "checks every file of a folder by itself. Several of the files may define the same index"},
                      {"fensi check --json *.yaml",
                       "prints JSON for programs. Two of the files must not define an index with the same name"}};
  command.run = Check;
  return command;
}

}  // namespace fensi::cli
