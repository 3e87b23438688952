#include "operations/trial/case_run.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/text.h"
#include "operations/lookup/index_reader.h"
#include "operations/trial/causes.h"
#include "operations/trial/index_content.h"

namespace fensi::operations {
namespace {

using mapping::ExpectedCell;
using mapping::Mapping;
using mapping::TestCase;
using IndexPointer = std::shared_ptr<const mapping::Index>;

std::string CellText(const ExpectedCell& cell) {
  return cell.table + ", row '" + Escape(cell.row) + "', '" + ColumnText(cell.family, cell.qualifier) + "': '" +
         Escape(cell.value) + "'";
}

std::string RowsText(const std::vector<std::string>& rows) {
  std::string text;
  for (const std::string& row : rows) text += " '" + Escape(row) + "'";
  return rows.empty() ? " none" : text;
}

class CaseRun {
 public:
  CaseRun(const Mapping& mapping, const TestCase& test) : mapping_(mapping), test_(test) {}

  Status Run() {
    for (const IndexPointer& index : mapping_.indexes) FENSI_RETURN_IF_ERROR(RunIndex(index));
    CompareLetters();
    return Status();
  }

  const std::string& faults() const { return faults_; }

 private:
  Status RunIndex(const IndexPointer& index) {
    FENSI_ASSIGN_OR_RETURN(const IndexContent content, ContentAfter(index, test_.given));
    letters_.insert(letters_.end(), content.letters.begin(), content.letters.end());
    for (const TestCase::Expectation& expectation : test_.expect) {
      if (expectation.index == index->name()) FENSI_RETURN_IF_ERROR(Compare(index, expectation.cells, content.cells));
    }
    for (const TestCase::Lookup& lookup : test_.lookups) {
      if (lookup.index == index->name()) FENSI_RETURN_IF_ERROR(RunLookup(*index, lookup, content));
    }
    return Status();
  }

  /// Both sorted.
  Status Compare(const IndexPointer& index, const std::vector<ExpectedCell>& expected,
                 const std::vector<ExpectedCell>& found) {
    std::vector<ExpectedCell> missing, surplus;
    std::set_difference(expected.begin(), expected.end(), found.begin(), found.end(), std::back_inserter(missing));
    std::set_difference(found.begin(), found.end(), expected.begin(), expected.end(), std::back_inserter(surplus));
    if (missing.empty() && surplus.empty()) return Status();
    FENSI_ASSIGN_OR_RETURN(const Causes causes, Causes::Find(index, test_.given));
    const auto add = [&](const char* what, const ExpectedCell& cell) {
      faults_ += std::string("    ") + what + CellText(cell) + "\n      " + causes.Of(cell) + "\n";
    };
    faults_ += "  index " + index->name() + ":\n";
    for (const ExpectedCell& cell : missing) add("expected, not there: ", cell);
    for (const ExpectedCell& cell : surplus) add("there, not expected: ", cell);
    return Status();
  }

  Status RunLookup(const mapping::Index& index, const TestCase::Lookup& lookup, const IndexContent& content) {
    Result<IndexReader> reader = IndexReader::Plan(index, {lookup.parts, lookup.from, lookup.to, lookup.area});
    if (!reader.ok()) return reader.status();
    if (reader->tables().empty()) reader->set_tables(content.tables);
    std::vector<std::string> found;
    FENSI_RETURN_IF_ERROR(reader
                              ->Read(content.trial->store(), 0,
                                     [&](const auto&, const store::Row& row, const auto&) { found.push_back(row.row); })
                              .status());
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    if (found == lookup.rows) return Status();
    faults_ += "  lookup in line " + std::to_string(lookup.line) + ":\n    expected rows:" + RowsText(lookup.rows) +
               "\n    found rows:" + RowsText(found) + "\n";
    return Status();
  }

  void CompareLetters() {
    const int64_t expected = test_.dead_letters.value_or(0);
    if (static_cast<int64_t>(letters_.size()) == expected) return;
    faults_ += "    expected " + Counted(expected, "dead letter") + ", got " + std::to_string(letters_.size()) + "\n";
    for (const consumer::DeadLetter& letter : letters_) {
      const auto at = static_cast<size_t>(letter.offset);
      faults_ += "    dead letter: " + letter.reason + "\n";
      if (at < test_.given.size()) faults_ += "      of " + EventText(at + 1, test_.given[at]) + "\n";
    }
    faults_ += "    correct the test or the mapping, or expect this number: 'dead_letters: " +
               std::to_string(letters_.size()) + "'\n";
  }

  const Mapping& mapping_;
  const TestCase& test_;
  std::vector<consumer::DeadLetter> letters_;
  std::string faults_;
};

}  // namespace

Result<std::string> RunCase(const Mapping& mapping, const TestCase& test) {
  CaseRun run(mapping, test);
  FENSI_RETURN_IF_ERROR(run.Run());
  return run.faults();
}

}  // namespace fensi::operations
