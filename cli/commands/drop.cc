#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>

#include "base/bytes.h"
#include "base/counted.h"
#include "base/random_name.h"
#include "cli/access/kafka.h"
#include "cli/access/row_pages.h"
#include "cli/access/stores.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/mappings/mapping_files.h"
#include "cli/planning/table_plan.h"
#include "cli/program/output.h"
#include "cli/redefinition/alias.h"
#include "cli/redefinition/expired_tables.h"
#include "cli/redefinition/own_name.h"
#include "consumer/kafka/topic_admin.h"
#include "indexer/index_facts.h"
#include "indexer/index_meta.h"
#include "mapping/instant.h"
#include "meta/index_record.h"
#include "meta/meta_table.h"
#include "sweep/table_list.h"

namespace fensi::cli {
namespace {

using mapping::Index;
using meta::SharedRow;

/// What is not there any more is as it should be.
Status GoneIsGood(const Status& status) { return status.code() == StatusCode::kNotFound ? Status() : status; }

std::string ValueOf(const store::Row& row, const std::string& qualifier) {
  const auto found =
      std::find_if(row.cells.begin(), row.cells.end(), [&](const Cell& cell) { return cell.qualifier == qualifier; });
  return found == row.cells.end() ? "" : found->value;
}

/// None where there is no meta table.
Status ForEachMetaRow(store::Store* store, const std::string& prefix,
                      const std::function<void(const store::Row&)>& use) {
  return GoneIsGood(ForEachRow(store, FLAGS_meta_table, PrefixScan(prefix), 0, use).status());
}

/// By which applications read the index.
Result<std::vector<std::string>> AliasesOf(const Index& index, store::Store* store) {
  std::vector<std::string> names;
  const std::string prefix = meta::AliasRow("");
  FENSI_RETURN_IF_ERROR(ForEachMetaRow(store, prefix, [&](const store::Row& row) {
    if (ValueOf(row, "index") == index.name()) names.push_back(Escape(row.row.substr(prefix.size())));
  }));
  return names;
}

/// One drop from the command line.
class Dropping {
 public:
  Dropping(std::shared_ptr<const Index> index, std::unique_ptr<store::Store> store)
      : index_(std::move(index)),
        store_(std::move(store)),
        record_(SharedRow(store_.get(), FLAGS_meta_table, meta::IndexRow(index_->name()))) {}

  Status Plan(const std::vector<mapping::Mapping>& mappings) {
    FENSI_RETURN_IF_ERROR(RequireOwnName(*index_, store_.get()));
    FENSI_RETURN_IF_ERROR(PlanTables());
    return FLAGS_kafka.empty() ? Status() : PlanTopics(mappings);
  }

  void PrintPlan() const {
    for (const std::string& table : tables_) Print("table " + table + ": to be dropped\n");
    PrintNotNamed();
    for (const std::string& topic : topics_) Print("topic " + topic + ": to be deleted\n");
    if (admin_ != nullptr) Print("group " + index_->group() + ": to be deleted\n");
  }

  /// Tables that stay.
  void PrintNotNamed() const {
    if (unnamed_) {
      Print("  its other tables of periods cannot be named without the source: drop them in the HBase shell\n");
    }
    if (index_->table_is_template() && !unnamed_) {
      Print(
          "  tables of periods older than 'keep' are not looked for: drop them before with --expired, or afterwards in "
          "the HBase shell\n");
    }
  }

  /// kConfiguration: somebody reads or keeps the index, or has its tables.
  Status RequireUnused() {
    std::string reasons;
    const Result<std::vector<std::string>> aliases = AliasesOf(*index_, store_.get());
    FENSI_RETURN_IF_ERROR(aliases.status());
    for (const std::string& alias : *aliases) {
      reasons += "\n  alias " + alias + " names it: 'fensi switch … " + alias + " --to' another one first, or --remove";
    }
    reasons += foreign_;
    FENSI_RETURN_IF_ERROR(AddForeignTables(&reasons));
    FENSI_RETURN_IF_ERROR(AddMetaTable(&reasons));
    FENSI_RETURN_IF_ERROR(AddOthersOfItsTables(&reasons));
    FENSI_RETURN_IF_ERROR(AddMembers(&reasons));
    if (reasons.empty()) return Status();
    return Status(StatusCode::kConfiguration, "index " + index_->name() + " cannot be dropped:" + reasons);
  }

