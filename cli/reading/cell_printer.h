// Prints cells to standard output in the chosen form: an aligned table for people, lines with tabs, JSON, or lines for
// the HBase shell.
//
// One thread. Blocks when the reader of the output is slow.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cell.h"
#include "cli/reading/aligned_lines.h"

namespace fensi::cli {

enum class CellForm { kTable, kTabs, kJson, kJsonLines, kShell };

class CellPrinter {
 public:
  using Sink = std::function<void(std::string_view)>;
  struct Options {
    CellForm form = CellForm::kTabs;
    bool raw = false;               // includes the cell's type
    bool bytes = false;             // all bytes above ASCII as \xNN
    std::vector<std::string> more;  // headings of the columns after the value
  };

  CellPrinter(const Options& options, Sink sink);

  /// True if the cell is to be given as JSON.
  bool takes_json() const { return options_.form == CellForm::kJson || options_.form == CellForm::kJsonLines; }
  /// `more`: columns after the value, at most as many as headings.
  void Add(const std::string& table, std::string_view row, const Cell& cell, std::vector<std::string> more = {});
  /// An object and a line end.
  void AddJson(const std::string& line);
  /// Call after the last cell.
  void Finish();

 private:
  using Line = AlignedLines::Fields;

  Line FieldsOf(std::string_view row, const Cell& cell) const;
  Line Heading() const;
  void Put(const std::string& text) const;

  const Options options_;
  const Sink sink_;
  std::optional<AlignedLines> aligned_;  // of a table, from its first cell on
  bool any_ = false;
};

}  // namespace fensi::cli
