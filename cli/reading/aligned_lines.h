// Lines of fields under a heading, aligned by what stands on the screen. One thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace fensi::cli {

/// As wide as the heading and the first lines need; what comes later and is wider moves the rest of its own line.
/// Without any line there is no heading.
class AlignedLines {
 public:
  using Fields = std::vector<std::string>;
  using Sink = std::function<void(const std::string& line)>;

  AlignedLines(Fields heading, Sink sink);

  /// No more fields than there are headings, perhaps less.
  void Add(Fields line);
  /// After the last line.
  void Finish();

 private:
  static constexpr size_t kLinesToMeasure = 200;

  void Measure();
  void Put(const Fields& line) const;

  const Fields heading_;
  const Sink sink_;
  std::vector<Fields> waiting_;  // while the widths are not known
  std::vector<size_t> widths_;
  bool measured_ = false;
};

}  // namespace fensi::cli
