// What a person chose to see, and what a key makes of it. Pure.
#pragma once

#include <string>
#include <vector>

#include "cli/top/keys.h"
#include "cli/top/top_figures.h"

namespace fensi::cli {

enum class TopView { kIndexes, kPartitions };
enum class TopSort { kBehind, kOldest, kRate, kName };

struct TopChoice {
  TopView view = TopView::kIndexes;
  TopSort sort = TopSort::kBehind;
  bool help = false;
  std::string index;   // that is marked; empty: the first
  size_t skipped = 0;  // partitions above the first that is shown
};

/// Names of the indexes in the order that was chosen.
std::vector<std::string> Ordered(const TopFigures& figures, TopSort sort);

/// The one that is marked, or empty when there is none.
std::string MarkedIndex(const TopFigures& figures, const TopChoice& choice);

/// Not of kQuit, which ends all.
TopChoice AfterKey(Key key, TopChoice choice, const TopFigures& figures);

}  // namespace fensi::cli
