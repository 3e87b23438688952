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
  command.summary = "print the completion script of a shell";
  command.arguments = "bash|fish|zsh";
  command.min_arguments = command.max_arguments = 1;
  command.description =
      "Prints a script for bash, fish or zsh. With the script, the shell completes commands, flags and topics of "
      "fensi. The packages of fensi already install the scripts.";
  command.examples = {
      {"source <(fensi completion bash)",
       "completes commands in this shell. If the line is in ~/.bashrc, every new shell completes commands"},
      {"fensi completion zsh > ~/.zfunc/_fensi", "writes the script for zsh. The folder ~/.zfunc must be in $fpath"},
      {"fensi completion fish > ~/.config/fish/completions/fensi.fish",
       "writes the script for fish. New shells use the script"}};
  command.run = Completion;
  return command;
}

}  // namespace fensi::cli
