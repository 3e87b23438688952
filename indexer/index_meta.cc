#include "indexer/index_meta.h"

#include "base/bytes.h"
#include "base/format_version.h"
#include "base/random_name.h"
#include "base/text.h"
#include "indexer/index_scheme.h"
#include "indexer/remedies.h"
#include "indexer/repair_target_validator.h"
#include "indexer/requests/position.h"
#include "indexer/state/layout.h"
#include "indexer/state/unit_codec.h"
#include "store/check.h"

namespace fensi::indexer {
namespace {

const std::string kPartitionsPrefix = "partitions/";
const std::string kClusterPrefix = "cluster/";
/// The key of an origin, as the first indexes wrote it: an older word, because bytes on disk do not change.
constexpr char kOrigin[] = "birth";
constexpr int64_t kFirstVersion = MetaRow::kFirstVersion;  // of an origin: one without a commit
constexpr int64_t kCommitted = 2;
constexpr char kFirstFormat[] = "1";  // of indexes that do not say it

std::string PartitionKey(const char* kind, const std::string& topic, int32_t partition) {
  return std::string(kind) + "/" + topic + "/" + std::to_string(partition);
}

Result<int64_t> ParseNumber(const mapping::Index& index, const std::string& key, const std::string& text) {
  if (const auto number = ParseWhole<int64_t>(text)) return *number;
  return Status(StatusCode::kInternal, ChangedCellText(index, key, text));
}

constexpr char kOtherStore[] = "other";
constexpr char kRowUnit[] = "source row";
constexpr char kColumnUnit[] = "column of a source row";

std::string UnitName(const mapping::Index& index) {
  return index.state_scope() == mapping::StateScope::kRow ? kRowUnit : kColumnUnit;
}

/// An index that does not say it is of the first.
Result<int64_t> FormatIn(const mapping::Index& index, const std::optional<Cell>& known) {
  return ParseNumber(index, "format", known ? known->value : kFirstFormat);
}

}  // namespace

bool IsCommitted(const std::string& qualifier, const Cell& cell) {
  return qualifier.starts_with(std::string(kOrigin) + "/") && cell.timestamp >= kCommitted;
}

IndexMeta::IndexMeta(const mapping::Index* index, store::Store* store, Clock* clock)
    : index_(index), store_(store), row_(index, store, clock) {}

Status IndexMeta::Open() {
  FENSI_RETURN_IF_ERROR(OpenKnown());
  FENSI_RETURN_IF_ERROR(LearnIncarnation());
  return reads_source_ ? CheckSource() : Status();
}

/// Two processes may open a new index at once: the first name stays.
Status IndexMeta::LearnIncarnation() {
  Result<std::optional<Cell>> known = Read("incarnation");
  FENSI_RETURN_IF_ERROR(known.status().WithContext("index " + index_->name()));
  if (!known->has_value()) {
    Result<Cell> named = row_.Replace("incarnation", std::nullopt, RandomName());
    FENSI_RETURN_IF_ERROR(named.status().WithContext("index " + index_->name()));
    *known = std::move(*named);
  }
  incarnation_ = (*known)->value;
  return {};
}

/// Better at the start than months later, at the first ambiguous event.
Status IndexMeta::CheckSource() const {
  const std::string& table = index_->source_table();
  Result<std::optional<store::TableDescriptor>> source = store_->DescribeTable(table);
  FENSI_RETURN_IF_ERROR(source.status().WithContext("index " + index_->name()));
  const std::string where = "index " + index_->name() + ": source table " + table;
  if (!source->has_value())
    return Status(StatusCode::kConfiguration, MissingSourceText(*index_, store_->OtherPlaceOf(table)));
  for (const mapping::Watch& watch : index_->watches()) {
    if (store::HasFamily(**source, watch.family)) continue;
    return Status(StatusCode::kConfiguration,
                  where + " has no family " + Escape(watch.family) +
                      ", which the mapping reads. Correct the family in the mapping, or add family " +
                      Escape(watch.family) + " to the table in the HBase shell");
  }
  return {};
}

Status IndexMeta::OpenKnown() {
  Result<std::optional<Cell>> definition = Read("definition");
  FENSI_RETURN_IF_ERROR(definition.status().WithContext("index " + index_->name()));
  if (!definition->has_value()) {
    const Status begun = Create();
    // Another process may have been faster: the cell that is there now counts.
    definition = Read("definition");
    FENSI_RETURN_IF_ERROR(definition.status().WithContext("index " + index_->name()));
    if (!definition->has_value()) return begun.ok() ? Emptied() : begun;
  }
  FENSI_RETURN_IF_ERROR(OpenStateFormat());
  FENSI_RETURN_IF_ERROR(CheckDefinition((*definition)->value));
  FENSI_RETURN_IF_ERROR(CheckUnits(true));
  FENSI_ASSIGN_OR_RETURN(reads_source_, ReadsSource());
  FENSI_RETURN_IF_ERROR(CheckSourceStore(reads_source_));
  return OpenScheme();
}

Status IndexMeta::Emptied() const {
  return Status(StatusCode::kNotFound,
                "index " + index_->name() + ": state table " + index_->state_table() +
                    " was emptied or dropped while fensi began the index. Start 'fensi run' again");
}

mapping::Scheme IndexMeta::WishedScheme(bool reads_source) const {
  return reads_source ? index_->scheme() : mapping::Scheme::kState;
}

Status IndexMeta::OpenScheme() {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> known, Read("scheme"));
  opened_as_ = SchemeText(known);
  FENSI_RETURN_IF_ERROR(CheckScheme(opened_as_, reads_source_));
  const std::optional<KnownScheme> scheme = ParseScheme(opened_as_);
  FENSI_ASSIGN_OR_RETURN(const StateLayout layout, ReadLayout(*scheme));
  scheme_ = scheme->scheme;
  layout_ = layout;
  return {};
}

