#include "cli/reading/cell_printer.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/bytes.h"
#include "cli/reading/cell_text.h"
#include "cli/reading/text_width.h"

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

void CellPrinter::Put(const std::string& text) { sink_(options_.bytes ? WithoutText(text, takes_json()) : text); }

void CellPrinter::Add(std::string_view row, const Cell& cell, std::vector<std::string> more) {
  Line line = FieldsOf(row, cell);
  std::move(more.begin(), more.end(), std::back_inserter(line));
  if (options_.form == CellForm::kTabs) {
    std::string text;
    for (const std::string& field : line) text += (text.empty() ? "" : "\t") + field;
    return Put(text + "\n");
  }
  if (measured_) return PutAligned(line);
  waiting_.push_back(std::move(line));
  if (waiting_.size() >= kLinesToMeasure) Measure();
}

void CellPrinter::Measure() {
  if (std::exchange(measured_, true) || waiting_.empty()) return;
  waiting_.insert(waiting_.begin(), Heading());
  for (const Line& line : waiting_) {
    for (size_t i = 0; i + 1 < line.size(); ++i) widths_[i] = std::max(widths_[i], TextWidth(line[i]));
  }
  for (const Line& line : waiting_) PutAligned(line);
  waiting_.clear();
}

void CellPrinter::PutAligned(const Line& line) {
  std::string text;
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    const size_t width = TextWidth(line[i]);
    text += line[i] + std::string(std::max(widths_[i], width) - width + 2, ' ');
  }
  Put(text + line.back() + "\n");
}

void CellPrinter::AddJson(const std::string& line) {
  if (options_.form == CellForm::kJsonLines) return Put(line);
  Put((any_ ? ",\n" : "[\n") + line.substr(0, line.size() - 1));
  any_ = true;
}

void CellPrinter::Finish() {
  Measure();
  if (options_.form == CellForm::kJson) Put(any_ ? "\n]\n" : "[]\n");
}

}  // namespace fensi::cli
