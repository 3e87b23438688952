#include "indexer/plan/period_window.h"

#include <utility>

namespace fensi::indexer {
namespace {

constexpr int64_t kDayMillis = 86'400'000;

/// In the list, and under no other value: attempts that died may have left either.
bool Contains(const mapping::EntryList& list, const mapping::Entry& wanted) {
  bool found = false;
  for (size_t i = 0; i < list.size(); ++i) {
    const mapping::Entry entry = list[i];
    if (!SameCell(entry, wanted)) continue;
    if (entry.value != wanted.value) return false;
    found = true;
  }
  return found;
}

std::string Reason(const mapping::Entry& entry) {
  return "table '" + std::string(entry.table) + "' lies outside of what 'keep' allows: its time is " +
         std::to_string(entry.period) + " ms";
}

}  // namespace

PeriodWindow::PeriodWindow(const mapping::Index& index, int64_t now_millis) {
  const std::optional<int64_t> keep = index.keep_millis();
  if (!keep) return;
  from_ = now_millis - *keep;
  to_ = now_millis + kDayMillis;
}

bool PeriodWindow::Inside(const mapping::Entry& entry) const { return entry.period >= from_ && entry.period <= to_; }

bool PeriodWindow::LeavesAlone(const mapping::Entry& entry, const mapping::EntryList& after) const {
  if (Inside(entry)) return false;
  for (size_t i = 0; i < after.size(); ++i) {
    if (SameCell(after[i], entry)) return true;
  }
  return false;
}

bool PeriodWindow::CameInside(const mapping::Entry& entry, const mapping::EntryList& before) const {
  if (!limited() || !Inside(entry)) return false;
  for (size_t i = 0; i < before.size(); ++i) {
    if (SameCell(before[i], entry) && !Inside(before[i])) return true;
  }
  return false;
}

void PeriodWindow::Refuse(size_t record, const mapping::EntryList& before, mapping::EntryList* after,
                          std::vector<Letter>* letters) {
  if (!limited()) return;
  bool all = true;
  for (size_t i = 0; i < after->size() && all; ++i) all = Inside((*after)[i]);
  if (all) return;
  kept_.Clear();
  for (size_t i = 0; i < after->size(); ++i) {
    mapping::Entry entry = (*after)[i];
    if (!Inside(entry)) entry.newest = 0;  // it stays as it is: its table may be dropped already
    if (Inside(entry) || Contains(before, entry)) {
      kept_.Add(entry);
    } else {
      letters->push_back({record, Reason(entry), LetterKind::kOutsideKeep});
    }
  }
  std::swap(kept_, *after);
}

}  // namespace fensi::indexer
