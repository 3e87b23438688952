// The picture of `fensi top`: figures and a choice in, lines out. Pure.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "cli/top/top_choice.h"
#include "cli/top/top_figures.h"

namespace fensi::cli {

struct ScreenSize {
  size_t rows = 24;
  size_t columns = 80;
};

enum class LineStyle { kPlain, kBar, kHead, kMarked, kDim, kAlarm };

struct ScreenLine {
  std::string text;  // as wide as the screen at most, without control characters
  LineStyle style = LineStyle::kPlain;
};

/// As many lines as the screen has rows. `time`: "12:00:01Z".
std::vector<ScreenLine> TopScreen(const TopFigures& figures, const TopChoice& choice, const std::string& time,
                                  ScreenSize size);

/// Eight heights, the highest for the most of them, a blank where nothing is known; as wide as `width`, each place the
/// mean of as many values as fall to it, the newest on the right.
std::string Sparkline(const std::deque<std::optional<double>>& values, size_t width);

}  // namespace fensi::cli
