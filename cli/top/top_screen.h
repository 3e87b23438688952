// Renders `fensi top`: figures and choices in, lines out. Pure.
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
  std::string text;  // at most as wide as the screen, without control characters
  LineStyle style = LineStyle::kPlain;
};

/// As many lines as the screen has rows. `time`: "12:00:01Z".
std::vector<ScreenLine> TopScreen(const TopFigures& figures, const TopChoice& choice, const std::string& time,
                                  ScreenSize size);

/// Eight heights, the highest for the maximum, a blank if unknown; as wide as `width`, each column the mean of its
/// share of the values, the newest on the right.
std::string Sparkline(const std::deque<std::optional<double>>& values, size_t width);

}  // namespace fensi::cli
