#include "operations/tables/online_check.h"

#include <set>

#include "base/bytes.h"
#include "base/shown_text.h"
#include "base/text.h"
#include "indexer/index_meta.h"
#include "indexer/index_table.h"
#include "indexer/remedies.h"
#include "meta/index_record.h"
#include "operations/tables/table_plan.h"
#include "operations/tables/taken_names.h"

namespace fensi::operations {
namespace {

using indexer::IndexMeta;
using mapping::Index;
using store::FamilyDescriptor;
using store::TableDescriptor;

// Kafka's own default, and time enough to come back from a long weekend and mend a daemon.
constexpr int64_t kReplayMillis = int64_t{7} * 86'400'000;

// Rows of the source that are read, to see which columns exist.
constexpr size_t kSampledRows = 200;
constexpr size_t kSampledCells = 20'000;
constexpr size_t kMostNames = 1'000;

/// Collects findings about one index in order.
class IndexCheck {
 public:
  /// `tables`: that are in the store, as far as they are told.
  IndexCheck(const Index& index, const std::vector<std::string>& tables, std::vector<OnlineFinding>* findings)
      : index_(index), tables_(tables), findings_(findings) {}

  /// `known`: how the index began, if it has.
  /// `other`: URL of the source's store, if it is another one.
  void CheckSource(const std::optional<TableDescriptor>& source, const Result<std::optional<IndexMeta::Begun>>& known,
                   const std::string& other) {
    const std::string about = "source table " + index_.source_table();
    if (!source && !other.empty()) {
      return Add(true, about, "is not in " + other + ". Check 'source:' of the mapping file, and --source_store");
    }
    // The index cannot be described if its record cannot be read.
    const std::string hint = source ? "" : DidYouMean(index_.source_table(), tables_);
    if (known.status().code() == StatusCode::kConfiguration && !source) {
      const std::string advice =
          hint.empty() ? ". Check 'source:' of the mapping file, --store and --source_store" : hint;
      return Add(false, about, "is not in this store" + advice);
    }
    const std::optional<IndexMeta::Begun> begun = known.ok() ? *known : std::nullopt;
    if (!source && begun && begun->reads_source) {
      return Add(true, about,
                 "is not in this store, but was when the index began: rows of ambiguous events are read there" +
                     (hint.empty() ? ". Restore the table, or correct --store or --source_store" : hint));
    }
    const bool in_vain = begun ? !begun->reads_source : !source;
    const std::string instead = wishes_mirror() ? "the index is then stateful"
                                                : "deletes of versions are then followed from kept versions only";
    if (!source) {
      return Add(false, about,
                 "is not in this store: " + instead + hint +
                     ". If it is in another cluster, name that cluster by --source_store");
    }
    if (in_vain) {
      Add(false, about,
          "was not in this store when the index began: " + instead + ". To change that, " +
              indexer::RebuildRemedy(index_));
    }
    CheckFamilies(about, *source, wishes_mirror() && !in_vain);
  }

  /// A column that none of some rows has may be misspelt. A family that is missing is an error of its own.
  Status CheckColumns(const TableDescriptor& source, store::Store* store) {
    store::ScanRequest request;
    request.keys_only = true;
    request.max_rows = kSampledRows;
    request.max_cells = kSampledCells;
    bool any = false;
    for (const mapping::Watch& watch : index_.watches()) {
      any = any || watch.kind == mapping::Watch::Kind::kColumn;
      if (FindFamily(source, watch.family) != nullptr) request.columns.push_back({watch.family, {}});
    }
    if (!any || request.columns.empty()) return Status();
    const std::string about = "source table " + index_.source_table();
    const Result<std::vector<store::Row>> rows = store->Scan(index_.source_table(), request);
    if (rows.status().code() == StatusCode::kUnavailable) return Status();  // CheckReads says so
    if (!rows.ok()) Add(false, about, "no rows of it can be read: " + rows.status().message());
    if (rows.ok() && !rows->empty()) NameUnseen(about, *rows);
    return Status();
  }

