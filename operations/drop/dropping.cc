#include "operations/drop/dropping.h"

#include <algorithm>
#include <functional>
#include <set>
#include <sstream>
#include <utility>

#include "base/bytes.h"
#include "base/random_name.h"
#include "indexer/index_descriptor.h"
#include "indexer/index_meta.h"
#include "indexer/index_table.h"
#include "indexer/meta_row.h"
#include "operations/access/row_pages.h"
#include "operations/console/console.h"
#include "operations/tables/table_plan.h"
#include "operations/tables/taken_names.h"
#include "sweep/scan/table_list.h"

namespace fensi::operations {
namespace {

using mapping::Index;

/// A missing table is as it should be.
Status GoneIsGood(const Status& status) { return status.code() == StatusCode::kNotFound ? Status() : status; }

/// None where there is no meta table.
Status ForEachMetaRow(store::Store* store, const std::string& meta_table, const std::string& prefix,
                      const std::function<void(const store::Row&)>& use) {
  return GoneIsGood(ForEachRow(store, meta_table, PrefixScan(prefix), 0, use).status());
}

}  // namespace

Result<std::vector<std::string>> AliasesOf(const Index& index, store::Store* store, const std::string& meta_table) {
  std::vector<std::string> names;
  const std::string prefix = meta::AliasRow("");
  FENSI_RETURN_IF_ERROR(ForEachMetaRow(store, meta_table, prefix, [&](const store::Row& row) {
    if (ValueOf(row, "index") == index.name()) names.push_back(Escape(row.row.substr(prefix.size())));
  }));
  return names;
}

Status Dropping::Run(const std::vector<mapping::Mapping>& mappings, bool execute) {
  FENSI_RETURN_IF_ERROR(Plan(mappings));
  if (!execute) PrintPlan();
  if (nothing_is_there()) {
    Say("drop: nothing to do: nothing of index " + index_->name() + " is there");
    return {};
  }
  FENSI_RETURN_IF_ERROR(RequireUnused());
  if (!execute) {
    SayDryRun("drop", "drop the index", "This cannot be undone.");
    return {};
  }
  FENSI_RETURN_IF_ERROR(Execute());
  Say("drop: index " + index_->name() + " is gone. Take the index out of the mapping file");
  return {};
}

Status Dropping::Plan(const std::vector<mapping::Mapping>& mappings) {
  FENSI_RETURN_IF_ERROR(RequireOwnName(*index_, store_.get(), options_.store.meta_table));
  FENSI_RETURN_IF_ERROR(PlanTables());
  return options_.kafka ? PlanTopics(mappings) : Status();
}

void Dropping::PrintPlan() const {
  for (const std::string& table : tables_) Print("table " + table + ": to be dropped\n");
  PrintNotNamed();
  for (const std::string& topic : topics_) Print("topic " + topic + ": to be deleted\n");
  if (admin_ != nullptr) Print("group " + index_->group() + ": to be deleted\n");
}

void Dropping::PrintNotNamed() const {
  if (unnamed_) {
    Print("  index " + index_->name() +
          ": without its source table, fensi cannot name the other tables of its periods. List the tables with 'fensi "
          "tables', and drop them in the HBase shell\n");
  }
  if (index_->table_is_template() && !unnamed_) {
    Print("  index " + index_->name() +
          ": fensi does not look for tables of periods older than 'retention:'. Drop these tables before, with 'fensi "
          "drop MAPPING " +
          index_->name() + " --expired --execute', or afterwards in the HBase shell\n");
  }
}

Status Dropping::RequireUnused() {
  std::string reasons;
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> aliases,
                         AliasesOf(*index_, store_.get(), options_.store.meta_table));
  for (const std::string& alias : aliases) {
    reasons += "\n  alias " + alias +
               " names the index. First let the alias name another index: 'fensi switch MAPPING " + alias +
               " --to INDEX --from_report FILE --execute'. If nobody reads by the alias, remove it: 'fensi switch "
               "MAPPING " +
               alias + " --remove --execute'";
  }
  reasons += foreign_;
  FENSI_RETURN_IF_ERROR(AddTablesMadeAgain(&reasons));
  FENSI_RETURN_IF_ERROR(AddForeignTables(&reasons));
  FENSI_RETURN_IF_ERROR(AddMetaTable(&reasons));
  FENSI_RETURN_IF_ERROR(AddOthersOfItsTables(&reasons));
  FENSI_RETURN_IF_ERROR(AddMembers(&reasons));
  if (reasons.empty()) return Status();
  return Status(StatusCode::kConfiguration, "index " + index_->name() + " cannot be dropped:" + reasons);
}

Status Dropping::Execute() {
  FENSI_ASSIGN_OR_RETURN(const std::optional<meta::Phase> former, Retire());
  if (const Status used = RequireUnused(); !used.ok()) {
    // As it was; when that fails, too, the same line, or one that ends the use, goes on from here.
    if (former) FENSI_RETURN_IF_ERROR(record_.UndoRetire(state_.incarnation, *former));
    return used;
  }
  FENSI_RETURN_IF_ERROR(NoteJudged());
  FENSI_RETURN_IF_ERROR(DropTables());
  FENSI_RETURN_IF_ERROR(DropTopics());
  return record_.NoteDropped(state_.incarnation);
}

