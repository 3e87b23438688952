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
#include "indexer/state/read_pace.h"
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
  /// `seen` may be null: then every state that is not cached may have to be read.
  BatchRows(const mapping::Index* index, StateCache* cache, const SeenFilter* seen);

  /// Takes the batch apart from record `first` on, as far as the states of what the records touch may be in memory
  /// together; answers the first record that is left. Events of other tables are counted in skipped(); what cannot be
  /// applied is reported.
  size_t Add(const std::vector<consumer::Record>& records, size_t first, const ReadPace& pace,
             std::vector<Report>* reports);

  /// A unit that no event of the batch names.
  UnitWork* Want(const std::string& row, const std::string& family, const std::string& qualifier);

  const std::vector<PlannedEvent>& events() const { return events_; }
  std::unordered_map<std::string_view, std::unique_ptr<RowWork>>& rows() { return rows_; }
  size_t skipped() const { return skipped_; }

  /// Nothing is left to be stored.
  void SetClean();
  /// Gives the rows' states to the cache once they are stored.
  void Remember();

 private:
  void AddEvent(size_t record, const ChangeEvent& event);
  RowWork* FindRow(const std::string& row);
  void Need(const PlannedEvent& event);
  void NeedUnit(RowWork* row, std::string_view family, std::string_view qualifier);

  const mapping::Index* const index_;
  const bool row_units_;
  StateCache* const cache_;
  const SeenFilter* const seen_;
  std::vector<PlannedEvent> events_;
  std::unordered_map<std::string_view, std::unique_ptr<RowWork>> rows_;  // keys are views of RowWork::row
  size_t skipped_ = 0;
  size_t units_to_read_ = 0;  // at most
  size_t rows_to_read_ = 0;   // with all their units
};

}  // namespace fensi::indexer