  void CheckPlan(const PlannedTable& plan) {
    const std::string about = "table " + plan.wanted.table.name;
    if (!plan.exists) return Add(true, about, "is missing. Create the table with 'fensi create MAPPING --execute'");
    for (const TableDifference& difference : plan.differences) {
      Add(difference.matters, about, difference.text + ". Alter the table, or correct 'create:' in the mapping file");
    }
    for (const std::string& coprocessor : plan.coprocessors) {
      Add(false, about,
          "has the coprocessor " + coprocessor +
              ": fensi does not see its changes of this table, and cannot repair them. Remove it if it changes cells");
    }
  }

  /// What HBase's region servers say of themselves, as the capture has written it into the stream.
  void CheckBulkLoads(store::Store* store, const std::string& meta_table, const std::string& incarnation) {
    const meta::IndexRecord record({store, meta_table, meta::IndexRow(index_.name())});
    const Result<std::optional<meta::IndexState>> state = record.Read();
    if (state.status().code() == StatusCode::kUnavailable) return;
    const bool ours = state.ok() && state->has_value() && (*state)->incarnation == incarnation;
    const std::string said = ours ? (*state)->bulk_loads : "";
    const std::string about = "bulk loads of table " + index_.source_table();
    if (said == "reported") return;
    if (said == "not reported") {
      return Add(
          false, about,
          "are not reported by HBase: the rows of a bulk load would be missing in the index. Set "
          "hbase.replication.bulkload.enabled and hbase.replication.cluster.id, as 'fensi capture --plan' prints "
          "them, and restart the masters and the region servers");
    }
    AddNote(about,
            "it is unknown whether HBase reports them: no capture with a watermark has said so to this index. See "
            "'fensi capture --plan' for the two settings");
  }

  /// A table can be there and answer nobody: it is disabled, or a region of it is nowhere.
  void CheckReads(const std::string& table, store::Store* store) {
    const Status read = store->Scan(table, {.max_rows = 1, .max_cells = 1}).status();
    if (read.code() != StatusCode::kUnavailable) return;  // who may not read it learns so elsewhere
    Add(true, "table " + table,
        "does not answer a read: " + read.message() +
            ". Check in the HBase shell that the table is enabled: is_enabled '" + table + "', enable '" + table +
            "'. Also check that all its regions are assigned");
  }

  /// Reports nothing without the right to read the table.
  void CheckTable(store::Store* store) {
    const auto seen = indexer::IndexTable(&index_, store).Look();
    if (!seen.ok() || !indexer::IsMismatch(*seen)) return;
    Add(true, "table " + index_.table(), "the index is 'mismatch'. " + indexer::MadeAgainText(index_));
  }

  /// Another definition or scheme, or a newer fensi. Whoever may not read states learns nothing of it here.
  void CheckBeginning(const Status& known) {
    if (known.code() != StatusCode::kConfiguration) return;
    Add(true, "table " + index_.state_table(), known.message());
  }

 private:
  void NameUnseen(const std::string& about, const std::vector<store::Row>& rows) {
    std::set<std::string> seen;
    for (const store::Row& row : rows) {
      for (const Cell& cell : row.cells) {
        if (seen.size() < kMostNames) seen.insert(Escape(cell.family + ":" + cell.qualifier));
      }
    }
    const std::vector<std::string> names(seen.begin(), seen.end());
    for (const mapping::Watch& watch : index_.watches()) {
      const std::string column = Escape(watch.family + ":" + watch.qualifier);
      if (watch.kind != mapping::Watch::Kind::kColumn || seen.contains(column)) continue;
      const std::string meant = DidYouMean(column, names);
      Add(false, about,
          "none of the " + Counted(static_cast<int64_t>(rows.size()), "row") + " that were read has the column " +
              column + ", which the index reads" +
              (meant.empty() ? ". Check the column's name in the mapping" : meant));
    }
  }

