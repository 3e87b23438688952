#include "indexer/period_tables.h"

#include "indexer/meta_row.h"
#include "indexer/tables.h"
#include "meta/dropped_tables.h"

namespace fensi::indexer {

Result<bool> PeriodTables::IsThere(const std::string& table) {
  if (!index_->table_is_template() || known_.contains(table)) return true;
  const Result<std::optional<store::TableDescriptor>> found = store_->DescribeTable(table);
  FENSI_RETURN_IF_ERROR(found.status());
  if (found->has_value()) known_.insert(table);
  return found->has_value();
}

Result<bool> PeriodTables::IsBeingDropped(const std::string& table) const {
  return meta::DroppedTables(MetaRow(index_, store_)).Has(table);
}

Status PeriodTables::RequireForPuts(const std::string& table) {
  const Result<bool> there = IsThere(table);
  FENSI_RETURN_IF_ERROR(there.status());
  if (*there) return Status();
  const TablePlan plan = IndexTablePlan(*index_, table);
  const Status created = store_->CreateTable(plan.table, plan.split_keys);
  if (!created.ok() && created.code() != StatusCode::kAlreadyExists)
    return created.WithContext("period table " + table);
  known_.insert(table);
  return Status();
}

}  // namespace fensi::indexer
