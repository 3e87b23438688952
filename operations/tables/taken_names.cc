#include "operations/tables/taken_names.h"

#include "base/bytes.h"
#include "base/text.h"
#include "indexer/index_descriptor.h"
#include "mapping/lookup.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "operations/access/row_pages.h"

namespace fensi::operations {
namespace {

using mapping::Index;

/// One index against one other.
class NamesOfBoth {
 public:
  NamesOfBoth(const Index& index, const NamesOfIndex& other, std::vector<std::string>* taken)
      : index_(index), other_(other), taken_(taken) {}

  void Compare() {
    CompareTables();
    CompareTopics();
  }

 private:
  /// Only what fensi keeps for itself: an index may follow the table of another index.
  void CompareTables() {
    if (mapping::CouldBePeriodTable(index_, other_.state_table)) Add("table", other_.state_table, "the state table");
    if (index_.source_table() == other_.state_table) Add("source", other_.state_table, "the state table");
    if (index_.state_table() == other_.state_table) Add("state_table", other_.state_table, "the state table");
    if (index_.state_table() == other_.source) Add("state_table", other_.source, "the source");
    if (index_.state_table() == other_.table) Add("state_table", other_.table, "the table");
  }

  /// The meta table does not keep the name of the dead-letter topic: it is the default one here.
  void CompareTopics() {
    const std::string requests = other_.name + ".requests", dead = other_.name + ".dead";
    if (index_.topic() == requests) Add("topic", requests, "the control topic");
    if (index_.topic() == dead) Add("topic", dead, "the dead-letter topic");
    if (index_.dead_letter_topic() == requests) Add("dead_letters", requests, "the control topic");
    if (index_.dead_letter_topic() == other_.topic) Add("dead_letters", other_.topic, "the change stream");
    if (index_.requests_topic() == other_.topic) Add("control topic", other_.topic, "the change stream");
    if (index_.requests_topic() == dead) Add("control topic", dead, "the dead-letter topic");
    if (index_.changelog() == nullptr) return;
    const std::string& changelog = index_.changelog()->topic;
    if (changelog == other_.topic) Add("changelog", other_.topic, "the change stream");
    if (changelog == requests) Add("changelog", requests, "the control topic");
    if (changelog == dead) Add("changelog", dead, "the dead-letter topic");
    if (changelog == other_.name + ".changelog") Add("changelog", changelog, "the changelog topic");
  }

  void Add(const char* key, const std::string& name, const char* what) {
    taken_->push_back(std::string(key) + " " + Escape(name) + " is " + what + " of index " + Escape(other_.name));
  }

  const Index& index_;
  const NamesOfIndex& other_;
  std::vector<std::string>* const taken_;
};

}  // namespace

Result<std::vector<NamesOfIndex>> NamesOfIndexes(store::Store* store, const std::string& meta_table) {
  std::vector<NamesOfIndex> known;
  FENSI_ASSIGN_OR_RETURN(const std::optional<store::TableDescriptor> there, store->DescribeTable(meta_table));
  if (!there.has_value()) return known;
  const std::string prefix = meta::IndexRow("");
  const auto note = [&](const store::Row& row) {
    if (ValueOf(row, "incarnation").empty() || ValueOf(row, "incarnation").starts_with("dropped")) return;
    known.push_back({row.row.substr(prefix.size()), ValueOf(row, "table"), ValueOf(row, "state_table"),
                     ValueOf(row, "source"), ValueOf(row, "topic")});
  };
  FENSI_RETURN_IF_ERROR(ForEachRow(store, meta_table, PrefixScan(prefix), 0, note).status());
  return known;
}

std::vector<std::string> TakenNames(const Index& index, const std::vector<NamesOfIndex>& known) {
  std::vector<std::string> taken;
  for (const NamesOfIndex& other : known) {
    if (other.name != index.name()) NamesOfBoth(index, other, &taken).Compare();
  }
  return taken;
}

Status RefuseTakenNames(const Index& index, store::Store* store, const std::string& meta_table) {
  const Result<std::vector<NamesOfIndex>> known = NamesOfIndexes(store, meta_table);
  // A bad hour, or somebody who may not read there, proves nothing.
  if (!known.ok()) return known.status().code() == StatusCode::kUnavailable ? known.status() : Status();
  const std::vector<std::string> taken = TakenNames(index, *known);
  if (taken.empty()) return {};
  return Status(StatusCode::kConfiguration, "index " + index.name() + " uses names that table " + meta_table +
                                                " has for another index: " + Joined(taken) + ". Give index " +
                                                index.name() + " names of its own in the mapping file");
}

std::string ForeignTablesText(const Status& why) {
  return "the tables may belong to another index. Check --store and --meta_table. " + why.message();
}

std::string MissingRecordText(const std::string& meta_table) {
  return "meta table " + meta_table +
         " has no record of the index, although a daemon has run it. The records show which tables belong to "
         "other indexes, and which index an alias names. If 'fensi run' of the index has another --meta_table, give "
         "that --meta_table. Otherwise the record is lost: restart every 'fensi run' of the store, so that each index "
         "is registered again, and set lost aliases with 'fensi switch'";
}

Status RequireOwnName(const mapping::Index& index, store::Store* store, const std::string& meta_table) {
  const meta::IndexRecord record(meta::VersionedMetaRow(store, meta_table, meta::IndexRow(index.name())));
  const Status own = record.CheckName(indexer::FactsOf(index, ""));
  const bool unknown = own.code() == StatusCode::kNotFound || own.code() == StatusCode::kPermission;
  return unknown ? Status() : own.WithContext("index " + index.name());
}

Result<StoreOptions> WithSourcesOf(const Indexes& indexes, StoreOptions options) {
  std::vector<std::string> sources;
  for (const auto& index : indexes) sources.push_back(index->source_table());
  for (const auto& index : indexes) {
    if (options.source.url.empty()) break;
    for (const std::string& source : sources) {
      if (source != index->state_table() && !mapping::CouldBePeriodTable(*index, source)) continue;
      return Status(StatusCode::kConfiguration,
                    "table " + source + " is a table of index " + index->name() + " in --store, and the source of " +
                        "another index in --source_store. Run the command for each of the two indexes by itself, and "
                        "without --source_store for an index of an index");
    }
  }
  return WithSource(std::move(options), std::move(sources));
}

Status RefuseRetired(const mapping::Index& index, store::Store* store, const std::string& meta_table) {
  const Result<std::optional<store::TableDescriptor>> there = store->DescribeTable(meta_table);
  if (!there.ok()) return there.status().code() == StatusCode::kUnavailable ? there.status() : Status();
  if (!there->has_value()) return Status();
  const meta::IndexRecord record(meta::VersionedMetaRow(store, meta_table, meta::IndexRow(index.name())));
  const Result<std::optional<meta::IndexState>> state = record.Read();
  if (!state.ok()) return state.status().code() == StatusCode::kUnavailable ? state.status() : Status();
  if (!state->has_value() || (*state)->phase != meta::Phase::kRetired) return Status();
  return Status(StatusCode::kConfiguration, "index " + index.name() + " is being dropped (it is retired in table " +
                                                meta_table + "). To finish that, run 'fensi drop MAPPING " +
                                                index.name() + " --execute'. Then you can create the index again");
}

}  // namespace fensi::operations
