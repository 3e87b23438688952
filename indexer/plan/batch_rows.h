// A batch sorted by what it touches: which events concern the index, and which units of which rows they need.
//
// Not thread-safe; one per batch.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "consumer/change_source.h"
#include "indexer/plan/unit_planner.h"
#include "indexer/state/state_memory.h"
#include "indexer/state/state_table.h"
#include "mapping/index.h"

namespace fensi::indexer {

/// One event of the batch that concerns the index.
struct PlannedEvent {
  size_t record = 0;
  RowWork* row = nullptr;
  std::vector<const Cell*> cells;    // watched, without family markers, in order
  std::vector<const Cell*> markers;  // on watched families, also deletes of unknown kind that may be markers
};

class BatchRows {
 public:
  BatchRows(const mapping::Index* index, StateCache* cache);

  /// Takes the batch apart. Events of other tables are counted in skipped(); what cannot be applied is reported.
  void Add(const std::vector<consumer::Record>& records, std::vector<Report>* reports);

  /// A unit that no event of the batch names.
  UnitWork* Want(const std::string& row, const std::string& family, const std::string& qualifier);

  const std::vector<PlannedEvent>& events() const { return events_; }
  std::unordered_map<std::string_view, std::unique_ptr<RowWork>>& rows() { return rows_; }
  size_t skipped() const { return skipped_; }

  /// Gives the rows' states to the cache once they are stored.
  void Remember();

 private:
  void AddEvent(size_t record, const ChangeEvent& event);
  RowWork* FindRow(const std::string& row);
  void Need(const PlannedEvent& event);

  const mapping::Index* const index_;
  const bool row_units_;
  StateCache* const cache_;
  std::vector<PlannedEvent> events_;
  std::unordered_map<std::string_view, std::unique_ptr<RowWork>> rows_;  // keys are views of RowWork::row
  size_t skipped_ = 0;
};

}  // namespace fensi::indexer
