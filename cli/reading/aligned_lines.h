// Aligns lines of fields under a heading by their width on the screen. One thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace fensi::cli {

/// Columns are as wide as the heading and the first lines need; a wider field in a later line shifts the rest of its
/// own line. Without any line there is no heading.
class AlignedLines {
 public:
  using Fields = std::vector<std::string>;
  using Sink = std::function<void(const std::string& line)>;

  AlignedLines(Fields heading, Sink sink);

  /// At most as many fields as headings.
  void Add(Fields line);
  /// Call after the last line.
  void Finish();

 private:
  static constexpr size_t kLinesToMeasure = 200;

  void Measure();
  void Put(const Fields& line) const;

  const Fields heading_;
  const Sink sink_;
  std::vector<Fields> waiting_;  // until the widths are known
  std::vector<size_t> widths_;
  bool measured_ = false;
};

}  // namespace fensi::cli
