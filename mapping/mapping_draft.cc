#include "mapping/mapping_draft.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/bytes.h"
#include "base/text.h"
#include "mapping/mapping.h"
#include "mapping/starter/cost.h"
#include "mapping/starter/proposals.h"

namespace fensi::mapping {
namespace {

constexpr size_t kLongestExample = 40;
constexpr size_t kMostTestCells = 8;
constexpr size_t kLongestYamlKey = 1'024;  // in characters, without "? " before it

/// A single-quoted YAML scalar.
std::string Scalar(std::string_view bytes) {
  std::string out = "'";
  for (const char c : Escape(bytes)) out += c == '\'' ? "\\x27" : std::string(1, c);
  return out + "'";
}

std::string ExampleText(const ValuesGuess& values) {
  if (values.kind == ValueKind::kNothing) return "";
  const std::string shown = Escape(values.example);
  const std::string clipped(FirstCharacters(shown, kLongestExample));
  return ", for example '" + clipped + (clipped.size() < shown.size() ? "…'" : "'");
}

/// The findings about the table, line by line.
class KeyFindings {
 public:
  KeyFindings(const TableSample& sample, const TableGuess& guess) : sample_(sample), guess_(guess) {}

  std::string Text() {
    if (sample_.rows.empty()) return "# The table has no rows yet, so nothing shows which keys are useful.\n";
    text_ = "# What the rows show:\n";
    AddKeys();
    for (size_t i = 0; i < guess_.families.size(); ++i) AddFamily(sample_.families[i].name, guess_.families[i]);
    return text_;
  }

 private:
  void AddKeys() {
    Line("row keys", guess_.key.about + ExampleText(guess_.key.whole));
    if (guess_.key.parts.size() < 2) return;
    for (size_t i = 0; i < guess_.key.parts.size(); ++i) {
      Line("  part " + std::to_string(i + 1), KeyPartText(guess_.key.parts[i]) + Different(guess_.key.parts[i].values));
    }
  }

  void AddFamily(const std::string& family, const FamilyGuess& guess) {
    if (guess.columns.empty() && !guess.wide) Line(Escape(family) + ":", "no cells");
    for (const ColumnGuess& column : guess.columns) {
      const std::string field = column.field.empty() ? "" : "  ." + column.field;
      Line(field.empty() ? ColumnText(column.family, column.qualifier) : field,
           "in " + Counted(static_cast<int64_t>(column.rows), "row") + (column.items ? ", items of a list: " : ": ") +
               ValuesText(column.values) + Different(column.values) + ExampleText(column.values));
    }
    if (!guess.wide) return;
    Line(ColumnText(family, guess.wide->prefix) + "*",
         "in " + Counted(static_cast<int64_t>(guess.wide->rows), "row") + ", the qualifiers are data: " +
             ValuesText(guess.wide->names) + Different(guess.wide->names) + ExampleText(guess.wide->names));
    Line("", "their values: " + ValuesText(guess.wide->values) + ExampleText(guess.wide->values));
  }

  static std::string Different(const ValuesGuess& values) {
    if (values.kind == ValueKind::kNothing) return "";
    return ", " +
           (values.distinct == 1 ? std::string("always the same") : std::to_string(values.distinct) + " different");
  }

  void Line(const std::string& what, const std::string& about) {
    constexpr size_t kColumn = 16;
    const std::string padding(what.size() < kColumn ? kColumn - what.size() : 1, ' ');
    text_ += "#   " + what + padding + about + "\n";
  }

