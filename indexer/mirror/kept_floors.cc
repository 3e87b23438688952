#include "indexer/mirror/kept_floors.h"

#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "indexer/state/layout.h"

namespace fensi::indexer {

KeptFloors::KeptFloors(const mapping::Index* index, store::Store* store, Clock* clock,
                       const consumer::Assignment* assignment)
    : index_(index),
      store_(store),
      clock_(clock),
      assignment_(assignment),
      topic_(std::string(kFloorRows) + assignment->topic() + "/"),
      row_(store, index->state_table(), topic_ + std::to_string(assignment->partition()), clock) {}

Status KeptFloors::Load(Floors* floors) {
  FENSI_RETURN_IF_ERROR(assignment_->Check());
  FENSI_RETURN_IF_ERROR(LoadOtherTopics(floors));
  const Result<meta::SharedRow::Cells> cells = row_.ReadAll();
  FENSI_RETURN_IF_ERROR(cells.status());
  const int64_t now = clock_->WallMillis();
  for (const auto& [qualifier, cell] : *cells) floors->Learn(cell, now);
  return {};
}

Status KeptFloors::LoadOtherTopics(Floors* floors) {
  store::ScanRequest request{.start_row = std::string(kFloorRows), .stop_row = PrefixEnd(kFloorRows)};
  request.columns.push_back({kIndexFamily});
  const int64_t now = clock_->WallMillis();
  for (;;) {
    const Result<std::vector<store::Row>> page = store_->Scan(index_->state_table(), request);
    FENSI_RETURN_IF_ERROR(page.status());
    for (const store::Row& row : *page) {
      const bool other = !row.row.starts_with(topic_) || row.row.find('/', topic_.size()) != std::string::npos;
      if (!other) continue;
      for (const Cell& cell : row.cells) floors->LearnOfOthers(cell, now);
    }
    if (!store::ToNextPage(*page, &request)) return {};
  }
}

Status KeptFloors::Save(Floors* floors) {
  std::vector<Cell> changed = floors->TakeChanges();
  if (changed.empty()) return {};
  FENSI_RETURN_IF_ERROR(assignment_->Check());
  FENSI_RETURN_IF_ERROR(row_.Write(std::move(changed)));
  meta::SharedRow::Cells passed;
  for (Cell& cell : floors->TakePassed()) {
    const std::string qualifier = cell.qualifier;
    passed.emplace(qualifier, std::move(cell));
  }
  return row_.Forget(passed);
}

}  // namespace fensi::indexer
