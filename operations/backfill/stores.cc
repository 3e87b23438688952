#include "operations/backfill/stores.h"

#include "indexer/index_meta.h"
#include "operations/access/stores.h"
#include "operations/tables/table_plan.h"
#include "operations/tables/taken_names.h"

namespace fensi::operations {
namespace {

using mapping::Index;

/// The tables of an embedded store are made as 'fensi run' makes them.
Status MakeTables(const Index& index, const StoreOptions& options, store::Store* store) {
  FENSI_ASSIGN_OR_RETURN(std::vector<PlannedTable> plans, PlanTables(index, store));
  FENSI_ASSIGN_OR_RETURN(PlannedTable meta, PlanMetaTable(options.meta_table, store));
  plans.push_back(std::move(meta));
  return CreateTables(plans, store);
}

/// kConfiguration: it was begun with another one. An index that has not begun has none.
Status CheckDefinition(const Index& index, store::Store* store) {
  const Status known = indexer::IndexMeta(&index, store).Known().status();
  return known.code() == StatusCode::kNotFound ? Status() : known;
}

Status RequireTables(const Index& index, const StoreOptions& options, bool execute, store::Store* store, bool steers) {
  FENSI_RETURN_IF_ERROR(RequireTable(options, store, index.source_table()).status());
  FENSI_RETURN_IF_ERROR(CheckDefinition(index, store));
  FENSI_RETURN_IF_ERROR(indexer::IndexMeta(&index, store).CheckSourceStore());
  if (IsOwnerItself(options) && execute) return MakeTables(index, options, store);
  if (IsOwnerItself(options) && !steers) return Status();
  FENSI_RETURN_IF_ERROR(RequireTable(options, store, index.state_table()).status());
  return RequireTable(options, store, options.meta_table).status();
}

}  // namespace

bool IsOwnerItself(const StoreOptions& options) { return StoreIsEmbedded(options.url); }

Result<std::shared_ptr<store::Store>> OpenForBackfill(const Index& index, const StoreOptions& named, bool execute,
                                                      bool steers) {
  const StoreOptions options = WithSource(named, {index.source_table()});
  Result<std::unique_ptr<store::Store>> store =
      execute || steers ? OpenStoreToWrite(options) : OpenStoreToReadAny(options);
  if (steers && IsOwnerItself(options) && store.status().code() == StatusCode::kUnavailable) {
    return store.status().WithSuffix(". If the process that has the store is the backfill, stop it with SIGTERM");
  }
  FENSI_RETURN_IF_ERROR(store.status());
  FENSI_RETURN_IF_ERROR(RequireOwnName(index, store->get(), options.meta_table));
  if (!steers) FENSI_RETURN_IF_ERROR(RefuseRetired(index, store->get(), options.meta_table));
  FENSI_RETURN_IF_ERROR(RequireTables(index, options, execute, store->get(), steers));
  return std::shared_ptr<store::Store>(std::move(*store));
}

}  // namespace fensi::operations