/// The data of one scheme is useless to the other.
Status IndexMeta::CheckScheme(const std::string& known, bool reads_source) const {
  const std::optional<KnownScheme> scheme = ParseScheme(known);
  if (!scheme) return UnknownScheme(*index_, known);
  if (scheme->moving) {
    return Status(StatusCode::kConfiguration, "index " + index_->name() +
                                                  " is being converted to stateless, and cannot run before 'fensi "
                                                  "convert' has ended. Wait, or repeat the command: " +
                                                  ConvertCommandLine(*index_));
  }
  if (scheme->scheme == WishedScheme(reads_source)) return {};
  const bool mirror = scheme->scheme == mapping::Scheme::kStateless;
  return Status(StatusCode::kConfiguration,
                "index " + index_->name() + " began as " + (mirror ? "stateless" : "stateful") +
                    ", and its mapping is now of 'mode: " + (mirror ? "stateful" : "stateless") +
                    "'. Write 'mode: " + (mirror ? "stateless" : "stateful") + "' again, or " +
                    (mirror ? "" : "convert the index to stateless (" + ConvertCommandLine(*index_) + "), or ") +
                    RebuildRemedy(*index_));
}

Result<StateLayout> IndexMeta::ReadLayout(const KnownScheme& scheme) const {
  if (!scheme.buckets) return StateLayout();
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> buckets, Read("buckets"));
  return LayoutOf(*index_, scheme, buckets);
}

Status IndexMeta::CheckStillThis(const MetaRow& row) const {
  FENSI_ASSIGN_OR_RETURN(const meta::VersionedMetaRow::Cells cells, row.Read({"incarnation", "definition", "scheme"}));
  const auto said = [&](const char* column) {
    const auto at = cells.find(column);
    return at == cells.end() ? std::nullopt : std::optional(at->second);
  };
  const std::optional<Cell> incarnation = said("incarnation"), definition = said("definition");
  if (!incarnation || incarnation->value != incarnation_) return MadeAgain(incarnation ? incarnation->value : "");
  if (!definition) return Status(StatusCode::kConfiguration, DeletedCellText(*index_, "definition"));
  FENSI_RETURN_IF_ERROR(CheckDefinition(definition->value));
  // H15: an index that was converted meanwhile stops its old owners.
  if (SchemeText(said("scheme")) == opened_as_) return {};
  return Status(
      StatusCode::kConfiguration,
      "index " + index_->name() +
          " was converted to another mode while this process used the index. When 'fensi convert' has ended, start "
          "'fensi run' again with the mapping file of that mode");
}

Status IndexMeta::MadeAgain(const std::string& incarnation) const {
  const char* const remedy =
      incarnation.empty() ? "If the index was dropped, start 'fensi run' again to begin a new index. Otherwise its "
                            "states are lost: build the index again ('fensi help recovery')"
                          : "Start 'fensi run' again with the mapping file of the new index";
  return Status(StatusCode::kConfiguration,
                RecreatedText(*index_, incarnation_, incarnation, "state table " + index_->state_table()) +
                    ". This process writes nothing more to the index. " + remedy);
}