Status Dropping::PlanTables() {
  const int64_t now = SystemClock()->WallMillis();
  sweep::TableList list(index_.get(), store_.get());
  unnamed_ = !list.CanEnumerateAll(now).ok();
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> tables, list.Existing(now));
  std::vector<std::string> named = tables;
  named.push_back(index_->state_table());  // last: what it says of the index is needed as long as there is one
  for (const std::string& table : named) {
    FENSI_ASSIGN_OR_RETURN(const std::optional<store::TableDescriptor> found, store_->DescribeTable(table));
    if (!found.has_value()) continue;
    tables_.push_back(table);
    if (index_->table_is_template() && table != index_->state_table()) NoteFamilies(*found);
  }
  const Result<std::optional<store::TableDescriptor>> meta = store_->DescribeTable(options_.store.meta_table);
  FENSI_RETURN_IF_ERROR(meta.status());
  if (!meta->has_value()) return Status();
  has_meta_table_ = true;
  FENSI_ASSIGN_OR_RETURN(const std::optional<meta::IndexState> state, record_.Read());
  registered_ = state.has_value();
  if (registered_) state_ = *state;
  was_retired_ = state_.phase == meta::Phase::kRetired;
  return Status();
}

void Dropping::NoteFamilies(const store::TableDescriptor& table) {
  std::set<std::string> own, there;
  for (const auto& family : index_->create().families) own.insert(family.name);
  for (const auto& family : table.families) there.insert(family.name);
  if (there != own) {
    foreign_ +=
        "\n  table " + table.name +
        " has other families than a table of the index. Check 'table:' in the mapping file. If nobody needs the table, "
        "drop it in the HBase shell";
  }
}

Status Dropping::PlanTopics(const std::vector<mapping::Mapping>& mappings) {
  Result<std::unique_ptr<consumer::TopicAdmin>> admin =
      consumer::TopicAdmin::Create(options_.kafka->cluster, options_.kafka->connect_timeout);
  FENSI_RETURN_IF_ERROR(admin.status());
  admin_ = std::move(*admin);
  std::vector<std::string> wanted = {index_->requests_topic(), index_->dead_letter_topic()};
  for (const mapping::Mapping& mapping : mappings) {
    for (const auto& other : mapping.indexes) {
      if (other != index_ && other->dead_letter_topic() == wanted.back()) wanted.resize(1);
    }
  }
  // With its old messages, an index of the same name would begin with rows that it does not have.
  if (index_->changelog() != nullptr) wanted.push_back(index_->changelog()->topic);
  for (const std::string& topic : wanted) {
    const Status found = admin_->Partitions(topic).status();
    if (found.ok()) topics_.push_back(topic);
    FENSI_RETURN_IF_ERROR(GoneIsGood(found));
  }
  return Status();
}

Status Dropping::AddForeignTables(std::string* reasons) const {
  if (WereJudged()) return Status();
  const auto begun = indexer::IndexMeta(index_.get(), store_.get()).Known();
  if (begun.status().code() == StatusCode::kConfiguration) {
    *reasons += "\n  " + ForeignTablesText(begun.status());
    return Status();
  }
  if (!begun.ok() && begun.status().code() != StatusCode::kNotFound) return begun.status();
  if (begun.ok() && begun->has_value()) return Status();
  for (const std::string& table : tables_) {
    FENSI_ASSIGN_OR_RETURN(const std::vector<store::Row> rows, store_->Scan(table, {.max_rows = 1}));
    if (rows.empty()) continue;
    *reasons +=
        "\n  table " + table +
        " has rows, and no 'fensi run' has ever started the index with this table. Check 'table:' in the mapping "
        "file, and --store. If nobody needs the table, drop it in the HBase shell";
  }
  return Status();
}

bool Dropping::WereJudged() const {
  const bool has_states = !tables_.empty() && tables_.back() == index_->state_table();
  if (!was_retired_ || !has_states || !state_.dropping.starts_with(index_->fingerprint() + "\n")) return false;
  return std::all_of(tables_.begin(), tables_.end(),
                     [&](const std::string& table) { return NotedLine(table).has_value(); });
}

/// What the note of the drop says behind the name of a table: the table's identity, or nothing.
std::optional<std::string> Dropping::NotedLine(const std::string& table) const {
  std::istringstream lines(state_.dropping);
  for (std::string line; std::getline(lines, line);) {
    if (line == table) return "";
    if (line.starts_with(table + " ")) return line.substr(table.size() + 1);
  }
  return std::nullopt;
}

/// Empty: the store cannot tell, now or ever.
std::string Dropping::IdentityText(const std::string& table) const {
  const Result<std::optional<store::TableIdentity>> identity = store_->IdentityOf(table);
  return identity.ok() && identity->has_value() ? indexer::FormatIdentity(**identity) : "";
}

