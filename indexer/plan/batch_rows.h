// A batch sorted by what it touches: which events concern the index, and which units of which rows they need.
//
// What the units take besides their states lies in memory that goes with the batch, so that an event allocates none.
// Not thread-safe; one per batch.
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
#include "indexer/state/read_pace.h"
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
  const consumer::Request* request = nullptr;  // that it is of, instead of a change
  UnitWork* unit = nullptr;                    // the only one that it concerns, where it concerns but one
  /// Every unit of the row takes the step.
  bool concerns_all() const;
};

class BatchRows {
 public:
  /// `seen` may be null: then every state that is not cached may have to be read.
  BatchRows(const mapping::Index* index, StateCache* cache, const SeenFilter* seen);

  /// Takes the batch apart from record `first` on, as far as the states of what the records touch may be in memory
  /// together; answers the first record that is left. Events of other tables are passed over; what cannot be applied is
  /// reported. `requests`: of each record, where the batch is one of requests.
  size_t Add(const std::vector<consumer::Record>& records, size_t first, const ReadPace& pace,
             std::vector<Letter>* letters, Requests requests = {});

  /// A unit that no event of the batch names.
  UnitWork* Want(const std::string& row, const std::string& family, const std::string& qualifier);

  const std::vector<PlannedEvent>& events() const { return events_; }
  /// Null: no event names the row.
  RowWork* FindRow(std::string_view row) const;
  /// In the order of their first events.
  const std::vector<RowWork*>& in_order() const { return in_order_; }

  /// The events from the first on whose row is not loaded; `next` becomes the record of that.
  void LeaveOutUnknown(size_t* next);
  void LeaveOutFrom(size_t event, size_t* next);

  /// Of complete rows nothing is left to be stored.
  void SetClean();
  /// Gives the states of the complete rows to the cache, once they are stored. No event may follow.
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
  /// Ends a row; its memory goes with the batch.
  struct End {
    void operator()(RowWork* row) const { std::destroy_at(row); }
  };
  using OwnedRow = std::unique_ptr<RowWork, End>;
  static constexpr size_t kFirstBytes = 1024;

  std::pmr::monotonic_buffer_resource memory_{kFirstBytes};
  std::vector<PlannedEvent> events_;
  absl::flat_hash_map<std::string_view, OwnedRow> rows_;  // keys are views of RowWork::row
  std::vector<RowWork*> in_order_;
  std::deque<Cell> lowered_;  // in place of cells above kMaxSourceTime
  size_t units_to_read_ = 0;  // at most
  size_t rows_to_read_ = 0;   // with all their units
};

}  // namespace fensi::indexer