Status IndexMeta::CheckDefinition(const std::string& known) const {
  if (known.substr(0, known.find_first_of(" \n")) == index_->fingerprint()) return {};
  return Status(StatusCode::kConfiguration,
                "index " + index_->name() + ": its definition changed since the index was built. " +
                    ChangedDefinitionRemedy(*index_) + ". " +
                    RedactableText("The definition in use was:\n" + known.substr(known.find('\n') + 1) +
                                       "and now it is:\n" + index_->definition(),
                                   "'fensi check MAPPING --online --store URL' shows both definitions"));
}

Result<std::optional<IndexMeta::Begun>> IndexMeta::Known() const {
  const Result<std::optional<Cell>> definition = Read("definition");
  FENSI_RETURN_IF_ERROR(definition.status().WithContext("index " + index_->name()));
  if (!definition->has_value()) return std::optional<Begun>();
  FENSI_RETURN_IF_ERROR(CheckFormatVersion());
  FENSI_RETURN_IF_ERROR(CheckDefinition((*definition)->value));
  const Result<std::optional<Cell>> incarnation = Read("incarnation");
  FENSI_RETURN_IF_ERROR(incarnation.status().WithContext("index " + index_->name()));
  const Result<bool> reads = ReadsSource();
  FENSI_RETURN_IF_ERROR(reads.status().WithContext("index " + index_->name()));
  const Result<std::optional<Cell>> scheme = Read("scheme");
  FENSI_RETURN_IF_ERROR(scheme.status().WithContext("index " + index_->name()));
  return std::optional(Begun{incarnation->has_value() ? (*incarnation)->value : "", *reads, SchemeText(*scheme)});
}

Result<bool> IndexMeta::ReadsSource() const {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> source, Read("source"));
  return source.has_value() && source->value == "read";
}

Result<bool> IndexMeta::HasOtherStore() const {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> where, Read("source_store"));
  return where.has_value() && where->value == kOtherStore;
}

Status IndexMeta::CheckSourceStore() const {
  const Result<std::optional<Begun>> begun = Known();
  const StatusCode code = begun.status().code();
  // What else is wrong is the matter of those who open the index.
  if (code == StatusCode::kUnavailable || code == StatusCode::kInternal) return begun.status();
  return begun.ok() && begun->has_value() ? CheckSourceStore((*begun)->reads_source) : Status();
}

Status IndexMeta::CheckSourceStore(bool reads_source) const {
  FENSI_ASSIGN_OR_RETURN(const bool other, HasOtherStore());
  const std::string now = store_->OtherPlaceOf(index_->source_table());
  if (other == !now.empty()) return {};
  if (other) {
    return Status(StatusCode::kConfiguration, "index " + index_->name() + " began with its source table " +
                                                  index_->source_table() +
                                                  " in another cluster than --store. Give the URL of that cluster with "
                                                  "--source_store, as at the first start");
  }
  if (!reads_source) return Status(StatusCode::kConfiguration, BeganWithoutSource(*index_));
  return Status(StatusCode::kConfiguration, "index " + index_->name() + " began with its source table " +
                                                index_->source_table() +
                                                " in --store. Leave out --source_store. To read the table of " + now +
                                                " instead, " + RebuildRemedy(*index_));
}

Status IndexMeta::CheckStateFormat(int64_t format) const {
  return CheckFormat("the state table " + index_->state_table(), format, kStateFormat, RebuildRemedy(*index_))
      .WithContext("index " + index_->name());
}

Status IndexMeta::CheckFormatVersion() const {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> known, Read("format"));
  FENSI_ASSIGN_OR_RETURN(const int64_t format, FormatIn(*index_, known));
  return format > kStateFormat ? CheckStateFormat(format) : Status();
}

/// Before anything else is compared: in another format the rest may mean something else.
Status IndexMeta::OpenStateFormat() {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> known, Read("format"));
  FENSI_ASSIGN_OR_RETURN(const int64_t format, FormatIn(*index_, known));
  FENSI_RETURN_IF_ERROR(CheckStateFormat(format));
  return known.has_value() ? Status() : Write("format", kFirstVersion, kFirstFormat);
}

