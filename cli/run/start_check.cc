#include "cli/run/start_check.h"

#include "cli/access/kafka.h"
#include "cli/access/stores.h"
#include "cli/flags/flags.h"
#include "cli/planning/table_plan.h"
#include "cli/planning/taken_names.h"
#include "cli/redefinition/own_name.h"
#include "cli/redefinition/retired.h"
#include "cli/run/sources.h"

namespace fensi::cli {
namespace {

/// After it every plan that is left is of a table that exists.
Status SettleMissing(std::vector<PlannedTable>* plans, store::Store* store, Missing missing) {
  if (missing == Missing::kLeave) {
    std::erase_if(*plans, [](const PlannedTable& plan) { return !plan.exists; });
    return Status();
  }
  if (SourceIsKafka()) {
    Result<PlannedTable> meta = PlanMetaTable(FLAGS_meta_table, store);
    FENSI_RETURN_IF_ERROR(meta.status());
    plans->push_back(std::move(*meta));
  }
  FENSI_RETURN_IF_ERROR(CreateTables(*plans, store));
  for (PlannedTable& plan : *plans) plan.exists = true;
  return Status();
}

}  // namespace

Status WithRemedy(const Status& status, const std::string& mapping_path) {
  const std::string kafka = SourceIsKafka() ? " --kafka " + SourceCluster().brokers + PropertyFileWords() : "";
  return Status(status.code(), status.words() + "\n  create what is missing with: fensi create " + mapping_path +
                                   " --store " + FLAGS_store + kafka + " --execute");
}

Status CheckTables(const mapping::Index& index, const std::string& mapping_path, store::Store* store, Missing missing) {
  FENSI_RETURN_IF_ERROR(RequireOwnName(index, store));
  FENSI_RETURN_IF_ERROR(RefuseRetired(index, store));
  FENSI_RETURN_IF_ERROR(RefuseTakenNames(index, store));
  Result<std::vector<PlannedTable>> plans = PlanTables(index, store);
  if (!plans.ok()) return plans.status();
  if (StoreIsEmbedded(FLAGS_store)) FENSI_RETURN_IF_ERROR(SettleMissing(&*plans, store, missing));
  const Status status = RequireTables(*plans);
  if (!status.ok()) return WithRemedy(status, mapping_path);
  const Status able = store->CheckServer(index.state_table());
  // A bad hour proves nothing: who works waits for its end.
  return able.code() == StatusCode::kConfiguration ? able : Status();
}

}  // namespace fensi::cli