  bool wishes_mirror() const { return index_.scheme() == mapping::Scheme::kStateless; }

  void CheckFamilies(const std::string& about, const TableDescriptor& source, bool mirror) {
    std::set<std::string> families;
    for (const mapping::Watch& watch : index_.watches()) families.insert(watch.family);
    for (const std::string& name : families) {
      const FamilyDescriptor* family = FindFamily(source, name);
      if (family == nullptr) {
        Add(true, about,
            "has no family '" + Escape(name) + "', which the index reads. Correct the mapping, or add the family");
        continue;
      }
      if (family->replication_scope == 0) {
        Add(false, about,
            "family '" + Escape(name) +
                "' has REPLICATION_SCOPE 0: HBase does not replicate its changes. For 'fensi capture', set it in the "
                "HBase shell: alter '" +
                Escape(source.name) + "', NAME => '" + Escape(name) + "', REPLICATION_SCOPE => 1");
      }
      CompareTtl(about, *family, mirror);
    }
    for (const std::string& coprocessor : source.coprocessors) {
      Add(false, about,
          "has the coprocessor " + coprocessor +
              ". Its writes to other tables are not in the change stream of this table. If the coprocessor keeps an "
              "index, remove it after fensi has taken over");
    }
  }

  void CompareTtl(const std::string& about, const FamilyDescriptor& source, bool mirror) {
    for (const mapping::FamilySpec& spec : index_.create().families) {
      CompareMinVersions(about, source, spec, mirror);
      if (spec.ttl_seconds == source.ttl_seconds) continue;
      // A cell of a stateless index lives from the time of its source cell.
      Add(mirror, about,
          "family '" + Escape(source.name) + "' keeps cells " + TtlText(source.ttl_seconds) + ", the index's family '" +
              Escape(spec.name) + "' " + TtlText(spec.ttl_seconds) +
              ". Rows and their entries then expire at different times: give both families the same TTL ('ttl' under "
              "'create:', or alter the table)");
    }
  }

  void CompareMinVersions(const std::string& about, const FamilyDescriptor& source, const mapping::FamilySpec& spec,
                          bool mirror) {
    const int32_t kept = source.min_versions.value_or(0);
    const int32_t kept_entries = spec.min_versions.value_or(0);
    if (!spec.ttl_seconds || (kept > 0) == (kept_entries > 0)) return;
    if (kept == 0 && !source.ttl_seconds) return;
    if (kept == 0) {
      Add(mirror, about,
          "family '" + Escape(source.name) + "' has MIN_VERSIONS 0, the index's family '" + Escape(spec.name) + "' " +
              std::to_string(kept_entries) +
              ": HBase drops each expired cell of the source, and keeps its entry. Leave 'min_versions' out of the "
              "index's family, or set MIN_VERSIONS of the source's family");
      return;
    }
    Add(mirror || index_.expires_exactly(), about,
        "family '" + Escape(source.name) + "' has MIN_VERSIONS " + std::to_string(kept) +
            ": HBase shows the newest versions beyond their TTL, and the entries of the index's family '" +
            Escape(spec.name) + "' expire after " + TtlText(spec.ttl_seconds) +
            ". Set MIN_VERSIONS of the source's family to 0, or leave 'ttl' out of the index's family");
  }

  void Add(bool error, const std::string& about, std::string text) {
    findings_->push_back({error, index_.name(), about, std::move(text)});
  }
  void AddNote(const std::string& about, std::string text) {
    findings_->push_back({.index = index_.name(), .about = about, .text = std::move(text), .note = true});
  }