/// Derives the unit from existing states: an earlier version did not record it.
Result<std::string> IndexMeta::UnitOfStates() {
  const store::ScanRequest any{.columns = {{kStateFamily, std::nullopt}}, .max_rows = 1, .max_cells = 1};
  const Result<std::vector<store::Row>> rows = store_->Scan(index_->state_table(), any);
  FENSI_RETURN_IF_ERROR(rows.status().WithContext("index " + index_->name()));
  if (rows->empty() || rows->front().cells.empty()) return UnitName(*index_);
  return std::string(rows->front().cells.front().qualifier.empty() ? kRowUnit : kColumnUnit);
}

/// What is known of keys grows with fensi, and with it the choice between rows and columns as units of state. Who looks
/// for states of the other kind finds none, and would never remove what they tell of.
Status IndexMeta::CheckUnits(bool note) {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> known, Read("unit"));
  FENSI_ASSIGN_OR_RETURN(const std::string unit,
                         known.has_value() ? Result<std::string>(known->value) : UnitOfStates());
  if (note && !known.has_value()) FENSI_RETURN_IF_ERROR(Write("unit", kFirstVersion, unit));
  if (unit == UnitName(*index_)) return {};
  return Status(StatusCode::kConfiguration,
                "index " + index_->name() + ": the version of fensi that began the index keeps one state for each " +
                    unit + ", and this version keeps one for each " + UnitName(*index_) +
                    ". Use the former version, or " + RebuildRemedy(*index_));
}

/// All of it in one put, and only where nobody has begun it: of two processes that begin one index, as of one that sees
/// the source table and of one that was slow and does not, one decides for both.
Status IndexMeta::Create() const {
  FENSI_RETURN_IF_ERROR(index_->table_is_template() ? CheckPeriodTablesEmpty() : CheckEmpty(index_->table()));
  FENSI_RETURN_IF_ERROR(CheckEmpty(index_->state_table()));
  FENSI_ASSIGN_OR_RETURN(const std::optional<store::TableDescriptor> source,
                         store_->DescribeTable(index_->source_table()));
  const bool reads_source = source.has_value();
  const std::string other = store_->OtherPlaceOf(index_->source_table());
  // A person named the store of the source: without the table there, the index would silently keep versions instead.
  if (!other.empty() && !reads_source) return Status(StatusCode::kConfiguration, MissingSourceText(*index_, other));
  const auto cell = [](const char* qualifier, std::string value) {
    return MetaRow::CellOf(qualifier, kFirstVersion, std::move(value));
  };
  std::vector<Cell> cells = {cell("source", reads_source ? "read" : "kept"), cell("unit", UnitName(*index_)),
                             cell("format", std::to_string(kStateFormat))};
  if (!other.empty()) cells.push_back(cell("source_store", kOtherStore));
  const bool mirror = WishedScheme(reads_source) == mapping::Scheme::kStateless;
  const bool buckets = !mirror && index_->state_scope() == mapping::StateScope::kRow;
  const std::string scheme(mirror ? kMirrorScheme : buckets ? kBucketScheme : kStateScheme);
  if (buckets) cells.push_back(cell("buckets", std::to_string(1 << kBucketBits)));
  // "state 1" is not written, unless an unfinished creation had recorded another scheme.
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> known, Read("scheme"));
  if (scheme != kStateScheme || known.has_value()) cells.push_back(cell("scheme", scheme));
  // M13: replace, not put: of two processes that begin the index, one decides.
  return row_.Replace("definition", std::nullopt, DefinitionText(*index_, scheme), std::move(cells)).status();
}

/// Cells of the state table about the index as a whole, and about partitions, do not count.
Result<bool> IndexMeta::IsEmpty(const std::string& table) const {
  store::ScanRequest any{.max_rows = 1, .max_cells = 1};  // a bucket has millions
  if (table == index_->state_table()) {
    for (const char* family : {kStateFamily, kDoubtFamily, kMarkerFamily}) any.columns.push_back({family, {}});
  }
  const Result<std::vector<store::Row>> rows = store_->Scan(table, any);
  FENSI_RETURN_IF_ERROR(rows.status().WithContext("index " + index_->name()));
  return rows->empty();
}

Status IndexMeta::CheckEmpty(const std::string& table) const {
  FENSI_ASSIGN_OR_RETURN(const bool empty, IsEmpty(table));
  if (empty) return {};
  return Status(StatusCode::kConfiguration,
                "index " + index_->name() + " is new, but its table " + table +
                    " is not empty, and fensi would never remove the cells that it has now. If the index has run "
                    "before, its states are lost: see 'fensi help recovery'. Otherwise name another table in the "
                    "mapping. Or empty table " +
                    table + ", which deletes all its cells (HBase shell: truncate_preserve '" + table + "')");
}

