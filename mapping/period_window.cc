#include "mapping/period_window.h"

#include <optional>
#include <utility>

namespace fensi::mapping {
namespace {

constexpr int64_t kDayMillis = 86'400'000;

/// In the list, and under no other value: attempts that died may have left either.
bool Contains(const EntryList& list, const Entry& wanted) {
  bool found = false;
  for (size_t i = 0; i < list.size(); ++i) {
    const Entry entry = list[i];
    if (!SameCell(entry, wanted)) continue;
    if (entry.value != wanted.value) return false;
    found = true;
  }
  return found;
}

}  // namespace

PeriodWindow::PeriodWindow(const Index& index, int64_t now_millis) {
  const std::optional<int64_t> keep = index.keep_millis();
  if (!keep) return;
  from_ = now_millis - *keep;
  to_ = now_millis + kDayMillis;
}

bool PeriodWindow::LeavesAlone(const Entry& entry, const EntryList& after) const {
  if (Inside(entry)) return false;
  for (size_t i = 0; i < after.size(); ++i) {
    if (SameCell(after[i], entry)) return true;
  }
  return false;
}

bool PeriodWindow::CameInside(const Entry& entry, const EntryList& before) const {
  if (!limited() || !Inside(entry)) return false;
  for (size_t i = 0; i < before.size(); ++i) {
    if (SameCell(before[i], entry) && !Inside(before[i])) return true;
  }
  return false;
}

void PeriodWindow::Refuse(const EntryList& before, EntryList* after, const std::function<void(const Entry&)>& refuse) {
  if (!limited()) return;
  bool all = true;
  for (size_t i = 0; i < after->size() && all; ++i) all = Inside((*after)[i]);
  if (all) return;
  kept_.Clear();
  for (size_t i = 0; i < after->size(); ++i) {
    Entry entry = (*after)[i];
    // M23: an entry of a period that is over is not put again.
    if (!Inside(entry)) entry.newest = 0;  // it stays as it is: its table may be dropped already
    if (Inside(entry) || Contains(before, entry)) {
      kept_.Add(entry);
    } else {
      refuse(entry);
    }
  }
  std::swap(kept_, *after);
}

}  // namespace fensi::mapping