/// Another person may have created a table of this name after the drop removed that of the index.
Status Dropping::AddTablesMadeAgain(std::string* reasons) const {
  if (!was_retired_) return Status();
  for (const std::string& table : tables_) {
    const auto before = indexer::ParseIdentity(NotedLine(table).value_or("")),
               now = indexer::ParseIdentity(IdentityText(table));
    if (!before || !now || !indexer::IsMadeAgain(*before, *now)) continue;
    *reasons += "\n  table " + table +
                " was created again after the drop of the index had begun. Ask who created the table. If nobody needs "
                "the table, drop it in the HBase shell. Otherwise leave the rest of the index as it is";
  }
  return Status();
}

Status Dropping::DropTables() const {
  for (const std::string& table : tables_) {
    FENSI_ASSIGN_OR_RETURN(const bool goes_on, record_.IsRetired(state_.incarnation));
    if (!goes_on) return Status();
    FENSI_RETURN_IF_ERROR(DropTable(table).WithContext("dropping table " + table));
    Print("table " + table + ": dropped\n");
  }
  PrintNotNamed();
  return Status();
}

Status Dropping::DropTopics() const {
  if (admin_ == nullptr) return Status();
  for (const std::string& topic : topics_) {
    FENSI_ASSIGN_OR_RETURN(const bool goes_on, record_.IsRetired(state_.incarnation));
    if (!goes_on) return Status();
    FENSI_RETURN_IF_ERROR(GoneIsGood(admin_->DeleteTopic(topic)));
    Print("topic " + topic + ": deleted\n");
  }
  FENSI_ASSIGN_OR_RETURN(const bool goes_on, record_.IsRetired(state_.incarnation));
  if (!goes_on) return Status();
  FENSI_RETURN_IF_ERROR(GoneIsGood(admin_->groups().Delete(index_->group())));
  Print("group " + index_->group() + ": deleted\n");
  return Status();
}

Status Dropping::NoteJudged() const {
  if (tables_.empty() || WereJudged()) return Status();
  std::string lines = index_->fingerprint() + "\n";
  for (const std::string& table : tables_) {
    const std::string identity = IdentityText(table);
    lines += table + (identity.empty() ? "" : " " + identity) + "\n";
  }
  return record_.MarkDropping(state_.incarnation, lines);
}

Status Dropping::DropTable(const std::string& table) const {
  return GoneIsGood(
      UntilReached([&] { return store_->DropTable(table); }, options_.store.connect_timeout, SystemClock()));
}

Status Dropping::AddMetaTable(std::string* reasons) const {
  if (has_meta_table_ && registered_) return Status();
  if (!has_meta_table_ && options_.meta_table_given) {
    *reasons += "\n  meta table " + options_.store.meta_table +
                " does not exist. Give the --meta_table of its 'fensi run', "
                "which names the aliases, and other indexes of these tables";
    return Status();
  }
  const auto ran = indexer::MetaRow(index_.get(), store_.get()).Read("partitions/" + index_->topic());
  if (ran.status().code() == StatusCode::kNotFound) return Status();
  FENSI_RETURN_IF_ERROR(ran.status());
  if (ran->has_value()) *reasons += "\n  " + MissingRecordText(options_.store.meta_table);
  return Status();
}

Status Dropping::AddOthersOfItsTables(std::string* reasons) const {
  return ForEachMetaRow(store_.get(), options_.store.meta_table, meta::IndexRow(""), [&](const store::Row& row) {
    const bool gone = row.row == meta::IndexRow(index_->name()) || ValueOf(row, "incarnation").starts_with("dropped");
    if (gone) return;
    for (const char* column : {"table", "state_table"}) {
      const std::string table = ValueOf(row, column);
      // For period tables it is their prefix.
      const bool same = index_->table_is_template() && table == index_->table();
      if (!same && std::find(tables_.begin(), tables_.end(), table) == tables_.end()) continue;
      *reasons += "\n  table " + table + " is that of " + Escape(row.row) +
                  ", too. Give each index tables of its own in the mapping files";
    }
  });
}

Status Dropping::AddMembers(std::string* reasons) const {
  if (admin_ == nullptr) return Status();
  FENSI_ASSIGN_OR_RETURN(const consumer::GroupDescription group, admin_->groups().DescribeGroup(index_->group()));
  if (group.active()) {
    *reasons += "\n  " + MembersText(index_->group(), group);
  }
  return Status();
}

Result<std::optional<meta::Phase>> Dropping::Retire() {
  if (!has_meta_table_) {
    FENSI_ASSIGN_OR_RETURN(PlannedTable meta, PlanMetaTable(options_.store.meta_table, store_.get()));
    FENSI_RETURN_IF_ERROR(CreateTables({std::move(meta)}, store_.get()));
    has_meta_table_ = true;
  }
  if (!registered_) {
    state_.incarnation = RandomName();  // nobody has said one; it is only to be retired
    FENSI_RETURN_IF_ERROR(record_.RegisterFirst(indexer::FactsOf(*index_, state_.incarnation)));
  }
  return record_.Retire(state_.incarnation, RandomName());
}

}  // namespace fensi::operations
