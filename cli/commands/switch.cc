#include <memory>

#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "operations/access/flag_faults.h"
#include "operations/access/stores.h"
#include "operations/alias/alias.h"
#include "operations/alias/switching.h"
#include "operations/mappings/mapping_files.h"

namespace fensi::cli {
namespace {

Status CheckDirection() {
  if ((FLAGS_to.empty() ? 0 : 1) + FLAGS_back + FLAGS_remove != 1) {
    return Status(StatusCode::kInvalidArgument,
                  "give exactly one of --to=INDEX, --back (to the previous index of the alias) or --remove");
  }
  if (FLAGS_remove && (FLAGS_skip_verification || !FLAGS_from_report.empty())) {
    return operations::FlagsExclude("--remove", "--from_report and --skip_verification");
  }
  if (FLAGS_back && !FLAGS_from_report.empty()) {
    return operations::FlagsExclude("--from_report", "--back", "--back needs no report");
  }
  return Status();
}

Result<int> Switch(const Arguments& arguments) {
  FENSI_RETURN_IF_ERROR(CheckDirection());
  FENSI_RETURN_IF_ERROR(operations::CheckAliasName(arguments[1]));
  FENSI_ASSIGN_OR_RETURN(const std::vector<mapping::Mapping> mappings,
                         operations::LoadMappings({arguments[0]}, FLAGS_meta_table));
  if (!FLAGS_to.empty()) FENSI_RETURN_IF_ERROR(operations::OneIndex(mappings, FLAGS_to).status());
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<store::Store> store, FLAGS_execute
                                                                  ? operations::OpenStoreToWrite(ReadStoreOptions())
                                                                  : operations::OpenStoreToReadAny(ReadStoreOptions()));
  const Status meta = operations::RequireTable(ReadStoreOptions(), store.get(), FLAGS_meta_table).status();
  if (meta.code() == StatusCode::kNotFound) return meta;
  if (!meta.ok()) return meta.WithContext("the table of aliases and watermarks");
  operations::Switching switching(arguments[1], std::move(store),
                                  {.meta_table = FLAGS_meta_table,
                                   .to = FLAGS_to,
                                   .back = FLAGS_back,
                                   .report = FLAGS_from_report,
                                   .skip_verification = FLAGS_skip_verification,
                                   .execute = FLAGS_execute});
  return FLAGS_remove ? switching.Remove() : switching.Run(mappings);
}

}  // namespace

Command SwitchCommand() {
  Command command;
  command.name = "switch";
  command.summary = "let an alias point to another index";
  command.arguments = "MAPPING ALIAS";
  command.min_arguments = command.max_arguments = 2;
  command.description =
      "Lets an alias point to another index. An alias is a row of the meta table. Applications, and 'fensi lookup "
      "MAPPING @ALIAS', read the index to which the alias points. --to names the new index of the alias. --back "
      "returns to the previous index of the alias. --remove lets the alias point to no index. Without --execute, the "
      "command shows the present index and the new index, with their phases and watermarks.\n\n"
      "Before the switch, fensi checks the new index. The phase of the new index must be 'live': a backfill has "
      "scanned all rows. The new index must not be 'mismatch' (its table was dropped and created again). The "
      "watermark of the new index (the time up to which the index is complete) must be at most one minute old. "
      "--from_report must name a report of 'fensi verify' over all rows, without differences. The report of "
      "--from_report must be at most one day old. If a check fails, the exit code is 78, and fensi lists the failed "
      "checks. With --skip_verification, fensi does not check the watermark and the report. --back needs no report, "
      "because applications have read the previous index before. --remove also works if the row of the alias is "
      "broken.\n\n"
      "After the switch, daemons still maintain the previous index. To remove the previous index, use 'fensi drop'.";
  command.flags = FlagUses("store! to back from_report skip_verification remove execute meta_table connect_timeout_s");
  SetMeaning(&command, "to", "the new index of the alias");
  SetMeaning(&command, "from_report", "report of 'fensi verify' without differences");
  command.examples = {
      {"fensi switch guanzhu.yaml fans --to fensi --from_report fensi.jsonl --store hbase://127.0.0.1:2181/hbase",
       "shows the plan and the failed checks"},
      {"fensi switch guanzhu.yaml fans --to fensi --from_report fensi.jsonl --store hbase://127.0.0.1:2181/hbase "
       "--execute",
       "lets the alias fans point to the index fensi"},
      {"fensi switch guanzhu.yaml fans --back --store hbase://127.0.0.1:2181/hbase --execute",
       "lets the alias fans point to its previous index"}};
  command.run = Switch;
  return command;
}

}  // namespace fensi::cli
