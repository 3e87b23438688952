#include "cli/reading/cell_printer.h"

#include <iterator>
#include <utility>

#include "base/bytes.h"
#include "base/text.h"
#include "cli/reading/cell_text.h"
#include "operations/shell/shell_lines.h"

namespace fensi::cli {

CellPrinter::CellPrinter(const Options& options, Sink sink) : options_(options), sink_(std::move(sink)) {}

CellPrinter::Line CellPrinter::FieldsOf(std::string_view row, const Cell& cell) const {
  Line line = {Escape(row), ColumnText(cell.family, cell.qualifier), std::to_string(cell.timestamp)};
  if (options_.raw) line.emplace_back(CellTypeName(cell.type));
  line.push_back(Escape(cell.value));
  return line;
}

CellPrinter::Line CellPrinter::Heading() const {
  Line line = {"ROW", "COLUMN", "TIMESTAMP"};
  if (options_.raw) line.emplace_back("TYPE");
  line.emplace_back("VALUE");
  line.insert(line.end(), options_.more.begin(), options_.more.end());
  return line;
}

void CellPrinter::Put(const std::string& text) const { sink_(options_.bytes ? WithoutText(text, takes_json()) : text); }

void CellPrinter::Add(const std::string& table, std::string_view row, const Cell& cell, std::vector<std::string> more) {
  if (options_.form == CellForm::kShell) return Put(operations::ShellCell(table, row, cell, Joined(more, "  ")));
  Line line = FieldsOf(row, cell);
  std::move(more.begin(), more.end(), std::back_inserter(line));
  if (options_.form == CellForm::kTabs) return Put(Joined(line, "\t") + "\n");
  if (!aligned_) {
    aligned_.emplace(Heading(), [sink = sink_, bytes = options_.bytes](const std::string& text) {
      sink(bytes ? WithoutText(text, false) : text);
    });
  }
  aligned_->Add(std::move(line));
}

void CellPrinter::AddJson(const std::string& line) {
  if (options_.form == CellForm::kJsonLines) return Put(line);
  Put((any_ ? ",\n" : "[\n") + line.substr(0, line.size() - 1));
  any_ = true;
}

void CellPrinter::Finish() {
  if (aligned_) aligned_->Finish();
  if (options_.form == CellForm::kJson) Put(any_ ? "\n]\n" : "[]\n");
}

}  // namespace fensi::cli
