// Cells to standard output, in the form that was chosen: an aligned table for people, lines with tabs, or JSON.
//
// One thread. Blocks when the reader of the output is slow.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cell.h"

namespace fensi::cli {

enum class CellForm { kTable, kTabs, kJson, kJsonLines };

/// A table is as wide as its first lines need; what comes later and is wider moves the rest of its own line.
class CellPrinter {
 public:
  using Sink = std::function<void(std::string_view)>;
  struct Options {
    CellForm form = CellForm::kTabs;
    bool raw = false;               // the cell's type, too
    bool bytes = false;             // all bytes above ASCII as \xNN
    std::vector<std::string> more;  // headings of what is shown behind the value
  };

  CellPrinter(const Options& options, Sink sink);

  /// The cell is to be given as JSON.
  bool takes_json() const { return options_.form == CellForm::kJson || options_.form == CellForm::kJsonLines; }
  /// `more`: what is shown behind the value, perhaps less than there are headings.
  void Add(std::string_view row, const Cell& cell, std::vector<std::string> more = {});
  /// An object and a line end.
  void AddJson(const std::string& line);
  /// After the last cell.
  void Finish();

 private:
  static constexpr size_t kLinesToMeasure = 200;
  static constexpr size_t kMostColumns = 7;
  using Line = std::vector<std::string>;

  Line FieldsOf(std::string_view row, const Cell& cell) const;
  Line Heading() const;
  void Measure();
  void PutAligned(const Line& line);
  void Put(const std::string& text);

  const Options options_;
  const Sink sink_;
  std::vector<Line> waiting_;  // of a table whose widths are not known yet
  std::array<size_t, kMostColumns> widths_{};
  bool measured_ = false;
  bool any_ = false;
};

}  // namespace fensi::cli
