// The state of a person's choices in `fensi top`, and the effect of keys. Pure.
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
  std::string index;   // the selected index; empty: the first
  size_t skipped = 0;  // partitions above the first visible one
};

/// Names of the indexes in the chosen order.
std::vector<std::string> Ordered(const TopFigures& figures, TopSort sort);

/// The selected index; empty: none.
std::string MarkedIndex(const TopFigures& figures, const TopChoice& choice);

/// Not for kQuit, which ends everything.
TopChoice AfterKey(Key key, TopChoice choice, const TopFigures& figures);

}  // namespace fensi::cli
