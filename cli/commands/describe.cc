#include "base/hbase_limits.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "cli/program/output.h"
#include "operations/access/flag_faults.h"
#include "operations/access/stores.h"
#include "operations/tables/found_table.h"

namespace fensi::cli {
namespace {

enum class Form { kText, kJson, kShell };

Result<Form> ChosenForm() {
  const bool json = FLAGS_json || FLAGS_format == "json" || FLAGS_format == "jsonl";
  if (json && FLAGS_json && FLAGS_format == "shell") {
    return operations::FlagsExclude("--json", "--format=shell", "--json means --format=jsonl");
  }
  if (json) return Form::kJson;
  if (FLAGS_format == "shell") return Form::kShell;
  if (FLAGS_format.empty()) return Form::kText;
  return InvalidArgument("--format must be jsonl or shell, and is " + FLAGS_format + ": leave out --format for text");
}

Result<int> Describe(const Arguments& names) {
  FENSI_ASSIGN_OR_RETURN(const Form form, ChosenForm());
  std::vector<std::string> tables;
  for (const std::string& name : names) {
    FENSI_ASSIGN_OR_RETURN(std::string table, ParseTableName(name));
    tables.push_back(std::move(table));
  }
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<store::Store> store,
                         operations::OpenStoreToRead(ReadStoreOptions(), tables.front()));
  for (const std::string& table : tables) {
    FENSI_ASSIGN_OR_RETURN(const operations::FoundTable found,
                           operations::LookUpTable(ReadStoreOptions(), store.get(), table));
    Print(form == Form::kJson    ? operations::JsonOf(found)
          : form == Form::kShell ? operations::ShellLinesOf(found)
                                 : operations::TextOf(found));
  }
  return kExitDone;
}

}  // namespace

Command DescribeCommand() {
  Command command;
  command.name = "describe";
  command.summary = "show the families, coprocessors and regions of tables";
  command.arguments = "TABLE…";
  command.min_arguments = 1;
  command.max_arguments = kAnyNumber;
  command.description =
      "Shows the families of each table with their attributes. The command also shows the coprocessors that HBase "
      "runs on the table, and the start keys of the regions. With --format=shell, the command prints an HBase shell "
      "line that creates an empty table with the same families and regions. With --format=jsonl or --json, the "
      "command prints one JSON object for each table.";
  command.flags = FlagUses("store! format json connect_timeout_s");
  SetMeaning(&command, "format",
             "output format: 'jsonl' (one JSON object per line) or 'shell' (a line for the HBase shell) "
             "(default: text)");
  command.examples = {
      {"fensi describe guanzhu fensi --store hbase://127.0.0.1:2181/hbase", "describes the tables guanzhu and fensi"},
      {"fensi describe fensi --store embedded:data --format shell",
       "prints a line for the HBase shell that creates the table fensi"}};
  command.run = Describe;
  return command;
}

}  // namespace fensi::cli
