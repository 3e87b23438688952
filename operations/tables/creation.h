// Plans and creates the tables and topics of mapping files, for `fensi create`; writes the plan as lines for the HBase
// shell, for users who create tables there.
//
// Blocks on the store and on Kafka; one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "consumer/kafka/client/topic_admin.h"
#include "mapping/mapping.h"
#include "operations/access/kafka.h"
#include "operations/access/stores.h"
#include "operations/mappings/mapping_files.h"
#include "operations/tables/table_plan.h"
#include "operations/tables/topic_plan.h"
#include "store/store.h"

namespace fensi::operations {

/// The command that creates the table; for an existing one a comment, with the command that would change it as wanted.
std::string ShellPlan(const PlannedTable& plan);

/// Comments: the kafka-topics.sh command that creates the topic, or how the topic differs.
std::string ShellPlan(const TopicPlan& plan, const std::string& brokers);

struct CreationOptions {
  StoreOptions store;                    // without a URL: nothing exists yet
  std::optional<KafkaOptions> kafka;     // absent: no topics
  int32_t partitions = 4, replicas = 1;  // of topics that are created
  bool partitions_given = false;         // by a person, so existing streams must have them
  bool replicas_given = false;           // the same
  bool execute = false;                  // otherwise nothing is created, not even a folder
  bool shell_lines = false;              // the plan is lines for the HBase shell
};

/// Opens the store to plan, or to execute. What does not exist yet is an empty store in memory.
Result<std::unique_ptr<store::Store>> OpenStoreForCreation(const CreationOptions& options);

/// The existing and missing tables and topics.
class Creation {
 public:
  Creation(std::shared_ptr<store::Store> store, CreationOptions options)
      : store_(std::move(store)), options_(std::move(options)) {}

  /// Executes the plan, or prints it.
  Status Run(const std::vector<mapping::Mapping>& mappings, const Indexes& indexes);

 private:
  Status PlanTablesOf(const Indexes& indexes);
  Status PlanTopicsOf(const std::vector<mapping::Mapping>& mappings);
  /// Adds why an existing topic cannot be used.
  void JudgeTopic(const WantedTopic& wanted, TopicPlan* plan) const;
  void PrintPlan() const;
  void PrintShellLines() const;
  /// kConfiguration: something that exists cannot be used as it is.
  Status RequireUsable() const;
  /// Names each table and topic when it exists.
  Status Execute();
  void TellOutcome() const;

  const std::shared_ptr<store::Store> store_;
  const CreationOptions options_;
  std::unique_ptr<consumer::TopicAdmin> admin_;
  std::vector<PlannedTable> tables_;
  std::string periods_;  // about tables that come later
  std::vector<TopicPlan> topics_;
};

}  // namespace fensi::operations