/// Entries of an index whose states are lost would stay in them for good.
Status IndexMeta::CheckPeriodTablesEmpty() const {
  const Result<std::vector<std::string>> tables = store_->TableNames();
  FENSI_RETURN_IF_ERROR(tables.status().WithContext("index " + index_->name()));
  const RepairTargetValidator own(index_);
  for (const std::string& table : *tables) {
    if (!own.IsTable(table)) continue;
    const Status empty = CheckEmpty(table);
    if (!empty.ok() && empty.code() != StatusCode::kNotFound) return empty;  // not found: it was dropped meanwhile
  }
  return {};
}

Result<bool> IndexMeta::IsIndexTableEmpty() {
  // States of a stateless index are from before its conversion, and are to be removed.
  if (index_->table_is_template() || scheme_ == mapping::Scheme::kStateless) return false;
  FENSI_ASSIGN_OR_RETURN(const bool no_state, IsEmpty(index_->state_table()));
  if (no_state) return false;
  return IsEmpty(index_->table());
}

Result<std::string> IndexMeta::WhyReplayIsVain() {
  FENSI_ASSIGN_OR_RETURN(const bool emptied, IsIndexTableEmpty());
  if (!emptied) return std::string();
  return "index " + index_->name() + ": table " + index_->table() + " is empty, but its states in " +
         index_->state_table() + " are not, so a replay brings no entry back. Start 'fensi run' after the replay. " +
         EmptiedRemedy(*index_);
}

Status IndexMeta::CheckPartitions(const consumer::Assignment& assignment) {
  MutexLock lock(mu_);
  const std::string key = kPartitionsPrefix + assignment.topic();
  FENSI_ASSIGN_OR_RETURN(std::optional<Cell> known, Read(key));
  const std::string count = std::to_string(assignment.partition_count());
  if (!known.has_value()) return Write(key, kFirstVersion, count);
  if (known->value == count) return {};
  return Status(StatusCode::kConfiguration, "index " + index_->name() + ": topic " + assignment.topic() + " had " +
                                                known->value + " partitions and has " + count +
                                                " now, so rows changed their partition and their order is lost. "
                                                "Write the changes of the source to a new topic with " +
                                                count + " partitions, name this topic in the mapping, and " +
                                                RebuildRemedy(*index_));
}

/// Offsets of one cluster mean nothing in another.
Status IndexMeta::CheckCluster(const consumer::Opening& opening) {
  if (opening.cluster.empty()) return {};
  const std::string key = kClusterPrefix + opening.assignment->topic();
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> known, Read(key));
  if (!known.has_value()) return Write(key, kFirstVersion, opening.cluster);
  if (known->value == opening.cluster) return {};
  return Gap(opening, "the index has read this topic of Kafka cluster " + Escape(known->value) + ", and cluster " +
                          Escape(opening.cluster) + " is at the address now");
}

Status IndexMeta::AllowCluster(const std::string& topic, const std::string& cluster) {
  return cluster.empty() ? Status() : row_.Set(kClusterPrefix + topic, cluster);
}

/// M12 (e): what may have begun comes before any change.
Status IndexMeta::CheckOwnRequests(const consumer::Assignment& assignment) {
  if (assignment.partition() == kOwnPartition) return {};
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> known, Read("requests/" + std::to_string(kOwnPartition)));
  if (!known.has_value()) return {};
  FENSI_ASSIGN_OR_RETURN(const consumer::RequestPosition start, ParseRequestsPosition(*index_, *known));
  if (start.done == start.noted) return {};
  return Status(
      StatusCode::kConfiguration,
      "index " + index_->name() +
          ": a backfill stopped before it had applied its requests. Repeat the backfill until it ends: fensi backfill "
          "MAPPING " +
          index_->name() + " … --execute");
}

Result<Start> IndexMeta::Begin(const consumer::Opening& opening) {
  FENSI_RETURN_IF_ERROR(CheckStillThis());
  // M12: own requests that may have begun come before any change.
  FENSI_RETURN_IF_ERROR(CheckOwnRequests(*opening.assignment));
  FENSI_RETURN_IF_ERROR(CheckCluster(opening));
  FENSI_RETURN_IF_ERROR(CheckPartitions(*opening.assignment));
  const std::string key = PartitionKey(kOrigin, opening.assignment->topic(), opening.assignment->partition());
  FENSI_ASSIGN_OR_RETURN(std::optional<Cell> origin, Read(key));
  if (origin.has_value()) return BeginKnown(opening, *origin, key);
  return BeginNew(opening, key);
}

