#include "cli/reading/aligned_lines.h"

#include <algorithm>
#include <utility>

#include "cli/reading/text_width.h"

namespace fensi::cli {

AlignedLines::AlignedLines(Fields heading, Sink sink)
    : heading_(std::move(heading)), sink_(std::move(sink)), widths_(heading_.size()) {}

void AlignedLines::Add(Fields line) {
  if (measured_) return Put(line);
  waiting_.push_back(std::move(line));
  if (waiting_.size() >= kLinesToMeasure) Measure();
}

void AlignedLines::Finish() { Measure(); }

void AlignedLines::Measure() {
  if (std::exchange(measured_, true) || waiting_.empty()) return;
  waiting_.insert(waiting_.begin(), heading_);
  for (const Fields& line : waiting_) {
    for (size_t i = 0; i + 1 < line.size(); ++i) widths_[i] = std::max(widths_[i], TextWidth(line[i]));
  }
  for (const Fields& line : waiting_) Put(line);
  waiting_.clear();
}

void AlignedLines::Put(const Fields& line) const {
  std::string text;
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    const size_t width = TextWidth(line[i]);
    text += line[i] + std::string(std::max(widths_[i], width) - width + 2, ' ');
  }
  sink_(text + line.back() + "\n");
}

}  // namespace fensi::cli
