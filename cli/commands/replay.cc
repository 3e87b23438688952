#include <memory>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/daemon_options.h"
#include "cli/options/operations_options.h"
#include "cli/program/output.h"
#include "consumer/kafka/client/topic_admin.h"
#include "operations/access/position.h"
#include "operations/access/stores.h"
#include "operations/console/console.h"
#include "operations/mappings/mapping_files.h"
#include "operations/replay/replay_plan.h"

namespace fensi::cli {
namespace {

Status ExecuteReplay(const operations::ReplayPlan& plan, const mapping::Index& index) {
  const Result<std::unique_ptr<store::Store>> store = operations::OpenStoreToWrite(ReadStoreOptions());
  if (!store.ok()) return store.status();
  FENSI_ASSIGN_OR_RETURN(const std::optional<store::TableDescriptor> state,
                         (*store)->DescribeTable(index.state_table()));
  if (state.has_value()) return plan.Execute(store->get());
  return Status(StatusCode::kNotFound,
                "table " + index.state_table() +
                    " is missing. Create the table first: 'fensi create MAPPING --store=URL --execute'");
}

Result<int> Replay(const Arguments& arguments) {
  if (!ReadSourceOptions().is_kafka())
    return Status(StatusCode::kInvalidArgument,
                  "--source=" + FLAGS_source +
                      ": only a Kafka topic can be replayed. Run 'fensi run' again instead: it reads "
                      "the file from its beginning");
  const auto index = operations::LoadIndex(arguments[0], arguments[1], FLAGS_meta_table);
  FENSI_RETURN_IF_ERROR(index.status());
  FENSI_ASSIGN_OR_RETURN(const operations::Position position, operations::ParsePosition(FLAGS_from));
  const auto admin = consumer::TopicAdmin::Create(SourceCluster(), std::chrono::seconds(FLAGS_connect_timeout_s));
  if (!admin.ok()) return admin.status();
  operations::ReplayPlan plan(**index, admin->get());
  FENSI_RETURN_IF_ERROR(plan.Make(position));
  plan.Show(position);
  FENSI_RETURN_IF_ERROR(plan.RequireIdle());
  if (FLAGS_execute) FENSI_RETURN_IF_ERROR(ExecuteReplay(plan, **index));
  if (FLAGS_execute) {
    Say("replay: the offsets of index " + (*index)->name() + " are set. The next 'fensi run' begins at these offsets");
  } else {
    operations::SayDryRun("replay", "set the offsets");
  }
  return kExitDone;
}

}  // namespace

Command ReplayCommand() {
  Command command;
  command.name = "replay";
  command.summary = "let an index read its topic again from an offset or a time";
  command.arguments = "MAPPING INDEX";
  command.min_arguments = command.max_arguments = 2;
  command.description =
      "Shows the present offsets of the index's consumer group, and the offsets that the command would set. With "
      "--execute, the command sets the offsets. While the consumer group has members, fensi refuses a replay. Before "
      "a replay, stop every 'fensi run' of the index. If fensi applies an event a second time, the index does not "
      "change. If you have emptied both the index table and the state table, a replay restores the entries. If only "
      "the index table is empty, a replay restores no entry, and the command warns. If a new offset is later than the "
      "present offset, the index never gets the events between the two offsets.";
  command.flags = FlagUses("source! store! from! execute kafka_property kafka_property_file connect_timeout_s");
  SetMeaning(&command, "source", "address of the topics: kafka://HOST:PORT[,HOST:PORT]");
  command.examples = {
      {"fensi replay guanzhu.yaml fensi --source kafka://127.0.0.1:9092 --store hbase://127.0.0.1:2181/hbase --from "
       "earliest",
       "shows the plan for a replay of the whole topic"},
      {"fensi replay guanzhu.yaml fensi --source kafka://127.0.0.1:9092 --store hbase://127.0.0.1:2181/hbase "
       "--from 2026-01-31T12:00:00Z --execute",
       "sets the offsets. The next 'fensi run' reads all events since 2026-01-31T12:00:00Z again"}};
  command.run = Replay;
  return command;
}

}  // namespace fensi::cli
