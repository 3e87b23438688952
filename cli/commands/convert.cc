#include <memory>

#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "operations/convert/converting.h"
#include "operations/mappings/mapping_files.h"

namespace fensi::cli {
namespace {

Result<int> Convert(const Arguments& arguments) {
  operations::ConvertOptions options{.store = ReadStoreOptions(), .kafka = {}, .execute = FLAGS_execute};
  if (!FLAGS_kafka.empty()) options.kafka = ReadNamedKafkaOptions();
  if (!options.kafka && !operations::StoreIsEmbedded(FLAGS_store)) {
    return InvalidArgument(
        "--kafka=HOST:PORT is missing: give the Kafka of the index, which fensi asks whether a daemon runs the index");
  }
  FENSI_ASSIGN_OR_RETURN(std::shared_ptr<const mapping::Index> index,
                         operations::LoadIndex(arguments[0], arguments[1], FLAGS_meta_table));
  options.store = operations::WithSource(options.store, {index->source_table()});
  FENSI_ASSIGN_OR_RETURN(std::shared_ptr<store::Store> store, operations::OpenTablesToConvert(options));
  FENSI_RETURN_IF_ERROR(operations::Converting(std::move(index), std::move(store), std::move(options)).Run());
  return kExitDone;
}

}  // namespace

Command ConvertCommand() {
  Command command;
  command.name = "convert";
  command.summary = "convert an index from stateful to stateless";
  command.arguments = "MAPPING INDEX";
  command.min_arguments = command.max_arguments = 2;
  command.description =
      "Makes a stateful index stateless. Before you run the command, change the mapping of the index to 'mode: "
      "stateless'. A stateful index keeps a state of each source row, to find the old entries of the row. The "
      "command removes the states, and keeps the tables and entries of the index. Without --execute, the command "
      "shows what it would do.\n\n"
      "First stop every 'fensi run' of the index. If the consumer group of the index has members, the exit code is "
      "78. If a cell of the index has a timestamp more than an hour ahead of the clock, the exit code is also 78. If "
      "the source table was missing when 'fensi run' first started the index, the exit code is also 78. If the "
      "command is interrupted, run the command again. Until the conversion is complete, 'fensi run' refuses the "
      "index. States that remain after the conversion do no harm.";
  command.flags = FlagUses("store! source_store kafka kafka_property kafka_property_file execute connect_timeout_s");
  command.examples = {
      {"fensi convert guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --kafka 127.0.0.1:9092",
       "shows what the command would do"},
      {"fensi convert guanzhu.yaml fensi --store hbase://127.0.0.1:2181/hbase --kafka 127.0.0.1:9092 --execute",
       "converts the index"}};
  command.run = Convert;
  return command;
}

}  // namespace fensi::cli
