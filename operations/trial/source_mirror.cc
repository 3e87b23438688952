#include "operations/trial/source_mirror.h"

#include <span>

#include "store/open_store.h"

namespace fensi::operations {

Result<std::unique_ptr<SourceMirror>> SourceMirror::Start(const std::string& table, std::set<std::string> families,
                                                          Clock* clock) {
  Result<std::unique_ptr<store::Store>> store = store::OpenMemoryStore(clock);
  if (!store.ok()) return store.status();
  store::TableDescriptor description{table, {}};
  for (const std::string& family : families) description.families.push_back({.name = family, .max_versions = 100});
  FENSI_RETURN_IF_ERROR((*store)->CreateTable(description, {}));
  return std::unique_ptr<SourceMirror>(new SourceMirror(table, std::move(families), std::move(*store)));
}

Result<std::unique_ptr<SourceMirror>> SourceMirror::Start(const mapping::Index& index, Clock* clock) {
  std::set<std::string> families;
  for (const mapping::Watch& watch : index.watches()) families.insert(watch.family);
  return Start(index.source_table(), std::move(families), clock);
}

Status SourceMirror::Apply(const ChangeEvent& event) {
  for (const Cell& cell : event.cells) {
    if (!families_.contains(cell.family) || cell.type == CellType::kUnknownDelete) continue;
    const store::RowMutation mutation{event.row, {cell}};
    const auto written = cell.type == CellType::kPut ? store_->Put(table_, std::span(&mutation, 1))
                                                     : store_->Delete(table_, std::span(&mutation, 1));
    FENSI_RETURN_IF_ERROR(written.status());
  }
  return Status();
}

Result<store::Row> SourceMirror::Read(const std::string& row) const {
  store::GetRequest request;
  request.row = row;
  FENSI_ASSIGN_OR_RETURN(std::vector<store::Row> rows, store_->Get(table_, std::span(&request, 1)));
  return std::move(rows.front());
}

}  // namespace fensi::operations
