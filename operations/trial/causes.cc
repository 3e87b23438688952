#include "operations/trial/causes.h"

#include <algorithm>

#include "base/bytes.h"
#include "operations/trial/change_text.h"
#include "operations/trial/index_content.h"

namespace fensi::operations {

using mapping::ExpectedCell;

Result<Causes> Causes::Find(const std::shared_ptr<const mapping::Index>& index,
                            const std::vector<ChangeEvent>& events) {
  Causes causes(events);
  for (size_t count = 0; count <= events.size(); ++count) {
    const auto end = events.begin() + static_cast<std::ptrdiff_t>(count);
    FENSI_ASSIGN_OR_RETURN(IndexContent content, ContentAfter(index, {events.begin(), end}));
    causes.contents_.push_back(std::move(content.cells));
  }
  return causes;
}

std::string Causes::Of(const ExpectedCell& cell) const {
  for (size_t number = events_.size(); number > 0; --number) {
    const bool before = Has(number - 1, cell), after = Has(number, cell);
    if (before != after) return (after ? "put by " : "removed by ") + EventText(number, events_[number - 1]);
  }
  return "no event puts it";
}

bool Causes::Has(size_t after, const ExpectedCell& cell) const {
  return std::binary_search(contents_[after].begin(), contents_[after].end(), cell);
}

std::string EventText(size_t number, const ChangeEvent& event) {
  std::string text = "event " + std::to_string(number) + " (row " + Escape(event.row) + ":";
  for (const Cell& cell : event.cells) text += (&cell == &event.cells.front() ? " " : ", ") + ChangeText(cell);
  return text + ")";
}

}  // namespace fensi::operations
