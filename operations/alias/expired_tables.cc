#include "operations/alias/expired_tables.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/bytes.h"
#include "indexer/index_meta.h"
#include "indexer/tables.h"
#include "mapping/diagnostics.h"
#include "mapping/lookup.h"
#include "mapping/mapping.h"
#include "mapping/period_window.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "operations/access/stores.h"
#include "operations/mappings/environment.h"
#include "operations/tables/taken_names.h"

namespace fensi::operations {
namespace {

using mapping::Index;

/// HBase disables and removes a table within seconds.
constexpr std::chrono::minutes kBusyTimeout{1};

Status Refused(const Index& index, const std::string& why) {
  return Status(StatusCode::kConfiguration, "tables of index " + index.name() + " cannot be dropped: " + why);
}

/// Whether a table has the families that fensi gives it, each with the delay that every table of an index has and no
/// other one needs.
bool IsMadeLike(const store::TableDescriptor& found, const store::TableDescriptor& plan) {
  std::map<std::string, bool> families;
  for (const store::FamilyDescriptor& family : found.families) {
    families[family.name] = family.configuration.contains(indexer::kPurgeDelayKey);
  }
  return families.size() == plan.families.size() &&
         std::all_of(plan.families.begin(), plan.families.end(), [&](const store::FamilyDescriptor& family) {
           const auto same = families.find(family.name);
           return same != families.end() && same->second;
         });
}

/// The template of `table:` in a definition as an index keeps it (IndexMeta); empty: it has none.
std::string TableIn(const std::string& definition) {
  constexpr std::string_view kKey = "\ntable: ";
  const size_t begin = definition.find(kKey);
  if (begin == std::string::npos) return "";
  const size_t text = begin + kKey.size();
  return definition.substr(text, definition.find('\n', text) - text);
}

/// Could an index with this template for `table:` have the table? Of one that this version cannot read: yes.
bool MayHave(const std::string& table_template, const std::string& table, const std::string& meta_table) {
  std::string quoted;
  for (const char c : table_template) quoted += c == '\'' ? "''" : std::string(1, c);
  const std::string text = "source: of-another.source\nindexes:\n  of-another:\n    table: '" + quoted +
                           "'\n    retention: 1d\n    row: '{row}'\n    columns: { 'f:': '{f:q}' }\n";
  mapping::Diagnostics diagnostics;
  const auto loaded = mapping::Load({{"", text}}, &diagnostics, FileEnvironment(meta_table));
  return loaded.empty() || mapping::CouldBePeriodTable(*loaded.front().indexes.front(), table);
}

}  // namespace

std::string KeepText(const Index& index) {
  constexpr std::pair<int64_t, const char*> kUnits[] = {{86'400, "d"}, {3'600, "h"}, {60, "m"}};
  const int64_t seconds = index.keep_millis().value_or(0) / 1000;
  for (const auto& [unit, letter] : kUnits) {
    if (seconds % unit == 0) return std::to_string(seconds / unit) + letter;
  }
  return std::to_string(seconds) + "s";
}

ExpiredTables::ExpiredTables(const Index* index, store::Store* store, std::vector<std::shared_ptr<const Index>> beside,
                             ExpiryOptions options, Clock* clock)
    : index_(index), store_(store), beside_(std::move(beside)), options_(std::move(options)), clock_(clock) {}

Status ExpiredTables::RequirePeriods(const Index& index) {
  if (!index.keep_millis()) {
    return InvalidArgument(
        "index " + index.name() + " has one table, " + index.table() +
        ", for all times, so no table can expire. An index has one table per period, such as a day, only with "
        "'retention:' and a 'table:' with a time in it, such as 'visits_{v:time | int | from_ms | time %Y%m%d}'. To "
        "let "
        "the entries of one table expire, give its families under 'create:' a 'ttl'");
  }
  const Status named = mapping::EndedPeriods(index, {}, 0, 0).status();
  return named
      .WithSuffix(
          ", so fensi cannot tell which tables are over. List the tables with 'fensi tables', and drop old ones in the "
          "HBase shell (disable, drop)")
      .As(StatusCode::kInvalidArgument);
}

Status ExpiredTables::RequireOwn() {
  FENSI_RETURN_IF_ERROR(RequireOwnName(*index_, store_, options_.meta_table));
  FENSI_RETURN_IF_ERROR(RefuseRetired(*index_, store_, options_.meta_table));
  const auto begun = indexer::IndexMeta(index_, store_).Known();
  const bool absent = begun.status().code() == StatusCode::kNotFound || (begun.ok() && !begun->has_value());
  if (absent) {
    return Refused(*index_,
                   "no 'fensi run' has started the index in this store, so fensi cannot tell whether the tables belong "
                   "to the index. Check --store");
  }
  if (begun.status().code() == StatusCode::kConfiguration) {
    return Refused(*index_, ForeignTablesText(begun.status()));
  }
  FENSI_RETURN_IF_ERROR(begun.status());
  // The protection of other indexes' tables is in the meta table that the daemons use.
  const Result<std::optional<store::TableDescriptor>> meta = store_->DescribeTable(options_.meta_table);
  FENSI_RETURN_IF_ERROR(meta.status());
  if (meta->has_value()) {
    const meta::VersionedMetaRow row(store_, options_.meta_table, meta::IndexRow(index_->name()));
    const Result<std::optional<meta::IndexState>> state = meta::IndexRecord(row).Read();
    if (!state.ok() || state->has_value()) return state.status();
  } else if (options_.meta_table_given) {
    return Refused(*index_, "meta table " + options_.meta_table +
                                " does not exist. Give the --meta_table that the 'fensi run' of the index has");
  }
  const auto ran = indexer::MetaRow(index_, store_).Read("partitions/" + index_->topic());
  FENSI_RETURN_IF_ERROR(ran.status());
  if (!ran->has_value()) return {};
  return Refused(*index_, MissingRecordText(options_.meta_table));
}

Result<std::vector<ExpiredTable>> ExpiredTables::Find() {
  FENSI_RETURN_IF_ERROR(RequirePeriods(*index_));
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> names, store_->TableNames());
  const mapping::PeriodWindow wanted(*index_, clock_->WallMillis());
  const int64_t margin = std::chrono::milliseconds(kMargin).count();
  // M26: over is a period none of whose times is within `retention:` and an hour.
  const auto ended = mapping::EndedPeriods(*index_, names, wanted.from() - margin, wanted.to() + margin);
  FENSI_RETURN_IF_ERROR(ended.status());
  FENSI_ASSIGN_OR_RETURN(const std::set<std::string> begun,
                         meta::DroppedTables(indexer::MetaRow(index_, store_)).All());
  std::vector<ExpiredTable> expired;
  for (const mapping::EndedPeriod& period : *ended) {
    expired.push_back({.name = period.table, .last_millis = period.last_millis, .begun = begun.contains(period.table)});
    const Status judged = Judge(&expired.back());
    if (judged.code() == StatusCode::kNotFound) expired.pop_back();  // somebody else was faster
    if (judged.code() != StatusCode::kNotFound) FENSI_RETURN_IF_ERROR(judged);
  }
  return expired;
}

