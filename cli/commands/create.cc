#include <memory>
#include <vector>

#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "operations/mappings/mapping_files.h"
#include "operations/tables/creation.h"
#include "operations/tables/taken_names.h"

namespace fensi::cli {
namespace {

Result<operations::CreationOptions> ReadCreationOptions() {
  operations::CreationOptions options{.store = ReadStoreOptions(),
                                      .partitions = FLAGS_partitions,
                                      .replicas = FLAGS_replication,
                                      .partitions_given = FlagIsGiven("partitions"),
                                      .replicas_given = FlagIsGiven("replication"),
                                      .execute = FLAGS_execute,
                                      .shell_lines = FLAGS_format == "shell"};
  if (!FLAGS_format.empty() && !options.shell_lines) {
    return InvalidArgument("--format must be shell, and is " + FLAGS_format + ": leave out --format for text");
  }
  if (options.shell_lines && FLAGS_execute) {
    return InvalidArgument(
        "--format=shell only prints lines for the HBase shell, and creates nothing: leave out --execute");
  }
  if (FLAGS_store.empty() && !options.shell_lines) {
    return InvalidArgument(
        "--store is missing: give the store of the index, or --format=shell to print lines for the HBase shell");
  }
  if (!FLAGS_kafka.empty()) options.kafka = ReadNamedKafkaOptions();
  return options;
}

Result<int> Create(const Arguments& paths) {
  FENSI_ASSIGN_OR_RETURN(operations::CreationOptions options, ReadCreationOptions());
  FENSI_ASSIGN_OR_RETURN(const std::vector<mapping::Mapping> mappings,
                         operations::LoadMappings(paths, FLAGS_meta_table));
  FENSI_ASSIGN_OR_RETURN(const operations::Indexes indexes,
                         operations::ChosenIndexes(mappings, SplitList(FLAGS_index)));
  FENSI_ASSIGN_OR_RETURN(options.store, operations::WithSourcesOf(indexes, std::move(options.store)));
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<store::Store> store, operations::OpenStoreForCreation(options));
  FENSI_RETURN_IF_ERROR(operations::Creation(std::move(store), options).Run(mappings, indexes));
  return kExitDone;
}

}  // namespace

Command CreateCommand() {
  Command command;
  command.name = "create";
  command.summary = "create index tables, state tables and topics";
  command.arguments = "MAPPING…";
  command.min_arguments = 1;
  command.max_arguments = kAnyNumber;
  command.description =
      "Shows the tables that the indexes need. With --kafka, the command also shows the topics that the indexes "
      "need. With --execute, the command creates the tables and topics that are missing. The command compares "
      "existing tables and topics with the plan, and never changes existing tables or topics. If an existing table "
      "or topic would lose data, or would keep data that must expire, the exit code is 78.\n\n"
      "With --format=shell, the command prints the plan as HBase shell commands. Use --format=shell if fensi has no "
      "right to create tables, and another user enters the commands. The output of --format=shell has the commands "
      "for topics (kafka-topics.sh) as comments. All indexes of a store share one table (--meta_table), in which "
      "fensi records the progress of each index.";
  command.flags = FlagUses(
      "store source_store format index kafka kafka_property kafka_property_file partitions replication meta_table "
      "execute connect_timeout_s");
  SetMeaning(&command, "format",
             "output format. With 'shell', the command prints HBase shell commands (default: text)");
  command.examples = {
      {"fensi create guanzhu.yaml --store hbase://127.0.0.1:2181/hbase", "shows the plan for the tables"},
      {"fensi create guanzhu.yaml --store hbase://127.0.0.1:2181/hbase --kafka 127.0.0.1:9092 --partitions 4 --execute",
       "creates the tables and topics that are missing"},
      {"fensi create guanzhu.yaml --format shell > tables.rb",
       "writes a file for 'hbase shell tables.rb', without a connection to a server"}};
  command.run = Create;
  return command;
}

}  // namespace fensi::cli