  /// First it is retired: whoever begins to use it afterwards sees that, and who did so before is seen here.
  Status Execute() {
    FENSI_RETURN_IF_ERROR(Retire());
    if (const Status used = RequireUnused(); !used.ok()) {
      // As it was; when that fails, too, the same line, or one that ends the use, goes on from here.
      if (!was_retired_) FENSI_RETURN_IF_ERROR(record_.TakeBackRetired(state_.incarnation, state_.phase));
      return used;
    }
    FENSI_RETURN_IF_ERROR(NoteJudged());
    for (const std::string& table : tables_) {
      FENSI_RETURN_IF_ERROR(DropTable(table).WithContext("dropping table " + table));
      Print("table " + table + ": dropped\n");
    }
    PrintNotNamed();
    FENSI_RETURN_IF_ERROR(DropTopics());
    return record_.NoteDropped(state_.incarnation);
  }

  bool nothing_is_there() const { return tables_.empty() && topics_.empty() && !registered_; }

 private:
  Status PlanTables() {
    const int64_t now = SystemClock()->WallMillis();
    sweep::TableList list(index_.get(), store_.get());
    unnamed_ = !list.AllNamed(now).ok();
    const Result<std::vector<std::string>> tables = list.Existing(now);
    FENSI_RETURN_IF_ERROR(tables.status());
    std::vector<std::string> named = *tables;
    named.push_back(index_->state_table());  // last: what it says of the index is needed as long as there is one
    for (const std::string& table : named) {
      const Result<std::optional<store::TableDescriptor>> found = store_->DescribeTable(table);
      FENSI_RETURN_IF_ERROR(found.status());
      if (!found->has_value()) continue;
      tables_.push_back(table);
      if (index_->table_is_template() && table != index_->state_table()) NoteFamilies(**found);
    }
    const Result<std::optional<store::TableDescriptor>> meta = store_->DescribeTable(FLAGS_meta_table);
    FENSI_RETURN_IF_ERROR(meta.status());
    if (!meta->has_value()) return Status();
    has_meta_table_ = true;
    const Result<std::optional<meta::IndexState>> state = record_.Read();
    FENSI_RETURN_IF_ERROR(state.status());
    registered_ = state->has_value();
    if (registered_) state_ = **state;
    was_retired_ = state_.phase == meta::Phase::kRetired;
    return Status();
  }

  void NoteFamilies(const store::TableDescriptor& table) {
    std::set<std::string> own, there;
    for (const auto& family : index_->create().families) own.insert(family.name);
    for (const auto& family : table.families) there.insert(family.name);
    if (there != own) {
      foreign_ += "\n  table " + table.name + " has other families than a table of the index";
    }
  }

  /// Letters that other indexes of the mapping put into the same topic stay.
  Status PlanTopics(const std::vector<mapping::Mapping>& mappings) {
    Result<std::unique_ptr<consumer::TopicAdmin>> admin =
        consumer::TopicAdmin::Create(NamedCluster(), std::chrono::seconds(FLAGS_connect_timeout_s));
    FENSI_RETURN_IF_ERROR(admin.status());
    admin_ = std::move(*admin);
    std::vector<std::string> wanted = {index_->requests_topic(), index_->dead_letter_topic()};
    for (const mapping::Mapping& mapping : mappings) {
      for (const auto& other : mapping.indexes) {
        if (other != index_ && other->dead_letter_topic() == wanted.back()) wanted.resize(1);
      }
    }
    for (const std::string& topic : wanted) {
      const Status found = admin_->Partitions(topic).status();
      if (found.ok()) topics_.push_back(topic);
      FENSI_RETURN_IF_ERROR(GoneIsGood(found));
    }
    return Status();
  }

