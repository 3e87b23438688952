#include "cli/backfill/stores.h"

#include "cli/access/stores.h"
#include "cli/flags/flags.h"
#include "cli/planning/table_plan.h"
#include "cli/redefinition/own_name.h"
#include "cli/redefinition/retired.h"
#include "indexer/index_meta.h"

namespace fensi::cli {
namespace {

using mapping::Index;

/// The tables of an embedded store are made as 'fensi run' makes them.
Status MakeTables(const Index& index, store::Store* store) {
  Result<std::vector<PlannedTable>> plans = PlanTables(index, store);
  FENSI_RETURN_IF_ERROR(plans.status());
  Result<PlannedTable> meta = PlanMetaTable(FLAGS_meta_table, store);
  FENSI_RETURN_IF_ERROR(meta.status());
  plans->push_back(std::move(*meta));
  return CreateTables(*plans, store);
}

/// kConfiguration: it was begun with another one. An index that nobody has begun has none.
Status CheckDefinition(const Index& index, store::Store* store) {
  const Status known = indexer::IndexMeta(&index, store).Known().status();
  return known.code() == StatusCode::kNotFound ? Status() : known;
}

Status RequireTables(const Index& index, store::Store* store, bool steers) {
  FENSI_RETURN_IF_ERROR(RequireTable(store, index.source_table()).status());
  FENSI_RETURN_IF_ERROR(CheckDefinition(index, store));
  if (IsOwnerItself() && FLAGS_execute) return MakeTables(index, store);
  if (IsOwnerItself() && !steers) return Status();
  FENSI_RETURN_IF_ERROR(RequireTable(store, index.state_table()).status());
  return RequireTable(store, FLAGS_meta_table).status().WithContext("make it with 'fensi create … --execute'");
}

}  // namespace

bool IsOwnerItself() { return StoreIsEmbedded(FLAGS_store); }

Result<std::shared_ptr<store::Store>> OpenForBackfill(const Index& index, bool steers) {
  Result<std::unique_ptr<store::Store>> store = FLAGS_execute || steers ? OpenStoreToWrite() : OpenStoreToReadAny();
  if (steers && IsOwnerItself() && store.status().code() == StatusCode::kUnavailable) {
    return Status(StatusCode::kUnavailable,
                  store.status().message() + "; when that is the backfill itself, SIGTERM stops it");
  }
  FENSI_RETURN_IF_ERROR(store.status());
  FENSI_RETURN_IF_ERROR(RequireOwnName(index, store->get()));
  if (!steers) FENSI_RETURN_IF_ERROR(RefuseRetired(index, store->get()));
  FENSI_RETURN_IF_ERROR(RequireTables(index, store->get(), steers));
  return std::shared_ptr<store::Store>(std::move(*store));
}

}  // namespace fensi::cli
