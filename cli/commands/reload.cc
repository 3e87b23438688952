#include <algorithm>

#include "admin/client.h"
#include "base/bytes.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "cli/program/output.h"
#include "daemon/control/verdict.h"
#include "operations/access/admin_place.h"
#include "operations/status/daemons.h"

namespace fensi::cli {
namespace {

// A reload has its own limit; this is for one that begins late.
constexpr std::chrono::seconds kTimeout{40};
constexpr size_t kMostVerdictBytes = size_t{8} << 20;

/// Its exit code, or why there is no verdict.
Result<int> TellVerdict(const std::string& place, const Result<std::string>& answer) {
  FENSI_RETURN_IF_ERROR(answer.status());
  FENSI_ASSIGN_OR_RETURN(const daemon::ReloadVerdict verdict, daemon::VerdictIn(*answer));
  for (const std::string& line : daemon::LinesOf(verdict)) Print(place + ": " + Escape(line) + "\n");
  if (!verdict.refused.empty()) {
    return Status(
        StatusCode::kConfiguration,
        "refused: nothing was changed. Correct the errors that are printed above, then run 'fensi reload' again. "
        "'fensi check MAPPING' shows all errors of a mapping file");
  }
  return verdict.waits.empty() ? kExitDone : kExitDifference;
}

Result<int> Reload(const Arguments&) {
  FENSI_ASSIGN_OR_RETURN(const std::vector<admin::Address> daemons, operations::DaemonsToChange(ReadDaemonsOptions()));
  FENSI_ASSIGN_OR_RETURN(const std::string token, operations::ReadAdminToken(FLAGS_admin_token_file));
  FENSI_ASSIGN_OR_RETURN(const std::string authorities, operations::DaemonAuthorities(FLAGS_daemon_ca_file));
  const std::vector<Result<std::string>> answers = admin::QueryAll(daemons, {.target = "/-/reload",
                                                                             .changes = true,
                                                                             .token = token,
                                                                             .authorities = authorities,
                                                                             .timeout = kTimeout,
                                                                             .most_bytes = kMostVerdictBytes});
  int worst = kExitDone;
  for (size_t i = 0; i < answers.size(); ++i) {
    const std::string place = daemons[i].Text();
    const Result<int> told = TellVerdict(place, answers[i]);
    const bool absent = told.status().code() == StatusCode::kNotFound;
    if (!told.ok()) Say("reload: " + place + ": " + told.status().message());
    worst = std::max(worst, told.ok() ? *told : ExitCode(absent ? StatusCode::kUnavailable : told.status().code()));
  }
  return worst;
}

}  // namespace

Command ReloadCommand() {
  Command command;
  command.name = "reload";
  command.summary = "make a running daemon read its mapping files again";
  command.description =
      "Asks the 'fensi run' of this machine, or the daemons of --daemon, to read their mapping files and flag files "
      "again. The daemons do not stop their work for a reload. The command waits for the result and prints the "
      "result.\n\n"
      "The daemon reads and checks all files, runs the tests of the mapping files, and looks for the tables and "
      "topics of new indexes. If a check fails, nothing changes, and the command prints each reason. If all checks "
      "succeed, the daemon starts new indexes. After a successful check, the daemon also starts each index that an "
      "error had stopped. If no mapping file has an index any more, the daemon applies the events in flight and ends "
      "the index. The tables of an ended index stay. The daemon refuses a change of the definition, topic, group or "
      "state table of an index.\n\n"
      "The daemon must run with --admin_control. If a daemon runs without --admin_control, send SIGHUP to the daemon "
      "and read the result in the log. Exit code 0: the daemon accepted the files. Exit code 1: the daemon accepted "
      "the files, but a change takes effect only after a restart. Exit code 78: the daemon refused the files. Exit "
      "code 69: no daemon answers.";
  command.flags = FlagUses("daemon daemon_ca_file admin_token_file");
  SetMeaning(&command, "admin_token_file",
             "file with the token of the daemons, in one line. Only the owner may read the file (mode 0600)");
  command.examples = {{"fensi reload", "reloads the daemon of this machine"},
                      {"fensi reload --daemon 127.0.0.1:16180,127.0.0.1:16182", "reloads two daemons"}};
  command.run = Reload;
  return command;
}

}  // namespace fensi::cli