  /// A mapping can name any table: only those are its own that it was begun with, or that nobody has put anything into.
  Status AddForeignTables(std::string* reasons) const {
    if (WereJudged()) return Status();
    const auto begun = indexer::IndexMeta(index_.get(), store_.get()).Known();
    if (begun.status().code() == StatusCode::kConfiguration) {
      *reasons += "\n  its tables may be those of another one: " + begun.status().message();
      return Status();
    }
    if (!begun.ok() && begun.status().code() != StatusCode::kNotFound) return begun.status();
    if (begun.ok() && begun->has_value()) return Status();
    for (const std::string& table : tables_) {
      const Result<std::vector<store::Row>> rows = store_->Scan(table, {.max_rows = 1});
      FENSI_RETURN_IF_ERROR(rows.status());
      if (!rows->empty()) *reasons += "\n  table " + table + " has rows, and nobody has begun the index with it";
    }
    return Status();
  }

  /// Who ends a drop cannot ask the tables once more whose they are: the state table, which says it, may be disabled.
  bool WereJudged() const {
    const bool has_states = !tables_.empty() && tables_.back() == index_->state_table();
    if (!was_retired_ || !has_states || !state_.dropping.starts_with(index_->fingerprint() + "\n")) return false;
    return std::all_of(tables_.begin(), tables_.end(), [&](const std::string& table) {
      return state_.dropping.find("\n" + table + "\n") != std::string::npos;
    });
  }

  Status DropTopics() const {
    if (admin_ == nullptr) return Status();
    for (const std::string& topic : topics_) {
      FENSI_RETURN_IF_ERROR(GoneIsGood(admin_->DeleteTopic(topic)));
      Print("topic " + topic + ": deleted\n");
    }
    FENSI_RETURN_IF_ERROR(GoneIsGood(admin_->groups().Delete(index_->group())));
    Print("group " + index_->group() + ": deleted\n");
    return Status();
  }

  Status NoteJudged() const {
    if (tables_.empty() || WereJudged()) return Status();
    std::string lines = index_->fingerprint() + "\n";
    for (const std::string& table : tables_) lines += table + "\n";
    return record_.SetDropping(state_.incarnation, lines);
  }

  /// HBase may still be at work for one that died: it disables and removes by itself, and refuses meanwhile.
  Status DropTable(const std::string& table) const {
    return GoneIsGood(UntilReached([&] { return store_->DropTable(table); },
                                   std::chrono::seconds(FLAGS_connect_timeout_s), SystemClock()));
  }

  /// What guards an index from being dropped stands in the meta table that its daemons use.
  Status AddMetaTable(std::string* reasons) const {
    if (has_meta_table_ && registered_) return Status();
    const std::string remedy = ": aliases and other indexes of its tables are known to the --meta_table of its daemons";
    if (!has_meta_table_ && FlagIsGiven("meta_table")) {
      *reasons += "\n  there is no table " + FLAGS_meta_table + remedy;
      return Status();
    }
    const auto ran = indexer::MetaRow(index_.get(), store_.get()).Read("partitions/" + index_->topic());
    if (ran.status().code() == StatusCode::kNotFound) return Status();
    FENSI_RETURN_IF_ERROR(ran.status());
    if (ran->has_value())
      *reasons += "\n  table " + FLAGS_meta_table + " does not know it, and daemons have run it" + remedy;
    return Status();
  }

  /// An index that was given another name has the tables of the former one.
  Status AddOthersOfItsTables(std::string* reasons) const {
    return ForEachMetaRow(store_.get(), meta::IndexRow(""), [&](const store::Row& row) {
      const bool gone = row.row == meta::IndexRow(index_->name()) || ValueOf(row, "incarnation").starts_with("dropped");
      if (gone) return;
      for (const char* column : {"table", "state_table"}) {
        const std::string table = ValueOf(row, column);
        // Of period tables it is what their names begin with.
        const bool same = index_->table_is_template() && table == index_->table();
        if (!same && std::find(tables_.begin(), tables_.end(), table) == tables_.end()) continue;
        *reasons += "\n  table " + table + " is that of " + Escape(row.row) + ", too";
      }
    });
  }

  Status AddMembers(std::string* reasons) const {
    if (admin_ == nullptr) return Status();
    const Result<consumer::GroupDescription> group = admin_->groups().DescribeGroup(index_->group());
    FENSI_RETURN_IF_ERROR(group.status());
    if (group->active()) {
      *reasons += "\n  " + MembersText(index_->group(), *group);
    }
    return Status();
  }

