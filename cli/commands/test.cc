#include "cli/cases/case_run.h"
#include "cli/commands/commands.h"
#include "cli/mappings/mapping_files.h"
#include "cli/program/output.h"

namespace fensi::cli {
namespace {

using mapping::Mapping;
using mapping::TestCase;

struct Tally {
  int64_t passed = 0;
  int64_t failed = 0;
};

Status RunCases(const Mapping& mapping, Tally* tally) {
  for (const TestCase& test : mapping.tests) {
    const Result<std::string> faults = RunCase(mapping, test);
    if (!faults.ok()) return faults.status();
    ++(faults->empty() ? tally->passed : tally->failed);
    if (faults->empty()) continue;
    Print(mapping.path + ":" + std::to_string(test.line) + ": failed: " + test.name + "\n" + *faults);
  }
  return Status();
}

Result<int> Test(const Arguments& paths) {
  const Result<std::vector<Mapping>> mappings = LoadMappings(paths);
  if (!mappings.ok()) return mappings.status();
  Tally tally;
  for (const Mapping& mapping : *mappings) FENSI_RETURN_IF_ERROR(RunCases(mapping, &tally));
  Print(Counted(tally.passed, "test") + " passed, " + std::to_string(tally.failed) + " failed\n");
  return tally.failed == 0 ? kExitDone : kExitDifference;
}

}  // namespace

Command TestCommand() {
  Command command;
  command.name = "test";
  command.summary = "run the examples inside mapping files, without any server";
  command.arguments = "MAPPING…";
  command.min_arguments = 1;
  command.max_arguments = kAnyNumber;
  command.description =
      "Applies the changes of every case under 'tests:' to empty indexes in memory, by the same code as 'fensi run', "
      "and compares the whole content of each index that the case names. What differs is shown with the event that "
      "caused it. A case that does not name dead letters expects none. Exit code 1 when a case fails.";
  command.examples = {{"fensi test guanzhu.yaml", "all cases of one file"}};
  command.run = Test;
  return command;
}

}  // namespace fensi::cli
