// Sorts a batch by rows: which events concern the index, and which units of which rows they need.
//
// Working data of the units is in memory that is freed with the batch, so that an event allocates none. Not
// thread-safe; one per batch.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <deque>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/change_source.h"
#include "indexer/plan/unit_planner.h"
#include "indexer/requests/told_requests.h"
#include "indexer/state/read_sizer.h"
#include "indexer/state/state_memory.h"
#include "indexer/state/state_table.h"
#include "mapping/index.h"

namespace fensi::indexer {

/// One event of the batch that concerns the index.
struct PlannedEvent {
  size_t record = 0;
  RowWork* row = nullptr;
  std::pmr::vector<const Cell*> cells;         // watched, without family markers, in order
  std::pmr::vector<const Cell*> markers;       // on watched families, also deletes of unknown kind that may be markers
  const consumer::Request* request = nullptr;  // the request that the step comes from; null: a change
  UnitWork* unit = nullptr;                    // the only unit that it concerns, if there is exactly one
  /// True if every unit of the row takes the step.
  bool concerns_all() const;
};

class BatchRows {
 public:
  /// `seen` may be null: then every state that is not cached may have to be read.
  BatchRows(const mapping::Index* index, StateCache* cache, const SeenFilter* seen);

  /// Adds the records from `first` on, as far as the states that they touch may be in memory together; returns the
  /// first record that is left. Skips events of other tables, and reports what cannot be applied. `requests`: one per
  /// record, for a batch of requests.
  size_t Add(const std::vector<consumer::Record>& records, size_t first, const ReadSizer& pace,
             std::vector<Letter>* letters, Requests requests = {});

  /// Adds a unit that no event of the batch names.
  UnitWork* Want(const std::string& row, const std::string& family, const std::string& qualifier);

  const std::vector<PlannedEvent>& events() const { return events_; }
  /// Null: no event names the row.
  RowWork* FindRow(std::string_view row) const;
  /// Rows in the order of their first events.
  const std::vector<RowWork*>& in_order() const { return in_order_; }

  /// Leaves out the events from the first one whose row is not loaded; `next` becomes the record of that event.
  void LeaveOutUnknown(size_t* next);
  void LeaveOutFrom(size_t event, size_t* next);

  /// Marks the complete rows as stored.
  void SetClean();
  /// Moves the states of the complete rows into the cache. Call after they are stored; no event may follow.
  void Remember();

 private:
  void AddEvent(size_t record, const ChangeEvent& event, const consumer::Request* request,
                std::vector<Letter>* letters);
  RowWork* FindOrAddRow(const std::string& row);
  void Need(PlannedEvent* event);
  void NeedColumns(PlannedEvent* event);
  UnitWork* NeedUnit(RowWork* row, std::string_view family, std::string_view qualifier);

  const mapping::Index* const index_;
  const bool row_units_;
  StateCache* const cache_;
  const SeenFilter* const seen_;
  /// Ends a row; its memory is freed with the batch.
  struct End {
    void operator()(RowWork* row) const { std::destroy_at(row); }
  };
  using OwnedRow = std::unique_ptr<RowWork, End>;
  static constexpr size_t kFirstBytes = 1024;

  std::pmr::monotonic_buffer_resource memory_{kFirstBytes};
  std::vector<PlannedEvent> events_;
  absl::flat_hash_map<std::string_view, OwnedRow> rows_;  // keys are views of RowWork::row
  std::vector<RowWork*> in_order_;
  std::deque<Cell> lowered_;  // replacements of cells above kMaxSourceTime
  size_t units_to_read_ = 0;  // upper bound
  size_t rows_to_read_ = 0;   // with all their units
};

}  // namespace fensi::indexer