  Status Retire() {
    if (!has_meta_table_) {
      Result<PlannedTable> meta = PlanMetaTable(FLAGS_meta_table, store_.get());
      FENSI_RETURN_IF_ERROR(meta.status());
      FENSI_RETURN_IF_ERROR(CreateTables({std::move(*meta)}, store_.get()));
      has_meta_table_ = true;
    }
    if (!registered_) {
      state_.incarnation = RandomName();  // nobody has said one; it is only to be retired
      FENSI_RETURN_IF_ERROR(record_.Register(indexer::FactsOf(*index_, state_.incarnation)));
    }
    return record_.SetPhase(state_.incarnation, meta::Phase::kRetired);
  }

  const std::shared_ptr<const Index> index_;
  const std::unique_ptr<store::Store> store_;
  const meta::IndexRecord record_;
  std::unique_ptr<consumer::TopicAdmin> admin_;  // null: Kafka is not asked
  std::vector<std::string> tables_, topics_;     // that are there
  std::string foreign_;                          // why some of the tables are not its own
  bool unnamed_ = false;
  bool has_meta_table_ = false, registered_ = false, was_retired_ = false;
  meta::IndexState state_;
};

std::string PeriodText(const ExpiredTable& table) {
  std::string text = "its period ended with " + mapping::InstantText(table.last_millis).value_or("its time");
  if (table.regions) text += ", " + Counted(static_cast<int64_t>(*table.regions), "region");
  return table.begun ? text + ", its drop has begun" : text;
}

/// What readers of the index lose with these tables.
Status PrintReaders(const Index& index, const std::vector<ExpiredTable>& expired, store::Store* store) {
  int64_t last = INT64_MIN;
  for (const ExpiredTable& table : expired) last = std::max(last, table.obstacle.empty() ? table.last_millis : last);
  if (last == INT64_MIN) return {};
  const Result<std::vector<std::string>> aliases = AliasesOf(index, store);
  FENSI_RETURN_IF_ERROR(aliases.status());
  Print(
      "readers: 'fensi lookup' and applications find no entry of these periods any more, the newest of which ended "
      "with " +
      mapping::InstantText(last).value_or("its time") + "\n");
  for (const std::string& alias : *aliases)
    Print("  alias " + alias + " names the index, and its readers lose them, too\n");
  return {};
}

Status DropEach(const std::vector<ExpiredTable>& expired, ExpiredTables* tables) {
  for (const ExpiredTable& table : expired) {
    if (!table.obstacle.empty()) continue;
    FENSI_RETURN_IF_ERROR(tables->Drop(table).WithContext("dropping table " + table.name));
    Print("table " + table.name + ": dropped\n");
  }
  return tables->ForgetOthers(expired);
}

/// The index goes on: its daemons need not stop for it.
Result<int> DropExpired(const std::shared_ptr<const Index>& index, const std::vector<mapping::Mapping>& mappings) {
  FENSI_RETURN_IF_ERROR(ExpiredTables::RequirePeriods(*index));
  const Result<std::unique_ptr<store::Store>> store = FLAGS_execute ? OpenStoreToWrite() : OpenStoreToReadAny();
  FENSI_RETURN_IF_ERROR(store.status());
  std::vector<std::shared_ptr<const Index>> beside;
  for (const mapping::Mapping& mapping : mappings) {
    beside.insert(beside.end(), mapping.indexes.begin(), mapping.indexes.end());
  }
  ExpiredTables tables(index.get(), store->get(), std::move(beside));
  FENSI_RETURN_IF_ERROR(tables.RequireOwn());
  const Result<std::vector<ExpiredTable>> expired = tables.Find();
  FENSI_RETURN_IF_ERROR(expired.status());
  const bool any =
      std::any_of(expired->begin(), expired->end(), [](const auto& table) { return table.obstacle.empty(); });
  for (const ExpiredTable& table : *expired) {
    const std::string left = table.obstacle.empty() ? "" : ": left alone: " + table.obstacle;
    if (!FLAGS_execute || !left.empty()) {
      Print("table " + table.name + ": " + PeriodText(table) + (left.empty() ? ": to be dropped" : left) + "\n");
    }
  }
  if (!FLAGS_execute) FENSI_RETURN_IF_ERROR(PrintReaders(*index, *expired, store->get()));
  if (FLAGS_execute) FENSI_RETURN_IF_ERROR(DropEach(*expired, &tables));
  const std::string keep = "'keep: " + KeepText(*index) + "' and an hour";
  if (!any) {
    Say("drop: nothing to do: no table of index " + index->name() +
        " that may be dropped is of a period that ended longer ago than " + keep + ", by the clock of this machine");
  } else if (!FLAGS_execute) {
    Say("drop: nothing was done: these periods ended longer ago than " + keep +
        ", by the clock of this machine; the same line with --execute drops them, and there is no way back");
  } else {
    Say("drop: tables of periods that ended longer ago than " + keep + " are gone; index " + index->name() +
        " goes on");
  }
  return kExitDone;
}

Result<int> Drop(const Arguments& arguments) {
  if (FLAGS_expired) {
    const Result<std::vector<mapping::Mapping>> mappings = LoadMappings({arguments[0]});
    FENSI_RETURN_IF_ERROR(mappings.status());
    const auto index = OneIndex(*mappings, arguments[1]);
    return index.ok() ? DropExpired(*index, *mappings) : index.status();
  }
  if (FLAGS_kafka.empty() && !StoreIsEmbedded(FLAGS_store)) {
    return Status(StatusCode::kInvalidArgument,
                  "--kafka is missing: whether somebody runs the index is known there, and its topics are");
  }
  const Result<std::vector<mapping::Mapping>> mappings = LoadMappings({arguments[0]});
  FENSI_RETURN_IF_ERROR(mappings.status());
  const auto index = OneIndex(*mappings, arguments[1]);
  FENSI_RETURN_IF_ERROR(index.status());
  Result<std::unique_ptr<store::Store>> store = FLAGS_execute ? OpenStoreToWrite() : OpenStoreToReadAny();
  FENSI_RETURN_IF_ERROR(store.status());
  Dropping dropping(*index, std::move(*store));
  FENSI_RETURN_IF_ERROR(dropping.Plan(*mappings));
  if (!FLAGS_execute) dropping.PrintPlan();
  if (dropping.nothing_is_there()) {
    Say("drop: nothing of index " + (*index)->name() + " is there");
    return kExitDone;
  }
  FENSI_RETURN_IF_ERROR(dropping.RequireUnused());
  if (!FLAGS_execute) {
    Say("drop: nothing was done; the same line with --execute does it, and there is no way back");
    return kExitDone;
  }
  FENSI_RETURN_IF_ERROR(dropping.Execute());
  Say("drop: index " + (*index)->name() + " is gone; take it out of the mapping file");
  return kExitDone;
}

}  // namespace

Command DropCommand() {
  Command command;
  command.name = "drop";
  command.summary = "remove an index that nobody reads any more";
  command.arguments = "MAPPING INDEX";
  command.min_arguments = command.max_arguments = 2;
  command.description =
      "Removes all of an index: its tables, its topics of requests and dead letters, its group, and what the meta "
      "table says of it. The source table and the stream are left alone. Without --execute it shows what it would "
      "remove. Exit code 78 while an alias names the index ('fensi switch'), while its group has members, while "
      "another index has its tables, when it was not begun with those that the mapping names and they have rows, or "
      "when --meta_table is not the one of its daemons. "
      "What was begun and not ended is ended by the same line, and 'fensi run' refuses "
      "the index until then. With --expired the index stays, daemons may run it, and only tables of periods are "
      "dropped that ended longer ago than 'keep:' and an hour, by the clock of this machine; Kafka is not asked.";
  command.flags = {{"store", true}, {"kafka"},   {"kafka_property"}, {"kafka_property_file"},
                   {"expired"},     {"execute"}, {"meta_table"},     {"connect_timeout_s"}};
  command.examples = {
      {"fensi drop guanzhu.yaml fensi --store hbase://127.0.0.1:9090 --kafka 127.0.0.1:9092", "what would be removed"},
      {"fensi drop guanzhu.yaml fensi --store hbase://127.0.0.1:9090 --kafka 127.0.0.1:9092 --execute", "removes it"},
      {"fensi drop visits.yaml visits --expired --store hbase://127.0.0.1:9090", "tables of periods that are over"}};
  command.run = Drop;
  return command;
}

}  // namespace fensi::cli
