#include <algorithm>

#include "base/bytes.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/mapping_files.h"
#include "cli/output.h"
#include "cli/reading/index_reader.h"
#include "cli/row_pages.h"
#include "cli/trial.h"

namespace fensi::cli {
namespace {

using mapping::ExpectedCell;
using mapping::Mapping;
using mapping::TestCase;

class LetterCounter final : public TrialObserver {
 public:
  void Written(const std::string& table, const store::RowMutation&) override { tables_.push_back(table); }
  void Refused(const consumer::DeadLetter& letter) override { reasons_.push_back(letter.reason); }

  const std::vector<std::string>& reasons() const { return reasons_; }
  /// Index tables that were written; a period table is known by nothing else.
  std::vector<std::string> Tables(const mapping::Index& index) const {
    std::vector<std::string> tables = tables_;
    if (!index.table_is_template()) tables.push_back(index.table());
    std::erase(tables, index.state_table());
    std::sort(tables.begin(), tables.end());
    tables.erase(std::unique(tables.begin(), tables.end()), tables.end());
    return tables;
  }

 private:
  std::vector<std::string> tables_;
  std::vector<std::string> reasons_;
};

std::string CellText(const ExpectedCell& cell) {
  return cell.table + ", row '" + Escape(cell.row) + "', '" + ColumnText(cell.family, cell.qualifier) + "': '" +
         Escape(cell.value) + "'";
}

Status ReadTable(store::Store* store, const std::string& table, std::vector<ExpectedCell>* cells) {
  const auto add = [&](const store::Row& row) {
    for (const Cell& cell : row.cells) cells->push_back({table, row.row, cell.family, cell.qualifier, cell.value});
  };
  return ForEachRow(store, table, PrefixScan(""), 0, add).status();
}

/// What is in one of the two sorted lists and not in the other, as lines of the report.
std::string DifferenceText(const std::vector<ExpectedCell>& expected, const std::vector<ExpectedCell>& found) {
  std::vector<ExpectedCell> missing, surplus;
  std::set_difference(expected.begin(), expected.end(), found.begin(), found.end(), std::back_inserter(missing));
  std::set_difference(found.begin(), found.end(), expected.begin(), expected.end(), std::back_inserter(surplus));
  std::string text;
  for (const ExpectedCell& cell : missing) text += "    expected, not there: " + CellText(cell) + "\n";
  for (const ExpectedCell& cell : surplus) text += "    there, not expected: " + CellText(cell) + "\n";
  return text;
}

std::string RowsText(const std::vector<std::string>& rows) {
  std::string text;
  for (const std::string& row : rows) text += " '" + Escape(row) + "'";
  return rows.empty() ? " none" : text;
}

/// Runs one case; `faults` are lines about what differs.
class CaseRun {
 public:
  CaseRun(const Mapping& mapping, const TestCase& test) : mapping_(mapping), test_(test) {}

  Status Run() {
    for (const auto& index : mapping_.indexes) FENSI_RETURN_IF_ERROR(RunIndex(index));
    const auto letters = static_cast<int64_t>(reasons_.size());
    if (letters == test_.dead_letters.value_or(0)) return Status();
    faults_ += "    expected " + Counted(test_.dead_letters.value_or(0), "dead letter") + ", got " +
               std::to_string(letters) + "\n";
    for (const std::string& reason : reasons_) faults_ += "    dead letter: " + reason + "\n";
    return Status();
  }

  const std::string& faults() const { return faults_; }

 private:
  Status RunIndex(const std::shared_ptr<const mapping::Index>& index) {
    const Result<std::unique_ptr<Trial>> trial = Trial::Start(index);
    if (!trial.ok()) return trial.status();
    LetterCounter counter;
    FENSI_RETURN_IF_ERROR((*trial)->Apply(test_.given, &counter));
    reasons_.insert(reasons_.end(), counter.reasons().begin(), counter.reasons().end());
    for (const TestCase::Expectation& expectation : test_.expect) {
      if (expectation.index != index->name()) continue;
      std::vector<ExpectedCell> found;
      for (const std::string& table : counter.Tables(*index)) {
        FENSI_RETURN_IF_ERROR(ReadTable((*trial)->store(), table, &found));
      }
      std::sort(found.begin(), found.end());
      const std::string difference = DifferenceText(expectation.cells, found);
      if (!difference.empty()) faults_ += "  index " + index->name() + ":\n" + difference;
    }
    for (const TestCase::Lookup& lookup : test_.lookups) {
      if (lookup.index == index->name()) FENSI_RETURN_IF_ERROR(RunLookup(*index, lookup, counter, (*trial)->store()));
    }
    return Status();
  }

  Status RunLookup(const mapping::Index& index, const TestCase::Lookup& lookup, const LetterCounter& counter,
                   store::Store* store) {
    Result<IndexReader> reader = IndexReader::Plan(index, {lookup.parts, lookup.from, lookup.to});
    if (!reader.ok()) return reader.status();
    if (reader->tables().empty()) reader->set_tables(counter.Tables(index));
    std::vector<std::string> found;
    FENSI_RETURN_IF_ERROR(
        reader->Read(store, 0, [&](const store::Row& row, const auto&) { found.push_back(row.row); }));
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    if (found == lookup.rows) return Status();
    faults_ += "  lookup in line " + std::to_string(lookup.line) + ":\n    expected rows:" + RowsText(lookup.rows) +
               "\n    found rows:" + RowsText(found) + "\n";
    return Status();
  }

  const Mapping& mapping_;
  const TestCase& test_;
  std::vector<std::string> reasons_;
  std::string faults_;
};

struct Tally {
  int64_t passed = 0;
  int64_t failed = 0;
};

Status RunCases(const Mapping& mapping, Tally* tally) {
  for (const TestCase& test : mapping.tests) {
    CaseRun run(mapping, test);
    FENSI_RETURN_IF_ERROR(run.Run());
    ++(run.faults().empty() ? tally->passed : tally->failed);
    if (run.faults().empty()) continue;
    Print(mapping.path + ":" + std::to_string(test.line) + ": failed: " + test.name + "\n" + run.faults());
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
      "and "
      "compares the whole content of each index that the case names. A case that does not name dead letters expects "
      "none. "
      "Exit code 1 when a case fails.";
  command.examples = {{"fensi test guanzhu.yaml", "all cases of one file"}};
  command.run = Test;
  return command;
}

}  // namespace fensi::cli
