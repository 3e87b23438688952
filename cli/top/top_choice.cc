#include "cli/top/top_choice.h"

#include <algorithm>
#include <limits>

namespace fensi::cli {
namespace {

/// The greater stands higher; what is not known highest, as it may be anything.
double WeightOf(const TopIndex& index, TopSort sort) {
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  switch (sort) {
    case TopSort::kBehind:
      return static_cast<double>(index.standing.EventsBehind());
    case TopSort::kOldest:
      return index.standing.SecondsBehind().value_or(kUnknown);
    case TopSort::kRate:
      return index.per_second.value_or(0);
    case TopSort::kName:
      return 0;
  }
  return 0;
}

TopSort Next(TopSort sort) {
  return sort == TopSort::kName ? TopSort::kBehind : static_cast<TopSort>(static_cast<int>(sort) + 1);
}

void Move(Key key, const TopFigures& figures, TopChoice* choice) {
  const bool down = key == Key::kDown;
  if (choice->view == TopView::kPartitions) {
    if (down) ++choice->skipped;
    if (!down && choice->skipped > 0) --choice->skipped;
    return;
  }
  const std::vector<std::string> names = Ordered(figures, choice->sort);
  const auto marked = std::find(names.begin(), names.end(), MarkedIndex(figures, *choice));
  if (marked == names.end()) return;
  if (down && marked + 1 != names.end()) choice->index = *(marked + 1);
  if (!down && marked != names.begin()) choice->index = *(marked - 1);
}

}  // namespace

std::vector<std::string> Ordered(const TopFigures& figures, TopSort sort) {
  std::vector<std::string> names;
  for (const auto& [name, index] : figures.indexes()) names.push_back(name);
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return WeightOf(figures.indexes().at(a), sort) > WeightOf(figures.indexes().at(b), sort);
  });
  return names;
}

std::string MarkedIndex(const TopFigures& figures, const TopChoice& choice) {
  if (figures.indexes().contains(choice.index)) return choice.index;
  const std::vector<std::string> names = Ordered(figures, choice.sort);
  return names.empty() ? "" : names.front();
}

TopChoice AfterKey(Key key, TopChoice choice, const TopFigures& figures) {
  if (choice.help) {  // any key ends it
    choice.help = false;
    return choice;
  }
  switch (key) {
    case Key::kIndexes:
      choice.view = TopView::kIndexes;
      break;
    case Key::kPartitions:
      choice.index = MarkedIndex(figures, choice);
      choice.view = TopView::kPartitions;
      choice.skipped = 0;
      break;
    case Key::kSort:
      choice.sort = Next(choice.sort);
      break;
    case Key::kHelp:
      choice.help = true;
      break;
    case Key::kUp:
    case Key::kDown:
      Move(key, figures, &choice);
      break;
    case Key::kQuit:
    case Key::kOther:
      break;
  }
  return choice;
}

}  // namespace fensi::cli
