#include "operations/tables/creation.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "operations/console/console.h"
#include "operations/shell/shell_lines.h"
#include "operations/tables/taken_names.h"
#include "store/open_store.h"

namespace fensi::operations {

using consumer::TopicAdmin;
using mapping::Mapping;

Result<std::unique_ptr<store::Store>> OpenStoreForCreation(const CreationOptions& options) {
  if (options.store.url.empty()) {
    FENSI_RETURN_IF_ERROR(CheckSourceStore(options.store));
    return store::OpenMemoryStore(SystemClock());
  }
  if (options.execute) return OpenStoreToMake(options.store);
  Result<std::unique_ptr<store::Store>> store = OpenStoreToReadAny(options.store);
  const bool absent = store.status().code() == StatusCode::kNotFound && StoreIsEmbedded(options.store.url);
  return absent ? store::OpenMemoryStore(SystemClock()) : std::move(store);
}

Status Creation::Run(const std::vector<Mapping>& mappings, const Indexes& indexes) {
  FENSI_RETURN_IF_ERROR(PlanTablesOf(indexes));
  FENSI_RETURN_IF_ERROR(PlanTopicsOf(mappings));
  const Status usable = RequireUsable();
  if (!options_.execute || !usable.ok()) PrintPlan();
  FENSI_RETURN_IF_ERROR(usable);
  if (options_.execute) FENSI_RETURN_IF_ERROR(Execute());
  TellOutcome();
  return {};
}

Status Creation::PlanTablesOf(const Indexes& indexes) {
  const std::string& meta_table = options_.store.meta_table;
  for (const auto& index : indexes) {
    FENSI_RETURN_IF_ERROR(RequireOwnName(*index, store_.get(), meta_table));
    FENSI_RETURN_IF_ERROR(RefuseRetired(*index, store_.get(), meta_table));
    FENSI_RETURN_IF_ERROR(RefuseNewer(*index, store_.get()));
    FENSI_RETURN_IF_ERROR(RefuseTakenNames(*index, store_.get(), meta_table));
    FENSI_ASSIGN_OR_RETURN(std::vector<PlannedTable> plans, PlanTables(*index, store_.get()));
    std::move(plans.begin(), plans.end(), std::back_inserter(tables_));
    periods_ += PeriodText(*index);
  }
  FENSI_ASSIGN_OR_RETURN(PlannedTable meta, PlanMetaTable(meta_table, store_.get()));
  tables_.push_back(std::move(meta));
  return {};
}

Status Creation::PlanTopicsOf(const std::vector<Mapping>& mappings) {
  if (!options_.kafka) return {};
  FENSI_ASSIGN_OR_RETURN(admin_, TopicAdmin::Create(options_.kafka->cluster, options_.kafka->connect_timeout));
  for (WantedTopic& wanted : TopicsOf(mappings, options_.partitions, options_.replicas)) {
    if (!wanted.stream.empty()) wanted.spec.partitions = PartitionsBeside(wanted, topics_);
    FENSI_ASSIGN_OR_RETURN(TopicPlan plan, PlanTopic(wanted.spec, admin_.get()));
    JudgeTopic(wanted, &plan);
    topics_.push_back(std::move(plan));
  }
  return {};
}

void Creation::JudgeTopic(const WantedTopic& wanted, TopicPlan* plan) const {
  if (!plan->fault.empty()) return;
  if (wanted.use == TopicUse::kRequests) plan->fault = FaultOfRequests(*plan, wanted.spec.partitions);
  if (!plan->fault.empty()) return;
  // Dead letters have one partition, requests as many as their stream, whatever a person asked for.
  const bool asked = wanted.use == TopicUse::kStream && options_.partitions_given;
  plan->fault = FaultOfAsked(*plan, asked ? std::optional(options_.partitions) : std::nullopt,
                             options_.replicas_given ? std::optional(options_.replicas) : std::nullopt);
}

void Creation::PrintPlan() const {
  if (options_.shell_lines) return PrintShellLines();
  for (const PlannedTable& plan : tables_) Print(PlanText(plan));
  Print(periods_);
  for (const TopicPlan& plan : topics_) Print(PlanText(plan));
}

void Creation::PrintShellLines() const {
  if (options_.store.url.empty()) {
    Print(
        ShellComment("No store was read (--store is missing): tables that exist are not left out, and the state table "
                     "is not split as its source."));
  }
  for (const PlannedTable& plan : tables_) Print(ShellPlan(plan));
  Print(ShellComment(periods_));
  for (const TopicPlan& plan : topics_) Print(ShellPlan(plan, options_.kafka->cluster.brokers));
}

Status Creation::RequireUsable() const {
  int64_t faults = std::count_if(topics_.begin(), topics_.end(), [](const auto& plan) { return !plan.fault.empty(); });
  const auto matters = [](const TableDifference& difference) { return difference.matters; };
  for (const PlannedTable& plan : tables_) {
    faults += std::count_if(plan.differences.begin(), plan.differences.end(), matters);
  }
  if (faults == 0) return {};
  return Status(StatusCode::kConfiguration, Counted(faults, "difference") +
                                                " between the existing tables and topics and the mapping file, which "
                                                "are named above. fensi changes no existing table or topic. Alter the "
                                                "tables and topics, or change the mapping file");
}

Status Creation::Execute() {
  for (const PlannedTable& plan : tables_) {
    FENSI_RETURN_IF_ERROR(CreateTables({plan}, store_.get()));
    Print(PlanText(plan, PlanState::kDone));
  }
  Print(periods_);
  for (const TopicPlan& plan : topics_) {
    FENSI_RETURN_IF_ERROR(CreateTopics({plan}, admin_.get()));
    Print(PlanText(plan, PlanState::kDone));
  }
  return {};
}

void Creation::TellOutcome() const {
  const auto absent = [](const auto& plan) { return !plan.exists; };
  const int64_t missing =
      std::count_if(tables_.begin(), tables_.end(), absent) + std::count_if(topics_.begin(), topics_.end(), absent);
  if (missing == 0) return Say("create: nothing is missing");
  const std::string count = std::to_string(missing);
  if (options_.execute) return Say("create: " + count + " created");
  if (!options_.shell_lines) return SayDryRun("create", "create what is missing (" + count + ")");
  Say("create: " + count +
      " missing. These lines create the tables: save them, and run 'hbase shell FILE'. The lines after '#' create the "
      "topics: run them in a shell");
}

}  // namespace fensi::operations
