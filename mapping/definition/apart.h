// Whether two columns of an index can write one cell.
#pragma once

#include <string_view>
#include <vector>

#include "mapping/definition/definition.h"

namespace fensi::mapping {

/// The columns of one index, prepared so that each can be compared with each. Borrows them.
class ColumnOutlines {
 public:
  /// What is certain of the results of a template: bytes at the first places counted from one end, all bytes that can
  /// occur, widths.
  struct Outline {
    std::vector<ByteSet> places;
    ByteSet bytes;
    size_t least = 0;
    size_t most = 0;
  };

  explicit ColumnOutlines(const std::vector<ColumnRule>& columns);

  /// Can no source give the same cell (of one row key) by both columns?
  bool NeverMeet(size_t a, size_t b) const;

 private:
  struct Column {
    std::string_view family;
    Outline front;
    Outline back;
  };
  std::vector<Column> all_;
};

}  // namespace fensi::mapping