Status IndexMeta::NoteCommit(const consumer::Assignment& assignment) {
  const std::string key = PartitionKey(kOrigin, assignment.topic(), assignment.partition());
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> origin, Read(key));
  if (!origin.has_value() || origin->timestamp >= kCommitted) return {};
  return Write(key, kCommitted, origin->value);
}

Result<Start> IndexMeta::BeginKnown(const consumer::Opening& opening, const Cell& origin, const std::string& key) {
  FENSI_ASSIGN_OR_RETURN(const int64_t first, ParseNumber(*index_, key, origin.value));
  if (opening.committed.has_value()) {
    const int64_t committed = *opening.committed;
    if (committed < opening.log_start) return Gap(opening, "Kafka has deleted the next offsets of the index");
    if (committed > opening.log_end)
      return Gap(opening, "the log ends before the committed offset, because the topic was cut or created again");
    if (origin.timestamp < kCommitted) FENSI_RETURN_IF_ERROR(Write(key, kCommitted, origin.value));
    return Start{committed, false};
  }
  // No commit yet: begin again. Offsets that once were and are gone are for a person to judge.
  if (origin.timestamp >= kCommitted)
    return Gap(opening, "the committed offset of the group was deleted, or has expired");
  if (opening.log_start > first)
    return Gap(opening, "the group has committed nothing, and Kafka has deleted the beginning of the log");
  if (opening.log_end < first) return Gap(opening, "the log ends before the offset at which the index began");
  // M13: states may exist, so they must be read.
  return Start{first, false};
}

Result<Start> IndexMeta::BeginNew(const consumer::Opening& opening, const std::string& key) {
  int64_t first = opening.log_start;
  if (opening.committed.has_value() && *opening.committed > opening.log_start) {
    const std::string start_key = PartitionKey("start", opening.assignment->topic(), opening.assignment->partition());
    FENSI_ASSIGN_OR_RETURN(std::optional<Cell> allowed, Read(start_key));
    first = *opening.committed;
    if (!allowed.has_value() || allowed->value != std::to_string(first)) {
      return Gap(opening, "the group has committed offsets, and the state table has no record of this partition");
    }
  }
  FENSI_ASSIGN_OR_RETURN(const bool other, OtherTopicBegan(opening.assignment->topic()));
  // An origin that nobody reads would be drawn again, as that of a partition without states.
  FENSI_RETURN_IF_ERROR(row_.WriteShown(key, kFirstVersion, std::to_string(first)));
  return Start{first, !other};
}

Result<bool> IndexMeta::OtherTopicBegan(const std::string& topic) {
  const store::GetRequest request{.row = MetaRow::kRow, .columns = {{kIndexFamily, std::nullopt}}};
  FENSI_ASSIGN_OR_RETURN(const std::vector<store::Row> rows, store_->Get(index_->state_table(), {&request, 1}));
  for (const Cell& cell : rows.front().cells) {
    const bool partitions = cell.qualifier.starts_with(kPartitionsPrefix);
    if (partitions && cell.qualifier != kPartitionsPrefix + topic) return true;
  }
  return false;
}

Status IndexMeta::SetStartOffset(const std::string& topic, int32_t partition, int64_t offset) {
  // The newest permission counts; its version only has to grow.
  const std::string key = PartitionKey("start", topic, partition);
  FENSI_ASSIGN_OR_RETURN(std::optional<Cell> known, Read(key));
  return Write(key, known.has_value() ? known->timestamp + 1 : kFirstVersion, std::to_string(offset));
}

Status IndexMeta::Gap(const consumer::Opening& opening, const std::string& what) const {
  const std::string committed = opening.committed ? std::to_string(*opening.committed) : "none";
  return Status(StatusCode::kGap, "index " + index_->name() + ", " + consumer::PartitionText(*opening.assignment) +
                                      ": " + what + " (committed " + committed + ", log " +
                                      std::to_string(opening.log_start) + " to " + std::to_string(opening.log_end) +
                                      "). " + GapRemedy(*index_));
}

}  // namespace fensi::indexer
