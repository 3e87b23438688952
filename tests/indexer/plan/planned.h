// Short words for tests of planning: entries, cells, and changes as text.
//
//   "put TABLE/ROW f:q=v@7", "remove … @7" (all versions up to 7), "remove … =7" (that version)
#pragma once

#include <string>
#include <vector>

#include "base/bytes.h"
#include "indexer/plan/change_set.h"
#include "mapping/entry_list.h"

namespace fensi::testing {

inline mapping::Entry EntryOf(std::string_view row, std::string_view value = "", int64_t expires_at = INT64_MAX) {
  return {.table = "t", .row = row, .family = "f", .qualifier = "q", .value = value, .expires_at = expires_at};
}

inline mapping::EntryList EntriesIn(const std::vector<mapping::Entry>& entries) {
  mapping::EntryList list;
  for (const mapping::Entry& entry : entries) list.Add(entry);
  return list;
}

inline void AppendChanges(const indexer::Changes& changes, const char* verb, std::vector<std::string>* texts) {
  for (const auto& [table, planned] : changes) {
    for (const store::RowMutation& row : planned.rows) {
      for (const Cell& cell : row.cells) {
        const bool put = cell.type == CellType::kPut;
        texts->push_back(verb + (" " + table + "/") + row.row + " " + ColumnText(cell.family, cell.qualifier) +
                         (put ? "=" + cell.value : "") + (cell.type == CellType::kDelete ? " =" : "@") +
                         std::to_string(cell.timestamp));
      }
    }
  }
}

/// Empties the set.
inline std::vector<std::string> TakeTexts(indexer::ChangeSet* changes) {
  indexer::Changes puts, removals;
  changes->Take(&puts, &removals);
  std::vector<std::string> texts;
  AppendChanges(puts, "put", &texts);
  AppendChanges(removals, "remove", &texts);
  return texts;
}

}  // namespace fensi::testing
