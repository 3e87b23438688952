#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/program/color.h"
#include "cli/program/output.h"
#include "operations/mappings/mapping_files.h"
#include "operations/mappings/mapping_paths.h"
#include "operations/trial/case_run.h"

namespace fensi::cli {
namespace {

using mapping::Mapping;
using mapping::TestCase;

struct Tally {
  int64_t passed = 0;
  int64_t failed = 0;
};

Status RunCases(const Mapping& mapping, bool color, Tally* tally) {
  for (const TestCase& test : mapping.tests) {
    FENSI_ASSIGN_OR_RETURN(const std::string faults, operations::RunCase(mapping, test));
    ++(faults.empty() ? tally->passed : tally->failed);
    if (faults.empty()) continue;
    Print(mapping.path + ":" + std::to_string(test.line) + ": " + (color ? Painted("failed", Ink::kRed) : "failed") +
          ": " + test.name + "\n" + faults);
  }
  return Status();
}

/// A file that nobody wrote a test for must not look like one whose tests hold.
void TellUntested(const std::vector<Mapping>& mappings) {
  for (const Mapping& mapping : mappings) {
    if (mapping.tests.empty())
      Say("test: " + mapping.path + " has no tests. 'fensi help mapping' shows examples of tests");
  }
}

std::string TallyText(const Tally& tally, bool color) {
  const std::string text = Counted(tally.passed, "test") + " passed, " + std::to_string(tally.failed) + " failed";
  if (!color || tally.passed + tally.failed == 0) return text + "\n";
  return Painted(text, tally.failed == 0 ? Ink::kGreen : Ink::kRed) + "\n";
}

Result<int> Test(const Arguments& named) {
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> paths, operations::MappingPaths(named));
  FENSI_ASSIGN_OR_RETURN(const std::vector<Mapping> mappings, operations::LoadMappings(paths, FLAGS_meta_table));
  const bool color = WantsColor(FLAGS_color, StdoutIsTerminal());
  Tally tally;
  for (const Mapping& mapping : mappings) FENSI_RETURN_IF_ERROR(RunCases(mapping, color, &tally));
  TellUntested(mappings);
  Print(TallyText(tally, color));
  return tally.failed == 0 ? kExitDone : kExitDifference;
}

}  // namespace

Command TestCommand() {
  Command command;
  command.name = "test";
  command.summary = "run the test cases of mapping files, without any server";
  command.arguments = "MAPPING|FOLDER…";
  command.min_arguments = 1;
  command.max_arguments = kAnyNumber;
  command.description =
      "Applies the changes of every test case under 'tests:' to empty indexes in memory, with the same code as "
      "'fensi run'. Then fensi compares the whole content of each index that the test case names with the expected "
      "content. fensi shows each difference with the event that caused the difference. If a test case names no dead "
      "letters, fensi expects that no event becomes a dead letter. Exit code 1: a test case failed. A file without "
      "test cases is no failure: fensi only prints a note. If you name a folder, the command reads all files *.yaml "
      "and *.yml of the folder.";
  command.examples = {{"fensi test guanzhu.yaml", "runs all test cases of one file"}};
  command.run = Test;
  return command;
}

}  // namespace fensi::cli
