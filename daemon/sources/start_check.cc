#include "daemon/sources/start_check.h"

#include "indexer/index_meta.h"
#include "operations/tables/table_plan.h"
#include "operations/tables/taken_names.h"

namespace fensi::daemon {
namespace {

/// After it every plan that is left is of a table that exists.
Status SettleMissing(const StartOptions& options, std::vector<operations::PlannedTable>* plans, store::Store* store,
                     Missing missing) {
  if (missing == Missing::kLeave) {
    std::erase_if(*plans, [](const operations::PlannedTable& plan) { return !plan.exists; });
    return Status();
  }
  if (options.source.is_kafka()) {
    FENSI_ASSIGN_OR_RETURN(operations::PlannedTable meta, operations::PlanMetaTable(options.store.meta_table, store));
    plans->push_back(std::move(meta));
  }
  FENSI_RETURN_IF_ERROR(operations::CreateTables(*plans, store));
  for (operations::PlannedTable& plan : *plans) plan.exists = true;
  return Status();
}

/// The first contact with a source in another cluster, and the store that the index began with.
Status CheckSource(const mapping::Index& index, store::Store* store) {
  const std::string& table = index.source_table();
  if (!store->OtherPlaceOf(table).empty()) FENSI_RETURN_IF_ERROR(store->DescribeTable(table).status());
  return indexer::IndexMeta(&index, store).CheckSourceStore();
}

}  // namespace

Status WithRemedy(const StartOptions& options, const Status& status, const std::string& mapping_path) {
  const SourceOptions& source = options.source;
  const std::string file = source.property_file.empty() ? "" : " --kafka_property_file " + source.property_file;
  const std::string kafka = source.is_kafka() ? " --kafka " + source.kafka.cluster.brokers + file : "";
  const std::string& other = options.store.source.url;
  const std::string far = other.empty() ? "" : " --source_store " + other;
  return status.WithSuffix("\n  for a new index, create the missing tables and topics with: fensi create " +
                           mapping_path + " --store " + options.store.url + far + kafka + " --execute");
}

Status CheckTables(const StartOptions& options, const mapping::Index& index, const std::string& mapping_path,
                   store::Store* store, Missing missing) {
  FENSI_RETURN_IF_ERROR(operations::RequireOwnName(index, store, options.store.meta_table));
  FENSI_RETURN_IF_ERROR(operations::RefuseRetired(index, store, options.store.meta_table));
  FENSI_RETURN_IF_ERROR(operations::RefuseTakenNames(index, store, options.store.meta_table));
  FENSI_ASSIGN_OR_RETURN(std::vector<operations::PlannedTable> plans, operations::PlanTables(index, store));
  if (operations::StoreIsEmbedded(options.store.url))
    FENSI_RETURN_IF_ERROR(SettleMissing(options, &plans, store, missing));
  const Status status = operations::RequireTables(plans);
  if (!status.ok()) return WithRemedy(options, status, mapping_path);
  FENSI_RETURN_IF_ERROR(CheckSource(index, store));
  const Status able = store->CheckServer(index.state_table());
  // A bad hour proves nothing: who works waits for its end.
  return able.code() == StatusCode::kConfiguration ? able : Status();
}

}  // namespace fensi::daemon
