#include "store/native/native_store.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/hbase_limits.h"
#include "base/quoted.h"
#include "hbase/wire/dial.h"
#include "store/asked_columns.h"
#include "store/check.h"
#include "store/native/native_rows.h"
#include "store/native/table_schemas.h"
#include "store/table_identity.h"

namespace fensi::store {
namespace {

constexpr size_t kNoLimit = std::numeric_limits<size_t>::max();
constexpr char kMeta[] = "hbase:meta";

std::string NameOf(const std::string& table) { return std::string(CanonicalTableName(table)); }

bool LacksFamily(const hbase::RemoteError& error) { return hbase::ShortName(error) == "NoSuchColumnFamilyException"; }

/// HBase refuses timestamps that are ahead of its clock: what is not far ahead of ours will be taken.
bool IsSlightlyAhead(const RowMutation& row, const hbase::RemoteError& error) {
  constexpr int64_t kFarAhead = 60 * 60 * 1000;
  if (hbase::ShortName(error) != "FailedSanityCheckException") return false;
  const int64_t now = SystemClock()->WallMillis();
  return std::all_of(row.cells.begin(), row.cells.end(),
                     [&](const Cell& cell) { return cell.timestamp < now + kFarAhead; });
}

/// HBase's own checks of the row's cells fail, today and later.
bool IsNeverTaken(const RowMutation& row, const hbase::RemoteError& error) {
  const bool insane = hbase::ShortName(error) == "FailedSanityCheckException" && !IsSlightlyAhead(row, error);
  return insane || hbase::IsOfOneCell(error);
}

Status Refused(const std::string& table, const RowMutation& row, const hbase::RemoteError& error) {
  const Cell& cell = row.cells.front();
  return Status(StatusCode::kRejected, "table " + table + ", row " + QuotedBytes(row.row) + ", column " +
                                           QuotedColumn(cell.family, cell.qualifier) + ": " + hbase::ErrorWords(error));
}

void AppendPage(const hbase::ScanPage& page, std::vector<Row>* rows) {
  for (const hbase::ScannedRow& row : page.rows) rows->push_back(ToRow(row.row, page.CellsOf(row)));
}

/// `ahead_ms`: the time of a server's last report by its clock, less the present by ours. A server reports every 3 s,
/// or some seconds later. Empty: the clocks may be the same.
std::string ClocksApart(int64_t ahead_ms) {
  constexpr int64_t kMostAheadMs = 1'000, kMostBehindMs = 30'000;
  if (ahead_ms > kMostAheadMs) {
    return "its clock is at least " + std::to_string(ahead_ms / 1000) + " s ahead of this machine's";
  }
  if (ahead_ms < -kMostBehindMs) {
    return "its clock is " + std::to_string(-ahead_ms / 1000) +
           " s behind this machine's, or it has not reported to the master for so long";
  }
  return "";
}

}  // namespace

Result<std::optional<ClusterFacts>> NativeStore::DescribeCluster() {
  // Where a network drops packets each of them takes all of its time.
  constexpr std::chrono::seconds kEach(2);
  constexpr size_t kMostNamed = 3;
  FENSI_ASSIGN_OR_RETURN(const hbase::ClusterFacts found, cluster_->admin(permission_).Facts());
  const int64_t now_ms = SystemClock()->WallMillis();
  ClusterFacts facts{found.version, found.id, found.region_servers.size(), {}, {}};
  for (const auto& [server, reported_ms] : found.region_servers) {
    const std::string name = "region server " + hbase::AddressText(server.host, server.port) + ": ";
    const std::string apart = reported_ms > 0 ? ClocksApart(reported_ms - now_ms) : "";
    if (!apart.empty() && facts.clocks.size() < kMostNamed) facts.clocks.push_back(name + apart);
    if (facts.unreachable.size() == kMostNamed) continue;
    const auto socket = hbase::Dial(server.host, server.port, std::chrono::steady_clock::now() + kEach);
    if (!socket.ok()) facts.unreachable.push_back(name + socket.status().message());
  }
  return std::optional(std::move(facts));
}

std::vector<ServerCalls> NativeStore::Servers() const {
  // A server that lost its regions since is called no more.
  constexpr std::chrono::seconds kRecently(30);
  std::vector<ServerCalls> servers;
  std::map<std::string, hbase::ServerCounts> all = cluster_->Counts();
  for (auto& [address, counts] : all) {
    servers.push_back({.address = address,
                       .calls = counts.calls,
                       .unanswered = counts.unanswered,
                       .retries = counts.retries,
                       .in_flight = counts.in_flight,
                       .waiting = counts.waiting,
                       .errors = std::move(counts.errors),
                       .seconds = std::move(counts.latency),
                       .trouble = counts.trouble_age < kRecently ? std::move(counts.trouble) : ""});
  }
  return servers;
}

std::unique_ptr<Store> NativeStore::Guarded(std::function<Status()> permission) {
  return std::unique_ptr<NativeStore>(new NativeStore(cluster_, std::move(permission)));
}

Result<std::vector<RejectedRow>> NativeStore::Put(const std::string& table, std::span<const RowMutation> rows) {
  return Write(NameOf(table), rows, WriteKind::kPut);
}

Result<std::vector<RejectedRow>> NativeStore::Delete(const std::string& table, std::span<const RowMutation> rows) {
  return Write(NameOf(table), rows, WriteKind::kDelete);
}

Result<std::vector<RejectedRow>> NativeStore::Write(const std::string& table, std::span<const RowMutation> rows,
                                                    WriteKind kind) {
  std::vector<RejectedRow> rejected;
  std::vector<size_t> sent;
  std::vector<hbase::Mutation> mutations;
  mutations.reserve(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    if (Status status = CheckMutation(table, rows[i], kind); !status.ok()) {
      rejected.push_back({i, std::move(status)});
      continue;
    }
    sent.push_back(i);
    mutations.push_back(ToMutation(rows[i], kind));
  }
  const Result<std::vector<hbase::Refusal>> refused = cluster_->Write(table, mutations, permission_);
  if (!refused.ok()) return refused.status();
  Result<std::vector<RejectedRow>> judged = Judge(table, rows, sent, kind, *refused);
  if (!judged.ok()) return judged.status();
  std::move(judged->begin(), judged->end(), std::back_inserter(rejected));
  std::sort(rejected.begin(), rejected.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
  return rejected;
}

Result<std::vector<RejectedRow>> NativeStore::Judge(const std::string& table, std::span<const RowMutation> rows,
                                                    std::span<const size_t> sent, WriteKind kind,
                                                    const std::vector<hbase::Refusal>& refused) {
  std::vector<RejectedRow> rejected;
  std::vector<size_t> unnamed;  // of the rejected
  bool shared = false;          // an unnamed row has the error of other rows of its region
  for (const hbase::Refusal& refusal : refused) {
    const size_t index = sent[refusal.index];
    const Status reason = Refused(table, rows[index], refusal.error);
    if (LacksFamily(refusal.error)) return MissingFamily(table, rows[index], reason);
    const bool is_final = hbase::CodeOf(refusal.error) == StatusCode::kRejected;
    if (!is_final || IsSlightlyAhead(rows[index], refusal.error)) return reason.As(StatusCode::kUnavailable);
    if (!refusal.named && !hbase::IsOfOneCell(refusal.error)) {
      unnamed.push_back(rejected.size());
      shared = shared || refusal.shared;
    }
    rejected.push_back({index, reason});
  }
  const bool all = sent.size() > 1 && rejected.size() == sent.size();
  if (all && shared) {
    return Status(StatusCode::kUnavailable, "HBase refused all " + std::to_string(sent.size()) +
                                                " rows of a call to table " + table +
                                                " for the same reason: " + rejected.front().reason.words() +
                                                ". If the refusals continue, read the logs of the region servers");
  }
  for (const size_t at : unnamed) {
    FENSI_RETURN_IF_ERROR(ConfirmRefusal(table, rows[rejected[at].index], kind, rejected[at].reason));
  }
  return rejected;
}

/// A row that HBase did not name is at fault only if HBase refuses it again while its region takes small puts, before
/// and after. A row that HBase takes now is no success: the caller repeats all rows of the call in their order.
Status NativeStore::ConfirmRefusal(const std::string& table, const RowMutation& row, WriteKind kind,
                                   const Status& why) {
  FENSI_RETURN_IF_ERROR(RequireWritable(table, row, why));
  const hbase::Mutation mutation = ToMutation(row, kind);
  FENSI_ASSIGN_OR_RETURN(const std::vector<hbase::Refusal> again,
                         cluster_->Write(table, std::span(&mutation, 1), permission_));
  const bool refused = !again.empty() && hbase::CodeOf(again.front().error) == StatusCode::kRejected;
  return refused ? RequireWritable(table, row, why) : why.As(StatusCode::kUnavailable);
}

/// kUnavailable, and says `why`: the region takes no small put to the row.
Status NativeStore::RequireWritable(const std::string& table, const RowMutation& row, const Status& why) {
  const RowMutation probe{row.row, {ProbeCell(row.cells.front().family)}};
  const hbase::Mutation mutation = ToMutation(probe, WriteKind::kPut);
  FENSI_ASSIGN_OR_RETURN(const std::vector<hbase::Refusal> refused,
                         cluster_->Write(table, std::span(&mutation, 1), permission_));
  return refused.empty() ? Status() : why.As(StatusCode::kUnavailable);
}

Status NativeStore::MissingFamily(const std::string& table, const RowMutation& row, const Status& fault) {
  const Result<std::optional<TableDescriptor>> described = DescribeTable(table);
  if (!described.ok()) return described.status();
  if (!described->has_value()) return NoSuchTable(table);
  FENSI_RETURN_IF_ERROR(CheckFamilies(**described, row));
  return fault.As(StatusCode::kUnavailable);  // it came back
}

Status NativeStore::MissingFamily(const std::string& table, std::span<const GetRequest::Column> columns,
                                  const Status& fault) {
  if (fault.code() != StatusCode::kConfiguration) return fault;
  const Result<std::optional<TableDescriptor>> described = DescribeTable(table);
  if (!described.ok()) return described.status();
  if (!described->has_value()) return NoSuchTable(table);
  FENSI_RETURN_IF_ERROR(CheckFamilies(**described, columns));
  return fault.As(StatusCode::kUnavailable);
}

Result<bool> NativeStore::CompareAndPut(const std::string& table, const ConditionalPut& change) {
  const std::string name = NameOf(table);
  FENSI_RETURN_IF_ERROR(CheckMutation(name, change.put, WriteKind::kPut));
  const GetRequest::Column compared{change.family, change.qualifier};
  std::optional<hbase::RemoteError> refused;
  const hbase::Condition condition{change.family, change.qualifier, change.expected};
  const Result<bool> done =
      cluster_->WriteIf(name, ToMutation(change.put, WriteKind::kPut), condition, permission_, &refused);
  if (!done.ok()) {
    return done.status().code() == StatusCode::kNotFound ? NoSuchTable(table) : done.status();
  }
  if (!refused) return done;
  const Status reason = Refused(name, change.put, *refused);
  if (LacksFamily(*refused)) {
    const Status missing = MissingFamily(name, std::span(&compared, 1), reason.As(StatusCode::kConfiguration));
    return missing.code() == StatusCode::kUnavailable ? MissingFamily(name, change.put, reason) : missing;
  }
  // An error that HBase calls final passes when a person repairs the table.
  return IsNeverTaken(change.put, *refused) ? reason
                                            : reason.WithSuffix(hbase::kReadServersLog).As(StatusCode::kUnavailable);
}

/// Of the rows that ask for it. The rest are null.
Result<std::vector<std::shared_ptr<const ReadPoint>>> NativeStore::ReadPointsOf(const std::string& table,
                                                                                std::span<const GetRequest> requests,
                                                                                std::span<const hbase::GetSpec> specs) {
  std::vector<std::shared_ptr<const ReadPoint>> points(requests.size());
  std::vector<const hbase::GetSpec*> gets;
  std::vector<size_t> places;
  for (size_t i = 0; i < requests.size(); ++i) {
    if (!requests[i].read_point) continue;
    gets.push_back(&specs[i]);
    places.push_back(i);
  }
  if (gets.empty()) return points;
  FENSI_ASSIGN_OR_RETURN(const std::vector<ReadPoint> read, cluster_->ReadPoints(table, gets, permission_));
  std::map<std::string_view, std::shared_ptr<const ReadPoint>> of_region;
  for (size_t i = 0; i < places.size(); ++i) {
    std::shared_ptr<const ReadPoint>& shared = of_region[read[i].region];
    if (shared == nullptr) shared = std::make_shared<ReadPoint>(read[i]);
    points[places[i]] = shared;
  }
  return points;
}

Result<std::vector<Row>> NativeStore::Get(const std::string& table, std::span<const GetRequest> requests) {
  const std::string name = NameOf(table);
  std::vector<hbase::GetSpec> specs;
  specs.reserve(requests.size());
  for (const GetRequest& request : requests) {
    FENSI_RETURN_IF_ERROR(CheckGet(name, request));
    specs.push_back(ToGetSpec(request));
  }
  // First the points, then the rows: what a point covers is in every read that begins afterwards.
  const auto points = ReadPointsOf(name, requests, specs);
  if (!points.ok()) return MissingFamily(name, FirstOfFamilies(requests), points.status());
  Result<std::vector<hbase::RowCells>> got = cluster_->Get(name, specs, permission_);
  if (!got.ok()) return MissingFamily(name, FirstOfFamilies(requests), got.status());
  std::vector<Row> rows;
  rows.reserve(requests.size());
  for (size_t i = 0; i < requests.size(); ++i) {
    rows.push_back(ToRow(requests[i].row, (*got)[i].cells));
    rows.back().read_point = (*points)[i];
    if (requests[i].raw) KeepVersions(requests[i].max_versions, &rows.back().cells);
  }
  return rows;
}

/// In calls that grow as long as the rows are small.
Result<std::vector<Row>> NativeStore::GetSome(const std::string& table, std::span<const GetRequest> requests,
                                              size_t max_bytes) {
  constexpr size_t kFirst = 16, kMost = 256;
  std::vector<Row> rows;
  size_t bytes = 0, at_once = kFirst;
  while (rows.size() < requests.size() && (rows.empty() || bytes < max_bytes)) {
    const auto some = requests.subspan(rows.size(), std::min(at_once, requests.size() - rows.size()));
    Result<std::vector<Row>> got = Get(table, some);
    if (!got.ok()) return got;
    for (Row& row : *got) {
      bytes += HeldBytes(row);
      rows.push_back(std::move(row));
    }
    const size_t mean = bytes / rows.size() + 1;
    at_once = bytes < max_bytes ? std::clamp((max_bytes - bytes) / mean, size_t{1}, std::min(kMost, 2 * at_once)) : 1;
  }
  return rows;
}

Result<std::vector<Row>> NativeStore::Scan(const std::string& table, const ScanRequest& request) {
  FENSI_RETURN_IF_ERROR(CheckScan(table, request));
  return ScanRows(NameOf(table), request);
}

/// The row in which the scan begins, after a column.
Result<hbase::ScanPage> NativeStore::ScanBegun(const std::string& table, const ScanRequest& request,
                                               const AskedColumns& asked) {
  hbase::ScanSpec spec = ToScanSpec(request, asked);
  const hbase::FilterSpec behind = FilterBehind(*request.behind);
  spec.filter = spec.filter.empty() ? behind : hbase::AllOf({behind, spec.filter});
  spec.start = request.start_row;
  spec.stop = RowAfter(request.start_row);
  spec.max_rows = 1;
  spec.max_cells = request.max_cells;
  // The greatest possible key has no next one: the next row is another one.
  spec.wanted = [&, wanted = spec.wanted](const hbase::CellView& cell) {
    return cell.row == request.start_row && (!wanted || wanted(cell));
  };
  return cluster_->Scan(table, spec, permission_);
}

Result<std::vector<Row>> NativeStore::ScanRows(const std::string& table, const ScanRequest& request) {
  const AskedColumns asked(request.columns);
  std::vector<Row> rows;
  hbase::ScanSpec spec = ToScanSpec(request, asked);
  spec.start = request.start_row;
  spec.stop = request.stop_row;
  size_t cells_left = request.max_cells;
  if (request.behind) {
    Result<hbase::ScanPage> begun = ScanBegun(table, request, asked);
    if (!begun.ok()) return MissingFamily(table, request.columns, begun.status());
    AppendPage(*begun, &rows);
    const bool is_full = begun->cells.size() >= request.max_cells || rows.size() >= request.max_rows;
    if (begun->within_row || is_full) {
      if (!rows.empty()) rows.back().goes_on = begun->within_row || rows.size() < request.max_rows;
      return rows;
    }
    if (cells_left != kNoLimit) cells_left -= begun->cells.size();
    spec.include_start = false;
  }
  spec.max_rows = request.max_rows - rows.size();
  spec.max_cells = cells_left;
  Result<hbase::ScanPage> page = cluster_->Scan(table, spec, permission_);
  if (!page.ok()) return MissingFamily(table, request.columns, page.status());
  AppendPage(*page, &rows);
  if (!rows.empty()) rows.back().goes_on = page->within_row || (!page->at_end && rows.size() < request.max_rows);
  return rows;
}

Status NativeStore::CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) {
  FENSI_RETURN_IF_ERROR(CheckTable(table, split_keys));
  TableDescriptor named = table;
  named.name = NameOf(table.name);
  cluster_->ForgetTable(named.name);
  return cluster_->admin(permission_).Create(ToSchema(named), split_keys);
}

Result<std::optional<TableDescriptor>> NativeStore::DescribeTable(const std::string& table) {
  const Result<std::optional<hbase::TableSchemaSpec>> schema = cluster_->admin(permission_).Describe(NameOf(table));
  if (!schema.ok()) return schema.status();
  if (!schema->has_value()) return std::optional<TableDescriptor>();
  return std::optional(FromSchema(**schema));
}

Result<std::vector<std::string>> NativeStore::TableNames() { return cluster_->admin(permission_).TableNames(); }

Result<std::vector<std::string>> NativeStore::RegionStarts(const std::string& table) {
  const Result<std::vector<hbase::RegionLocation>> regions = cluster_->Regions(NameOf(table), permission_);
  if (!regions.ok()) return regions.status();
  std::vector<std::string> starts;
  for (const hbase::RegionLocation& region : *regions) starts.push_back(region.start);
  std::sort(starts.begin(), starts.end());
  return starts;
}

Result<std::vector<RegionBounds>> NativeStore::Regions(const std::string& table) {
  const Result<std::vector<hbase::RegionLocation>> regions = cluster_->Regions(NameOf(table), permission_);
  if (!regions.ok()) return regions.status();
  std::vector<RegionBounds> bounds;
  for (const hbase::RegionLocation& region : *regions) {
    bounds.push_back({region.EncodedName(), region.start, region.end});
  }
  return bounds;
}

Result<std::optional<std::vector<RegionSize>>> NativeStore::RegionSizes(const std::string& table) {
  const Result<std::vector<hbase::RegionLoad>> loads = cluster_->admin(permission_).RegionLoads(NameOf(table));
  if (!loads.ok()) return loads.status();
  std::vector<RegionSize> sizes;
  for (const hbase::RegionLoad& load : *loads) {
    sizes.push_back({load.start, load.file_bytes + load.memory_bytes, load.rounding});
  }
  return sizes.empty() ? std::optional<std::vector<RegionSize>>() : std::optional(std::move(sizes));
}

Result<std::optional<TableIdentity>> NativeStore::IdentityOf(const std::string& table) {
  const auto scan = [this](const ScanRequest& request) { return ScanRows(kMeta, request); };
  const Result<TableIdentity> identity = ReadIdentity(NameOf(table), scan);
  if (!identity.ok()) return identity.status();
  return std::optional(*identity);
}

/// Every version that is spoken to can all; what a table has against it is left to who meets it.
Status NativeStore::CheckServer(const std::string& table) {
  const GetRequest request{.row = std::string("\0fensi: what can this server do?", 32), .raw = true};
  const Status status = Get(table, std::span(&request, 1)).status();
  return status.code() == StatusCode::kUnavailable ? status : Status();
}

Status NativeStore::DropTable(const std::string& table) {
  const std::string name = NameOf(table);
  const Status dropped = cluster_->admin(permission_).Drop(name);
  cluster_->ForgetTable(name);
  return dropped;
}

}  // namespace fensi::store