Status ExpiredTables::Judge(ExpiredTable* table) {
  FENSI_ASSIGN_OR_RETURN(const std::optional<store::TableDescriptor> found, store_->DescribeTable(table->name));
  if (!found.has_value()) return store::NoSuchTable(table->name);
  const Result<std::vector<std::string>> starts = store_->RegionStarts(table->name);
  if (starts.ok()) table->regions = starts->size();
  if (!IsMadeLike(*found, indexer::IndexTablePlan(*index_, table->name).table)) {
    table->obstacle = "it has other families than a table that fensi makes for the index, or a family lacks " +
                      std::string(indexer::kPurgeDelayKey) +
                      ". So fensi cannot tell whether the table belongs to the index. If nobody needs the table, drop "
                      "it in the HBase shell";
    return {};
  }
  return FindOthers(table->name, &table->obstacle);
}

Status ExpiredTables::FindOthers(const std::string& table, std::string* obstacle) {
  // M26: never drop a table that the index or somebody else needs.
  if (table == index_->state_table() || table == index_->source_table() || table == options_.meta_table) {
    *obstacle = "the index needs it";
    return {};
  }
  for (const auto& other : beside_) {
    if (other->name() == index_->name()) continue;
    const bool has =
        other->state_table() == table || other->source_table() == table || mapping::CouldBePeriodTable(*other, table);
    if (has) *obstacle = "it may belong to index " + other->name() + ", too";
  }
  FENSI_ASSIGN_OR_RETURN(const std::vector<NamesOfIndex> known, NamesOfIndexes(store_, options_.meta_table));
  for (const NamesOfIndex& other : known) {
    if (other.name == index_->name() || !obstacle->empty()) continue;
    if (other.table.empty()) {
      *obstacle = "it may belong to index " + Escape(other.name) + ", whose row in " + options_.meta_table +
                  " does not name its table";
    } else if (table == other.table || table == other.state_table || table == other.source) {
      *obstacle = "it belongs to index " + Escape(other.name) + ", too";
    } else if (table.starts_with(other.table)) {
      FENSI_RETURN_IF_ERROR(CompareWithOther(table, other.name, other.table, other.state_table, obstacle));
    }
  }
  return {};
}