  const Index& index_;
  const std::vector<std::string>& tables_;
  std::vector<OnlineFinding>* const findings_;
};

/// Reports nothing about other indexes without the right to read the meta table.
Result<std::vector<NamesOfIndex>> OthersOf(store::Store* store, const std::string& meta_table) {
  Result<std::vector<NamesOfIndex>> known = NamesOfIndexes(store, meta_table);
  if (known.ok() || known.status().code() == StatusCode::kUnavailable) return known;
  return std::vector<NamesOfIndex>();
}

/// It is asked by way of a table that is there and that indexes write. Silence in a bad hour says nothing of it.
void CheckServer(const Indexes& indexes, store::Store* store, std::vector<OnlineFinding>* findings) {
  for (const auto& index : indexes) {
    const Status able = store->CheckServer(index->state_table());
    if (able.ok()) return;
    if (able.code() == StatusCode::kConfiguration) return findings->push_back({true, "", "the store", able.message()});
  }
}

/// Containers often see the master, and not the names of the region servers.
/// `about`: "HBase", or the source's.
Status CheckCluster(const std::string& about, store::Store* store, std::vector<OnlineFinding>* findings) {
  const Result<std::optional<store::ClusterFacts>> described = store->DescribeCluster();
  if (described.status().code() == StatusCode::kPermission) return {};  // it is no fault of the indexes
  FENSI_RETURN_IF_ERROR(described.status());
  if (!*described) return {};
  const store::ClusterFacts& facts = **described;
  findings->push_back({false, "", about,
                       "version " + facts.version + ", cluster id " + facts.id + ", " +
                           Counted(static_cast<int64_t>(facts.region_servers), "region server"),
                       true});
  for (const std::string& reason : facts.unreachable) {
    findings->push_back(
        {true, "", about,
         reason + ": fensi calls each region server itself, so its name and port must lead to it from here"});
  }
  for (const std::string& apart : facts.clocks) {
    findings->push_back({false, "", about,
                         apart + ". Watermarks and expiry compare clocks: keep all machines within 1 s of each other, "
                                 "for example by NTP"});
  }
  return {};
}

}  // namespace

Result<std::vector<OnlineFinding>> CheckSourceCluster(store::Store* store) {
  std::vector<OnlineFinding> findings;
  FENSI_RETURN_IF_ERROR(CheckCluster("HBase of the source", store, &findings));
  return findings;
}

Result<std::vector<OnlineFinding>> CheckTablesOnline(const Indexes& indexes, store::Store* store,
                                                     const std::string& meta_table) {
  std::vector<OnlineFinding> findings;
  FENSI_RETURN_IF_ERROR(CheckCluster("HBase", store, &findings));
  FENSI_ASSIGN_OR_RETURN(const std::vector<NamesOfIndex> others, OthersOf(store, meta_table));
  const Result<std::vector<std::string>> names = store->TableNames();
  if (names.status().code() == StatusCode::kUnavailable) return names.status();
  const std::vector<std::string> tables = names.ok() ? *names : std::vector<std::string>();
  for (const auto& index : indexes) {
    for (const std::string& taken : TakenNames(*index, others)) {
      findings.push_back({true, index->name(), "names",
                          taken + ". Give index " + index->name() + " a name of its own in the mapping file"});
    }
    IndexCheck check(*index, tables, &findings);
    FENSI_ASSIGN_OR_RETURN(const std::optional<TableDescriptor> source, store->DescribeTable(index->source_table()));
    const IndexMeta meta(index.get(), store);
    const Result<std::optional<IndexMeta::Begun>> known = meta.Known();
    check.CheckSource(source, known, store->OtherPlaceOf(index->source_table()));
    if (source.has_value()) FENSI_RETURN_IF_ERROR(check.CheckColumns(*source, store));
    FENSI_ASSIGN_OR_RETURN(const std::vector<PlannedTable> plans, PlanTables(*index, store));
    for (const PlannedTable& plan : plans) check.CheckPlan(plan);
    if (source) check.CheckReads(index->source_table(), store);
    for (const PlannedTable& plan : plans) {
      if (plan.exists) check.CheckReads(plan.wanted.table.name, store);
    }
    const bool begun = known.ok() && *known;
    if (begun) check.CheckTable(store);
    check.CheckBeginning(begun ? meta.CheckScheme((*known)->scheme, (*known)->reads_source) : known.status());
    if (begun) check.CheckBeginning(meta.CheckSourceStore());
    if (begun && store->HasReplication()) check.CheckBulkLoads(store, meta_table, (*known)->incarnation);
  }
  CheckServer(indexes, store, &findings);
  return findings;
}

std::vector<OnlineFinding> TopicFindings(const TopicPlan& plan, TopicUse use, int64_t message_bytes) {
  std::vector<OnlineFinding> findings;
  const auto add = [&](bool error, std::string text) {
    findings.push_back({error, "", "topic " + plan.wanted.name, std::move(text)});
  };
  const bool is_stream = use == TopicUse::kStream;
  if (!plan.exists && use == TopicUse::kRequests) {
    add(false,
        "is missing, so that no backfill or repair is possible. Create the topic with 'fensi create MAPPING --store "
        "URL --kafka HOST:PORT --execute'");
    return findings;
  }
  if (!plan.exists)
    add(true, "is missing. Create the topic with 'fensi create MAPPING --store URL --kafka HOST:PORT --execute'");
  if (!plan.fault.empty()) add(true, plan.fault);
  const consumer::TopicDescription& found = plan.found;
  if (is_stream && plan.exists && found.partitions == 1) {
    add(false,
        "has 1 partition, so one worker applies all changes, and more partitions later would break the order of the "
        "rows. Before the index has data, create the topic again with more partitions, such as --partitions=4");
  }
  const int64_t retention = found.retention_ms.value_or(-1);
  if (is_stream && retention >= 0 && retention < kReplayMillis) {
    add(false, "keeps events for " + DurationText(retention / 1000) +
                   " (retention.ms): a daemon that is stopped for longer loses changes, and its index must be "
                   "created again. Set retention.ms to 7 days or more, with kafka-configs.sh --alter");
  }
  if (is_stream && found.retention_bytes.value_or(-1) >= 0) {
    add(false, "keeps " + WithCommas(*found.retention_bytes) +
                   " bytes of a partition (retention.bytes): how long a daemon may be stopped depends on the traffic. "
                   "To keep events by time "
                   "alone, set retention.bytes to -1");
  }
  // A changelog message has a row of the index, whose size --message_kb does not say.
  if (use != TopicUse::kChangelog && found.max_message_bytes.value_or(message_bytes) < message_bytes) {
    add(false, "takes messages of " + WithCommas(*found.max_message_bytes) + " bytes (max.message.bytes), and " +
                   (use == TopicUse::kDeadLetters ? "dead letters, with their event, of up to "
                    : is_stream                   ? "events of up to "
                                                  : "requests of up to ") +
                   WithCommas(message_bytes) +
                   " bytes are sent (--message_kb). Raise max.message.bytes of the topic, or lower --message_kb");
  }
  return findings;
}

Result<std::vector<OnlineFinding>> CheckTopicsOnline(const std::vector<mapping::Mapping>& mappings,
                                                     int64_t message_bytes, consumer::TopicAdmin* admin) {
  std::vector<OnlineFinding> findings;
  std::vector<TopicPlan> plans;
  for (const WantedTopic& wanted : TopicsOf(mappings, 1, 1)) {
    FENSI_ASSIGN_OR_RETURN(TopicPlan plan, PlanTopic(wanted.spec, admin));
    if (wanted.use == TopicUse::kRequests && plan.fault.empty()) {
      plan.fault = FaultOfRequests(plan, PartitionsBeside(wanted, plans));
    }
    for (OnlineFinding& finding : TopicFindings(plan, wanted.use, message_bytes)) {
      findings.push_back(std::move(finding));
    }
    plans.push_back(std::move(plan));
  }
  return findings;
}

}  // namespace fensi::operations
