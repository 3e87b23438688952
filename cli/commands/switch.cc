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
    return Status(
        StatusCode::kInvalidArgument,
        "name where to switch in one way: --to INDEX, --back (to the former index of the alias), or --remove");
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
  command.summary = "let applications read another index by the same name";
  command.arguments = "MAPPING ALIAS";
  command.min_arguments = command.max_arguments = 2;
  command.description =
      "An alias is a name in the meta table that says which index is read: 'fensi lookup MAPPING @ALIAS' and "
      "applications follow it. --to names the index, --back the one before. Without --execute it shows both, their "
      "phases and how complete they are. Exit code 78, with all that is missing, unless the new index is live and no "
      "'mismatch', its watermark is at most a minute old, and --from_report names a report of 'fensi verify' of all "
      "its rows, at most a day old, that found nothing; --skip_verification waives watermark and report. --back asks "
      "for no report: that index was read before. --remove lets the alias name nothing, also where a person broke its "
      "row. The index that is not read any more goes on as it was, until 'fensi drop'.";
  command.flags = FlagUses("store! to back from_report skip_verification remove execute meta_table connect_timeout_s");
  command.examples = {
      {"fensi switch guanzhu.yaml fans --to fensi --from_report fensi.jsonl --store hbase://127.0.0.1:2181/hbase",
       "what would be done, and what is missing"},
      {"fensi switch guanzhu.yaml fans --to fensi --from_report fensi.jsonl --store hbase://127.0.0.1:2181/hbase "
       "--execute",
       "from now on applications read fensi"},
      {"fensi switch guanzhu.yaml fans --back --store hbase://127.0.0.1:2181/hbase --execute", "the index before"}};
  command.run = Switch;
  return command;
}

}  // namespace fensi::cli
