#include <chrono>

#include "base/clock.h"
#include "cli/commands/commands.h"
#include "cli/options/operations_options.h"
#include "cli/top/daemon_poller.h"
#include "cli/top/keys.h"
#include "cli/top/terminal.h"
#include "cli/top/top_choice.h"
#include "cli/top/top_figures.h"
#include "cli/top/top_screen.h"
#include "operations/access/position.h"

namespace fensi::cli {
namespace {

constexpr std::chrono::milliseconds kKeyPause{100};

/// Handles typed keys; false: quit.
bool HeedKeys(const std::string& bytes, const TopFigures& figures, KeyReader* keys, TopChoice* choice, bool* changed) {
  for (const Key key : bytes.empty() ? keys->Pause() : keys->Take(bytes)) {
    if (key == Key::kQuit) return false;
    *changed = true;
    *choice = AfterKey(key, std::move(*choice), figures);
  }
  return true;
}

Status DrawTop(Terminal* terminal, const TopFigures& figures, const TopChoice& choice) {
  constexpr int64_t kSecond = 1000;
  const std::string time =
      operations::TimeText(SystemClock()->WallMillis() / kSecond * kSecond);  // "2026-11-23T12:00:01.000Z"
  return terminal->Draw(TopScreen(figures, choice, time.substr(11, 8) + "Z", terminal->size()));
}

Result<int> WatchDaemons(const operations::Daemons& first, Terminal* terminal) {
  TopFigures figures;
  TopChoice choice;
  KeyReader keys;
  figures.Take(SystemClock()->MonotonicNow(), first);
  FENSI_RETURN_IF_ERROR(DrawTop(terminal, figures, choice));
  DaemonPoller poller;
  while (true) {
    const Terminal::Event event = terminal->Await(kKeyPause);
    bool typed = false;
    if (event.end || !HeedKeys(event.bytes, figures, &keys, &choice, &typed)) return kExitDone;
    const std::optional<Result<operations::Daemons>> answer = poller.Take();
    if (answer) figures.Take(SystemClock()->MonotonicNow(), *answer);
    if (answer || event.again || typed) FENSI_RETURN_IF_ERROR(DrawTop(terminal, figures, choice));
  }
}

Result<int> ShowTop(const Arguments&) {
  FENSI_RETURN_IF_ERROR(Terminal::Possible());
  FENSI_ASSIGN_OR_RETURN(const operations::Daemons daemons,
                         operations::AskDaemons(ReadDaemonsOptions(), std::chrono::seconds(3)));
  FENSI_RETURN_IF_ERROR(operations::StandingsOf(daemons.answered).status());
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<Terminal> terminal, Terminal::Open());
  return WatchDaemons(daemons, terminal.get());
}

}  // namespace

Command TopCommand() {
  Command command;
  command.name = "top";
  command.summary = "watch indexes and captures in full screen";
  command.description =
      "Asks the 'fensi run' and 'fensi capture' of this machine, or the daemons of --daemon, each second. For each "
      "index, the command shows the state, the lag in events and seconds, and the dead letters. The command also "
      "shows the events per second, now and in the last minute. If a daemon no longer answers, the screen shows how "
      "long the daemon has been unreachable. The indexes of an unreachable daemon keep their last figures on the "
      "screen.\n\n"
      "The up and down keys mark an index. The key 'p' shows the lagging partitions of the marked index. The key 'i' "
      "shows all indexes. The key 's' sorts the indexes by another column. The key '?' shows help. The key 'q' ends "
      "the command. Without a terminal, the exit code is 64. Without a terminal, use 'fensi status'.";
  command.flags = FlagUses("daemon daemon_ca_file admin_token_file");
  SetMeaning(&command, "admin_token_file",
             "file with the token of the daemons, in one line. Only the owner may read the file (mode 0600)");
  command.examples = {
      {"fensi top", "watches the daemons of this machine"},
      {"fensi top --daemon 10.0.0.1:16180,10.0.0.2:16180 --admin_token_file token", "watches all daemons of a group"}};
  command.run = ShowTop;
  return command;
}

}  // namespace fensi::cli