/// For an index with period tables the meta table has their prefix.
Status ExpiredTables::CompareWithOther(const std::string& table, const std::string& index, const std::string& prefix,
                                       const std::string& state_table, std::string* obstacle) {
  const meta::VersionedMetaRow row(store_, state_table, meta::kOwnRow);
  const Result<std::optional<Cell>> definition = row.Read("definition");
  if (definition.status().code() == StatusCode::kNotFound) return {};  // it has no entries, and no tables of periods
  FENSI_RETURN_IF_ERROR(definition.status());
  if (!definition->has_value()) return {};
  const std::string of_other = TableIn((*definition)->value);
  if (of_other == prefix || !MayHave(of_other, table, options_.meta_table)) return {};
  *obstacle = "it may belong to index " + Escape(index) + ", too, whose tables are '" + Escape(of_other) + "'";
  return {};
}

Status ExpiredTables::Drop(const ExpiredTable& table) {
  if (!table.obstacle.empty()) return InvalidArgument("table " + table.name + ": " + table.obstacle);
  const meta::DroppedTables dropped(indexer::MetaRow(index_, store_));
  // M26: record the drop first, so that partition owners do not wait for a disabled table.
  FENSI_RETURN_IF_ERROR(dropped.Note(table.name));
  // HBase may still be at work for one that died, or for somebody who is at it now: it refuses meanwhile.
  const auto timeout = std::max<std::chrono::milliseconds>(kBusyTimeout, options_.connect_timeout);
  const Status gone = UntilReached([&] { return store_->DropTable(table.name); }, timeout, clock_);
  if (gone.code() != StatusCode::kNotFound) FENSI_RETURN_IF_ERROR(gone);
  return dropped.Forget(table.name);
}

Status ExpiredTables::ForgetOthers(const std::vector<ExpiredTable>& expired) {
  const meta::DroppedTables dropped(indexer::MetaRow(index_, store_));
  FENSI_ASSIGN_OR_RETURN(const std::set<std::string> noted, dropped.All());
  for (const std::string& name : noted) {
    const bool to_drop = std::any_of(expired.begin(), expired.end(), [&](const ExpiredTable& table) {
      return table.name == name && table.obstacle.empty();
    });
    if (!to_drop) FENSI_RETURN_IF_ERROR(dropped.Forget(name));
  }
  return {};
}

}  // namespace fensi::operations
