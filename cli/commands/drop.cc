#include <memory>
#include <utility>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "operations/drop/dropping.h"
#include "operations/mappings/mapping_files.h"

namespace fensi::cli {
namespace {

Result<std::shared_ptr<store::Store>> OpenStoreToDrop() {
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<store::Store> store, FLAGS_execute
                                                                  ? operations::OpenStoreToWrite(ReadStoreOptions())
                                                                  : operations::OpenStoreToReadAny(ReadStoreOptions()));
  return std::shared_ptr<store::Store>(std::move(store));
}

Status DropExpired(std::shared_ptr<const mapping::Index> index, const std::vector<mapping::Mapping>& mappings) {
  FENSI_RETURN_IF_ERROR(operations::ExpiredTables::RequirePeriods(*index));
  FENSI_ASSIGN_OR_RETURN(std::shared_ptr<store::Store> store, OpenStoreToDrop());
  operations::Indexes beside;
  for (const mapping::Mapping& mapping : mappings) {
    beside.insert(beside.end(), mapping.indexes.begin(), mapping.indexes.end());
  }
  operations::ExpiredDrop drop(std::move(index), std::move(store), std::move(beside), ReadExpiryOptions());
  return FLAGS_execute ? drop.Execute() : drop.ShowPlan();
}

Status DropAll(std::shared_ptr<const mapping::Index> index, const std::vector<mapping::Mapping>& mappings) {
  FENSI_ASSIGN_OR_RETURN(std::shared_ptr<store::Store> store, OpenStoreToDrop());
  operations::DropOptions options{ReadStoreOptions(), FlagIsGiven("meta_table"), std::nullopt};
  if (!FLAGS_kafka.empty()) options.kafka = ReadNamedKafkaOptions();
  return operations::Dropping(std::move(index), std::move(store), std::move(options)).Run(mappings, FLAGS_execute);
}

Result<int> Drop(const Arguments& arguments) {
  if (!FLAGS_expired && FLAGS_kafka.empty() && !operations::StoreIsEmbedded(FLAGS_store)) {
    return InvalidArgument(
        "--kafka=HOST:PORT is missing: give the Kafka of the index. fensi asks Kafka whether a daemon runs the index, "
        "and deletes the topics of requests and dead letters");
  }
  FENSI_ASSIGN_OR_RETURN(const std::vector<mapping::Mapping> mappings,
                         operations::LoadMappings({arguments[0]}, FLAGS_meta_table));
  FENSI_ASSIGN_OR_RETURN(std::shared_ptr<const mapping::Index> index, operations::OneIndex(mappings, arguments[1]));
  FENSI_RETURN_IF_ERROR(FLAGS_expired ? DropExpired(std::move(index), mappings) : DropAll(std::move(index), mappings));
  return kExitDone;
}

}  // namespace

Command DropCommand() {
  Command command;
  command.name = "drop";
  command.summary = "remove an index that no application reads any more";
  command.arguments = "MAPPING INDEX";
  command.min_arguments = command.max_arguments = 2;
  command.description =
      "Removes the tables of an index, its topics of requests and dead letters, its consumer group, and its record "
      "in the meta table. The source table and the change stream stay. Without --execute, the command shows what it "
      "would remove. If the command is interrupted, run the command again. Until the index is completely removed, "
      "'fensi run' refuses the index.\n\n"
      "If fensi refuses to remove the index, the exit code is 78, and the command prints a remedy for each reason. "
      "Exit code 78: an alias names the index ('fensi switch'), the consumer group has members, or another index has "
      "the same tables. If the tables have rows although no 'fensi run' ever started the index, the exit code is "
      "also 78. If --meta_table is not the meta table of the daemons of the index, the exit code is also 78.\n\n"
      "With --expired, the command drops only tables of periods that ended longer ago than 'retention:' plus one "
      "hour. The command compares the end of a period with the clock of this machine. With --expired, the index "
      "stays, and daemons may run the index. With --expired, fensi does not connect to Kafka.";
  command.flags =
      FlagUses("store! kafka kafka_property kafka_property_file expired execute meta_table connect_timeout_s");
  command.examples = {
      {"fensi drop guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --kafka 127.0.0.1:9092",
       "shows what the command would remove"},
      {"fensi drop guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --kafka 127.0.0.1:9092 --execute",
       "removes the index"},
      {"fensi drop visits.yaml visits --expired --store hbase://127.0.0.1:2181/hbase",
       "shows the tables of ended periods that the command would drop with --execute"}};
  command.run = Drop;
  return command;
}

}  // namespace fensi::cli
