#include "mapping/engine/work.h"

#include <tuple>

#include "base/text.h"

namespace fensi::mapping {
namespace {

// The cells of the row that templates name, and those that `each:` binds, in their order.
void BindCells(const IndexDefinition& definition, const RowView& row, Work* work) {
  work->slots.assign(definition.slots.size(), nullptr);
  for (const VisibleCell& cell : row.cells) {
    for (size_t i = 0; i < definition.slots.size(); ++i) {
      const Slot& slot = definition.slots[i];
      if (slot.qualifier == cell.qualifier && slot.family == cell.family) work->slots[i] = &cell;
    }
    for (const Watch& watch : definition.each.columns) {
      if (!Covers(watch, cell.family, cell.qualifier)) continue;
      work->bound.push_back(&cell);
      break;
    }
  }
  if (work->bound.size() < 2) return;
  std::sort(work->bound.begin(), work->bound.end(), [](const VisibleCell* a, const VisibleCell* b) {
    return std::tie(a->family, a->qualifier) < std::tie(b->family, b->qualifier);
  });
}

}  // namespace

void Work::Begin(const IndexDefinition& definition, const RowView& row) {
  scratch.Reset();
  bound.clear();
  pending.clear();
  entry_bytes = 0;
  full = false;
  inputs = {};
  inputs.row = row.row;
  BindCells(definition, row, this);
  inputs.slots = slots;
}

void Work::TakeItems(const Part& part, const Value& list) {
  items.clear();
  for (std::string_view item : *list.list) {
    if (!part.shape.exact_items) item = Trimmed(item);
    if (!item.empty()) items.push_back(item);
  }
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

}  // namespace fensi::mapping