  const TableSample& sample_;
  const TableGuess& guess_;
  std::string text_;
};

/// An index of the file; `prefix` is its indentation, with a comment sign for one that is not active.
std::string ProposalText(const Proposal& proposal, const std::vector<std::string>& cost, bool active) {
  std::string text;
  for (const std::string& line : proposal.about) text += "  # " + line + "\n";
  for (const std::string& line : cost) text += "  # " + line + "\n";
  const std::string prefix = active ? "  " : "  # ";
  text += prefix + proposal.name + ":\n" + prefix + "  table: " + proposal.table + "\n";
  for (const std::string& line : proposal.lines) text += prefix + "  " + line + "\n";
  return text;
}

std::string HeadText(const TableSample& sample, const TableGuess& guess) {
  return "# Made by 'fensi init' from " + Counted(static_cast<int64_t>(sample.rows.size()), "row") +
         " of this table. Keep the index that answers your question.\n"
         "# To use another index, remove its comment signs. 'fensi check' says what an index costs. 'fensi test' runs\n"
         "# the test below. 'fensi explain' shows the entries of an event. 'fensi help functions' shows all "
         "functions.\n"
         "#\n" +
         KeyFindings(sample, guess).Text() + "source: " + sample.table + "\n\nindexes:\n";
}

/// A row of the sample that the index has entries of, as a test; empty: none is short enough.
class SampleTest {
 public:
  explicit SampleTest(const Index& index) : index_(index) {}

  std::string Text(const TableSample& sample) {
    for (const SampleRow& row : sample.rows) {
      if (std::string text = TextOf(row); !text.empty()) return text;
    }
    return "";
  }

 private:
  std::string TextOf(const SampleRow& row) {
    std::string given;
    std::vector<VisibleCell> cells;
    for (const Cell& cell : row.cells) {
      if (!index_.Watches(cell.family, cell.qualifier)) continue;
      if (cell.value.size() > kLongestExample || cells.size() == kMostTestCells) return "";
      cells.push_back({cell.family, cell.qualifier, 1, cell.value});
      const std::string column = Scalar(cell.family + ":" + cell.qualifier);
      if (column.size() >= kLongestYamlKey) return "";
      given += ", " + column + ": " + Scalar(cell.value);
    }
    EntryList entries;
    std::vector<Unmappable> problems;
    if (!cells.empty()) index_.Derive({row.row, cells}, &entries, &problems);
    if (entries.size() == 0 || !problems.empty() || HasLongKey(entries)) return "";
    std::string text = "\ntests:\n  - name: a row of the sample\n    given:\n      - { put: " + Scalar(row.row) +
                       given + ", ts: 1 }\n    expect:\n      " + index_.name() + ":\n";
    return text + Expected(entries);
  }

  static bool HasLongKey(const EntryList& entries) {
    for (size_t i = 0; i < entries.size(); ++i) {
      const Entry entry = entries[i];
      const std::string column = std::string(entry.family) + ":" + std::string(entry.qualifier);
      if (std::max(Scalar(entry.row).size(), Scalar(column).size()) >= kLongestYamlKey) return true;
    }
    return false;
  }

  /// One line for each row key; entries of a key may come apart.
  static std::string Expected(const EntryList& entries) {
    std::map<std::string, std::string> rows;
    for (size_t i = 0; i < entries.size(); ++i) {
      const Entry entry = entries[i];
      std::string& cells = rows[std::string(entry.row)];
      cells += (cells.empty() ? "" : ", ") + Scalar(std::string(entry.family) + ":" + std::string(entry.qualifier)) +
               ": " + Scalar(entry.value);
    }
    std::string text;
    for (const auto& [row, cells] : rows) text += "        " + Scalar(row) + ": { " + cells + " }\n";
    return text;
  }

  const Index& index_;
};

}  // namespace

MappingDraft DraftMapping(const TableSample& sample) {
  const TableGuess guess = GuessTable(sample);
  const std::vector<Proposal> proposals = Propose(sample, guess);
  const std::string head = HeadText(sample, guess);
  MappingDraft starter{head, {}};
  std::string test;
  for (size_t i = 0; i < proposals.size(); ++i) {
    Diagnostics diagnostics;
    const std::vector<Mapping> loaded = Load({{"starter", head + ProposalText(proposals[i], {}, true)}}, &diagnostics);
    std::vector<std::string> cost;
    if (!loaded.empty()) {
      const Index& index = *loaded[0].indexes[0];
      const IndexCost found = CostOf(index, sample);
      cost = CostText(index, found);
      if (std::string skew = SkewText(index, found); !skew.empty()) starter.skews.push_back(std::move(skew));
      if (i == 0) test = SampleTest(index).Text(sample);
    }
    starter.text += (i == 0 ? "" : "\n") + ProposalText(proposals[i], cost, i == 0);
  }
  starter.text += test;
  return starter;
}

}  // namespace fensi::mapping
