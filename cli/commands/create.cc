#include <algorithm>
#include <optional>

#include "base/counted.h"
#include "base/split_list.h"
#include "cli/access/kafka.h"
#include "cli/access/stores.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/mappings/mapping_files.h"
#include "cli/planning/shell_plan.h"
#include "cli/planning/table_plan.h"
#include "cli/planning/taken_names.h"
#include "cli/planning/topic_plan.h"
#include "cli/program/output.h"
#include "cli/redefinition/own_name.h"
#include "cli/shell/shell_lines.h"
#include "store/open_store.h"

namespace fensi::cli {
namespace {

using consumer::TopicAdmin;
using mapping::Mapping;

/// Dead letters have one partition, requests as many as their stream, whatever --partitions says.
std::optional<int32_t> AskedPartitions(const WantedTopic& topic) {
  const bool is_stream = topic.use == TopicUse::kStream;
  return is_stream && FlagIsGiven("partitions") ? std::optional(FLAGS_partitions) : std::nullopt;
}

std::optional<int32_t> AskedReplicas() {
  return FlagIsGiven("replication") ? std::optional(FLAGS_replication) : std::nullopt;
}

bool AsShellLines() { return FLAGS_format == "shell"; }

Status CheckPlanFlags() {
  if (!FLAGS_format.empty() && !AsShellLines()) {
    return InvalidArgument("a plan is text, or with --format=shell lines for the HBase shell");
  }
  if (AsShellLines() && FLAGS_execute) {
    return InvalidArgument("--format=shell shows lines for you to execute: leave out --execute");
  }
  if (FLAGS_store.empty() && !AsShellLines()) {
    return InvalidArgument("--store is missing (or --format=shell, for lines that make all of it)");
  }
  return {};
}

/// A plan makes nothing, no folder either; without a store there is nothing yet.
Result<std::unique_ptr<store::Store>> OpenStoreForCreation() {
  if (FLAGS_store.empty()) return store::OpenMemoryStore(SystemClock());
  if (FLAGS_execute) return OpenStoreToMake();
  Result<std::unique_ptr<store::Store>> store = OpenStoreToReadAny();
  const bool absent = store.status().code() == StatusCode::kNotFound && StoreIsEmbedded(FLAGS_store);
  return absent ? store::OpenMemoryStore(SystemClock()) : std::move(store);
}

/// What is there, what is to be made, and whether something stands in the way.
class Creation {
 public:
  Status PlanTablesOf(const Indexes& indexes) {
    Result<std::unique_ptr<store::Store>> store = OpenStoreForCreation();
    if (!store.ok()) return store.status();
    store_ = std::move(*store);
    for (const auto& index : indexes) {
      FENSI_RETURN_IF_ERROR(RequireOwnName(*index, store_.get()));
      FENSI_RETURN_IF_ERROR(RefuseNewer(*index, store_.get()));
      FENSI_RETURN_IF_ERROR(RefuseTakenNames(*index, store_.get()));
      Result<std::vector<PlannedTable>> plans = PlanTables(*index, store_.get());
      if (!plans.ok()) return plans.status();
      std::move(plans->begin(), plans->end(), std::back_inserter(tables_));
      periods_ += PeriodText(*index);
    }
    Result<PlannedTable> meta = PlanMetaTable(FLAGS_meta_table, store_.get());
    FENSI_RETURN_IF_ERROR(meta.status());
    tables_.push_back(std::move(*meta));
    return Status();
  }

  Status PlanTopicsOf(const std::vector<Mapping>& mappings) {
    if (FLAGS_kafka.empty()) return Status();
    const std::chrono::seconds timeout(FLAGS_connect_timeout_s);
    Result<std::unique_ptr<TopicAdmin>> admin = TopicAdmin::Create(NamedCluster(), timeout);
    if (!admin.ok()) return admin.status();
    admin_ = std::move(*admin);
    for (WantedTopic& wanted : TopicsOf(mappings, FLAGS_partitions, FLAGS_replication)) {
      const bool requests = wanted.use == TopicUse::kRequests;
      if (requests) wanted.spec.partitions = PartitionsBeside(wanted, topics_);
      Result<TopicPlan> plan = PlanTopic(wanted.spec, admin_.get());
      if (!plan.ok()) return plan.status();
      if (plan->fault.empty() && requests) plan->fault = FaultOfRequests(*plan, wanted.spec.partitions);
      if (plan->fault.empty()) plan->fault = FaultOfAsked(*plan, AskedPartitions(wanted), AskedReplicas());
      topics_.push_back(std::move(*plan));
    }
    return Status();
  }

  void PrintShellLines() const {
    if (FLAGS_store.empty()) {
      Print(
          ShellComment("Nobody was asked what is there (--store), nor how the source is split, as the state table "
                       "should be."));
    }
    for (const PlannedTable& plan : tables_) Print(ShellPlan(plan));
    Print(ShellComment(periods_));
    for (const TopicPlan& plan : topics_) Print(ShellPlan(plan, NamedCluster().brokers));
  }

