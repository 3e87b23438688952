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
  command.summary = "check mapping files and show what their indexes do";
  command.arguments = "MAPPING|FOLDER…";
  command.min_arguments = 1;
  command.max_arguments = kAnyNumber;
  command.description =
      "Reads the mapping files as 'fensi run' does, and reports all errors and warnings at once on standard error "
      "(with --json as objects on standard output). It asks no server unless you give --online. Of a folder, it reads "
      "all files *.yaml and *.yml together, or with --each every file by itself. Exit code 78: a file has errors, or "
      "--online found one.\n\n"
      "For every index it prints the class (stateful or stateless), the state that the index keeps, and the most reads "
      "and writes that one event can cause. Then come the watched source cells, the conditions as fensi understands "
      "them, and the parts of the row key. A stateful index keeps a state of each source row, to know the old "
      "entries.\n\n"
      "With --online it also compares the servers with what the indexes need. Of --store it checks tables, families, "
      "attributes, replication, coprocessors and the abilities of the store. Of --kafka it checks topics, partitions, "
      "policy, retention and message size. It changes nothing.";
  command.flags = FlagUses(
      "each json online store source_store kafka kafka_property kafka_property_file message_kb meta_table "
      "connect_timeout_s");
  command.examples = {{"fensi check guanzhu.yaml", "what the indexes of one file do"},
                      {"fensi check guanzhu.yaml --online --store hbase://127.0.0.1:2181/hbase --kafka 127.0.0.1:9092",
                       "and whether the servers are as it needs them"},
                      {"fensi check --each mappings", "every file of a folder, alternatives of one index, too"},
                      {"fensi check --json *.yaml", "the same for programs; names must be unique over all files"}};
  command.run = Check;
  return command;
}

}  // namespace fensi::cli
