// Drops an index: its tables, and with Kafka its topics and its group (M22: not while an alias names it). Or drops only
// its expired tables of periods.
//
// Retires the index first, so that a process that starts to use it sees that; each step may be repeated after a crash.
// Blocks on the store and on Kafka; one thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "consumer/kafka/client/topic_admin.h"
#include "mapping/index.h"
#include "mapping/mapping.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "operations/access/kafka.h"
#include "operations/access/stores.h"
#include "operations/alias/expired_tables.h"
#include "store/store.h"

namespace fensi::operations {

struct DropOptions {
  StoreOptions store;
  bool meta_table_given = false;      // given by a person, so it must exist
  std::optional<KafkaOptions> kafka;  // absent: topics and the group stay, and the group is not checked
};

/// The aliases by which applications read the index, as fensi writes bytes. Empty if there is no meta table. Blocks.
Result<std::vector<std::string>> AliasesOf(const mapping::Index& index, store::Store* store,
                                           const std::string& meta_table);

class Dropping {
 public:
  Dropping(std::shared_ptr<const mapping::Index> index, std::shared_ptr<store::Store> store, DropOptions options)
      : index_(std::move(index)),
        store_(std::move(store)),
        options_(std::move(options)),
        record_(meta::VersionedMetaRow(store_.get(), options_.store.meta_table, meta::IndexRow(index_->name()))) {}

  /// Plans, and executes the plan or prints it. Says the outcome.
  Status Run(const std::vector<mapping::Mapping>& mappings, bool execute);

  /// Finds everything that is to be dropped. Blocks.
  Status Plan(const std::vector<mapping::Mapping>& mappings);

  void PrintPlan() const;

  /// Prints tables that stay.
  void PrintNotNamed() const;

  /// kConfiguration: a process reads or maintains the index, or another index has its tables.
  Status RequireUnused();

  /// Retires the index first: a process that starts to use it afterwards sees that, and an earlier one is seen here.
  Status Execute();

  bool nothing_is_there() const { return tables_.empty() && topics_.empty() && !registered_; }

 private:
  Status PlanTables();

  void NoteFamilies(const store::TableDescriptor& table);

  /// A topic with dead letters of other indexes of the mapping stays.
  Status PlanTopics(const std::vector<mapping::Mapping>& mappings);

  /// A mapping can name any table. The index's own are only those with which it was begun, and empty ones.
  Status AddForeignTables(std::string* reasons) const;
  Status AddTablesMadeAgain(std::string* reasons) const;
  std::optional<std::string> NotedLine(const std::string& table) const;
  std::string IdentityText(const std::string& table) const;

  /// True if an earlier drop has checked the tables. They cannot be checked again: the state table, which has the
  /// proof, may be disabled.
  bool WereJudged() const;

  /// Each asks before each step whether the index is still the one that was retired: this process may have slept.
  Status DropTables() const;
  Status DropTopics() const;

  Status NoteJudged() const;

  /// HBase may still be working for a crashed drop: it disables and removes by itself, and refuses meanwhile.
  Status DropTable(const std::string& table) const;

  /// The protection of an index from being dropped is in the meta table that its daemons use.
  Status AddMetaTable(std::string* reasons) const;

  /// An index under a new name has the tables of the former one.
  Status AddOthersOfItsTables(std::string* reasons) const;

  Status AddMembers(std::string* reasons) const;

  /// The phase before. Absent: another drop has retired the index.
  Result<std::optional<meta::Phase>> Retire();

  const std::shared_ptr<const mapping::Index> index_;
  const std::shared_ptr<store::Store> store_;
  const DropOptions options_;
  const meta::IndexRecord record_;
  std::unique_ptr<consumer::TopicAdmin> admin_;  // null: Kafka is not used
  std::vector<std::string> tables_, topics_;     // existing ones
  std::string foreign_;                          // why some of the tables are not its own
  bool unnamed_ = false;
  bool has_meta_table_ = false, registered_ = false, was_retired_ = false;
  meta::IndexState state_;
};

class ExpiredDrop {
 public:
  /// `beside`: other indexes that are known to have tables in the store.
  ExpiredDrop(std::shared_ptr<const mapping::Index> index, std::shared_ptr<store::Store> store,
              std::vector<std::shared_ptr<const mapping::Index>> beside, const ExpiryOptions& options,
              Clock* clock = SystemClock())
      : index_(std::move(index)),
        store_(std::move(store)),
        options_(options),
        tables_(index_.get(), store_.get(), std::move(beside), options, clock) {}

  /// Each prints its tables, and says what was done.
  Status ShowPlan();
  Status Execute();

 private:
  Status Find();
  bool AnyMayBeDropped() const;
  void PrintTable(const ExpiredTable& table) const;
  /// Prints what readers of the index lose with these tables.
  Status PrintReaders() const;
  /// Says that there is nothing to do.
  void TellNothing() const;
  std::string Bound() const;

  const std::shared_ptr<const mapping::Index> index_;
  const std::shared_ptr<store::Store> store_;
  const ExpiryOptions options_;
  ExpiredTables tables_;
  std::vector<ExpiredTable> expired_;
};

}  // namespace fensi::operations
