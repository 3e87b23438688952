#include "cli/help/completion.h"

#include <algorithm>

#include "base/shown_text.h"
#include "cli/commands/commands.h"
#include "cli/program/output.h"

namespace fensi::cli {
namespace {

Result<int> Completion(const Arguments& arguments) {
  const std::vector<std::string>& shells = CompletedShells();
  if (std::find(shells.begin(), shells.end(), arguments[0]) == shells.end()) {
    return InvalidArgument("there is no completion for the shell '" + arguments[0] + "', only for bash, fish and zsh" +
                           DidYouMean(arguments[0], shells));
  }
  Print(CompletionScript(arguments[0]));
  return kExitDone;
}

}  // namespace

Command CompletionCommand() {
  Command command;
  command.name = "completion";
  command.summary = "print what makes a shell complete commands and flags";
  command.arguments = "bash|fish|zsh";
  command.min_arguments = command.max_arguments = 1;
  command.description =
      "Prints the script that makes a shell complete commands, flags and topics. The packages of fensi install it "
      "already.";
  command.examples = {{"source <(fensi completion bash)", "for this shell; in ~/.bashrc for every one"},
                      {"fensi completion zsh > ~/.zfunc/_fensi", "a folder of $fpath"},
                      {"fensi completion fish > ~/.config/fish/completions/fensi.fish", "from the next shell on"}};
  command.run = Completion;
  return command;
}

}  // namespace fensi::cli