  void PrintPlan() const {
    if (AsShellLines()) return PrintShellLines();
    for (const PlannedTable& plan : tables_) Print(PlanText(plan));
    Print(periods_);
    for (const TopicPlan& plan : topics_) Print(PlanText(plan));
  }

  /// kConfiguration when something that exists cannot be used as it is.
  Status RequireUsable() const {
    int64_t faults =
        std::count_if(topics_.begin(), topics_.end(), [](const auto& plan) { return !plan.fault.empty(); });
    const auto matters = [](const TableDifference& difference) { return difference.matters; };
    for (const PlannedTable& plan : tables_) {
      faults += std::count_if(plan.differences.begin(), plan.differences.end(), matters);
    }
    if (faults == 0) return Status();
    return Status(StatusCode::kConfiguration,
                  Counted(faults, "difference") +
                      " between what exists and what is wanted (see above); fensi changes no "
                      "existing table or topic: alter it, or change the mapping");
  }

  /// Each table and topic is named when it is there.
  Status Execute() {
    for (const PlannedTable& plan : tables_) {
      FENSI_RETURN_IF_ERROR(CreateTables({plan}, store_.get()));
      Print(PlanText(plan, PlanState::kDone));
    }
    Print(periods_);
    for (const TopicPlan& plan : topics_) {
      FENSI_RETURN_IF_ERROR(CreateTopics({plan}, admin_.get()));
      Print(PlanText(plan, PlanState::kDone));
    }
    return Status();
  }

  int64_t missing() const {
    const auto absent = [](const auto& plan) { return !plan.exists; };
    return std::count_if(tables_.begin(), tables_.end(), absent) +
           std::count_if(topics_.begin(), topics_.end(), absent);
  }

 private:
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<TopicAdmin> admin_;
  std::vector<PlannedTable> tables_;
  std::string periods_;  // about tables that come later
  std::vector<TopicPlan> topics_;
};

/// How it ended, for people.
void TellOutcome(int64_t missing) {
  if (missing == 0) return Say("create: nothing is missing");
  const char* const outcome =
      FLAGS_execute    ? " created"
      : AsShellLines() ? " missing; nothing was done, these lines make the tables ('hbase shell FILE'). Run the lines "
                         "behind '#' yourself: they make the topics"
                       : " missing; nothing was done, --execute creates them";
  Say("create: " + std::to_string(missing) + outcome);
}

Result<int> Create(const Arguments& paths) {
  FENSI_RETURN_IF_ERROR(CheckPlanFlags());
  const Result<std::vector<Mapping>> mappings = LoadMappings(paths);
  if (!mappings.ok()) return mappings.status();
  const Result<Indexes> indexes = ChosenIndexes(*mappings, SplitList(FLAGS_index));
  if (!indexes.ok()) return indexes.status();
  Creation creation;
  FENSI_RETURN_IF_ERROR(creation.PlanTablesOf(*indexes));
  FENSI_RETURN_IF_ERROR(creation.PlanTopicsOf(*mappings));
  const Status usable = creation.RequireUsable();
  if (!FLAGS_execute || !usable.ok()) creation.PrintPlan();
  FENSI_RETURN_IF_ERROR(usable);
  if (FLAGS_execute) FENSI_RETURN_IF_ERROR(creation.Execute());
  TellOutcome(creation.missing());
  return kExitDone;
}

}  // namespace

Command CreateCommand() {
  Command command;
  command.name = "create";
  command.summary = "create index tables, state tables and topics";
  command.arguments = "MAPPING…";
  command.min_arguments = 1;
  command.max_arguments = kAnyNumber;
  command.description =
      "Shows which tables (and, with --kafka, topics) the indexes need and how they will be made; --execute makes "
      "them. What exists is compared and never changed; exit code 78 when it differs in a way that would lose or keep "
      "the wrong data. --format=shell shows the plan as lines for the HBase shell, which make the tables where fensi "
      "may "
      "not; topics are comments then, with lines for Kafka's kafka-topics.sh. One table (--meta_table) is shared by "
      "all indexes of a store: it says how far each of them is.";
  command.flags = {
      {"store"},      {"format"},      {"index"},      {"kafka"},   {"kafka_property"},   {"kafka_property_file"},
      {"partitions"}, {"replication"}, {"meta_table"}, {"execute"}, {"connect_timeout_s"}};
  command.examples = {
      {"fensi create guanzhu.yaml --store hbase://127.0.0.1:9090", "the plan for the tables"},
      {"fensi create guanzhu.yaml --store hbase://127.0.0.1:9090 --kafka 127.0.0.1:9092 --partitions 4 --execute",
       "makes tables and topics"},
      {"fensi create guanzhu.yaml --format shell > tables.rb", "for 'hbase shell tables.rb', without any server"}};
  command.run = Create;
  return command;
}

}  // namespace fensi::cli
