#include "hbase/locate/locator.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "base/quoted.h"
#include "base/shown_text.h"
#include "hbase/errors.h"
#include "hbase/wire/answer_queue.h"
#include "hbase/wire/framing.h"
#include "proto/hbase_client.pb.h"

namespace fensi::hbase {
namespace pb = proto::hbase;

/// A range of rows of hbase:meta, of which so many are wanted.
struct MetaScan {
  std::string start;
  std::string stop;
  bool include_start = true;
  bool reversed = false;
  bool include_stop = false;
  uint32_t rows = 1;
  std::string family = "info";
};

/// Rows that hbase:meta has in a range. A row that is none of a region counts, and is not among the regions.
struct MetaPage {
  std::vector<MetaRow> regions;
  size_t rows = 0;
  std::string last;  // row key
};

namespace {

using std::chrono::steady_clock;

constexpr uint32_t kRowsOfPage = 1'000;
constexpr uint32_t kRowsOfLookup = 5;  // parents of a split stand in front for a while
constexpr int32_t kRegionName = 1, kReadByPosition = 2;

pb::ScanRequest MetaRequest(const MetaScan& scan) {
  pb::ScanRequest request;
  request.mutable_region()->set_type(kRegionName);
  request.mutable_region()->set_value(kMetaRegion);
  pb::Scan* asked = request.mutable_scan();
  asked->set_start_row(scan.start);
  asked->set_stop_row(scan.stop);
  asked->set_include_start_row(scan.include_start);
  asked->set_include_stop_row(scan.include_stop);
  asked->set_reversed(scan.reversed);
  asked->set_caching(scan.rows);
  asked->set_readtype(kReadByPosition);
  asked->add_column()->set_family(scan.family);
  request.set_number_of_rows(scan.rows);
  request.set_limit_of_rows(scan.rows);
  request.set_close_scanner(true);
  request.set_client_handles_partials(false);
  request.set_client_handles_heartbeats(false);
  return request;
}

Status TakeMetaRows(const Answer& answer, MetaPage* page) {
  pb::ScanResponse response;
  if (!ParseMessage(answer.message, &response)) {
    return UnreadableAnswer("Scan");
  }
  CellBlockReader reader(answer.cells);
  for (const uint32_t count : response.cells_per_result()) {
    std::vector<CellView> cells;
    for (uint32_t left = count; left > 0; --left) {
      CellView cell;
      if (Status read = reader.Next(&cell); !read.ok()) return read.As(StatusCode::kUnavailable);
      cells.push_back(cell);
    }
    if (cells.empty()) continue;
    ++page->rows;
    page->last = std::string(cells.front().row);
    if (std::optional<MetaRow> region = ParseMetaRow(cells)) page->regions.push_back(std::move(*region));
  }
  if (!reader.AtEnd()) return UnreadableAnswer("Scan");
  return {};
}

std::string ActionFor(const RegionLocation& region) {
  if (region.closed.empty()) return kSeeTransitions;
  return "; hbase:meta calls the region " + region.closed +
         ". If the region stays so, open it in the HBase shell: assign '" + Escape(region.EncodedName()) + "'";
}

}  // namespace

Status NoServer(const RegionLocation& region) {
  return Status(StatusCode::kUnavailable, "no region server has region " + Escape(region.EncodedName()) + " of table " +
                                              region.table + ActionFor(region));
}

RedactableText ErrorWords(const RemoteError& error, const RegionLocation& region) {
  const bool elsewhere = RemedyFor(error) == Remedy::kForgetRegion;
  return elsewhere ? WhatFailed(error) + ActionFor(region) : ErrorWords(error);
}

Result<LocationPtr> Locator::Locate(const std::string& table, std::string_view row, const CallScope& scope) {
  Result<LocationPtr> found = Lookup(table, row, scope);
  if (found.ok() && (*found)->server.host.empty()) return NoServer(**found);
  return found;
}

/// The turn of the caller whose BeginLookup was ok. Ends in any case: an exception, for lack of memory, must not block
/// all later lookups of the table.
class Locator::LookupTurn {
 public:
  /// Both must outlive it.
  LookupTurn(Locator* locator, const std::string& table) : locator_(locator), table_(table) {}
  LookupTurn(const LookupTurn&) = delete;
  LookupTurn& operator=(const LookupTurn&) = delete;
  ~LookupTurn() { locator_->EndLookup(table_); }

 private:
  Locator* const locator_;
  const std::string& table_;
};

CallScope Locator::ForLookup(const CallScope& call) const {
  CallScope scope = call;
  scope.until = std::min(call.until, steady_clock::now() + lookup_timeout_);
  return scope;
}

Result<LocationPtr> Locator::Lookup(const std::string& table, std::string_view row, const CallScope& call) {
  if (table == kMetaTable) return Meta(call);
  if (LocationPtr known = cache_.Find(table, row)) return known;
  const CallScope scope = ForLookup(call);
  FENSI_RETURN_IF_ERROR(BeginLookup(table, scope));
  const LookupTurn turn(this, table);
  LocationPtr known = cache_.Find(table, row);  // who asked before us may have learned it
  return known != nullptr ? Result<LocationPtr>(known) : Ask(table, row, scope);
}

Status Locator::BeginLookup(const std::string& table, const CallScope& scope) {
  const std::chrono::milliseconds time = scope.Time();
  const Deadline deadline = steady_clock::now() + time;
  while (true) {
    {
      MutexLock lock(mu_);
      if (lookups_.try_emplace(table, 1).second) return {};
      changed_.wait_for(lock, std::chrono::milliseconds(100));
      if (lookups_.try_emplace(table, 1).second) return {};
    }
    FENSI_RETURN_IF_ERROR(scope.Granted());
    if (steady_clock::now() >= deadline) {
      return Status(StatusCode::kUnavailable, "hbase:meta did not report the location of table " + table + " within " +
                                                  DurationText(std::chrono::ceil<std::chrono::seconds>(time).count()) +
                                                  ". Check that hbase:meta is online (hbase hbck)");
    }
  }
}

void Locator::EndLookup(const std::string& table) {
  const MutexLock lock(mu_);
  lookups_.erase(table);
  changed_.notify_all();
}

Result<LocationPtr> Locator::Ask(const std::string& table, std::string_view row, const CallScope& scope) {
  MetaScan scan{.start = MetaKeyOf(table, row),
                .stop = MetaStopOf(table),
                .reversed = true,
                .include_stop = true,
                .rows = kRowsOfLookup};
  bool ended = false, is_there = false;
  while (!ended) {
    MetaPage page;
    FENSI_RETURN_IF_ERROR(ScanMeta(scan, scope, &page));
    is_there = is_there || page.rows > 0;
    ended = page.rows < kRowsOfLookup;
    for (MetaRow& one : page.regions) {
      if (one.location.table != table || !one.serving) continue;  // a parent of a split, of which many may be left
      if (!one.location.Has(row)) {
        ended = true;  // a hole: what comes now ends before this one
        break;
      }
      LocationPtr found = std::make_shared<const RegionLocation>(std::move(one.location));
      return found->server.host.empty() ? found : cache_.Insert(found);
    }
    scan.start = page.last;
    scan.include_start = false;
  }
  if (!is_there) return NoRegions(table, scope);
  return Status(StatusCode::kUnavailable, "hbase:meta has no region of table " + table + " for row " +
                                              QuotedBytes(row) +
                                              ". HBase may be splitting or merging the region now. If the error lasts, "
                                              "hbase:meta may have a hole: run 'hbase hbck'");
}

Result<std::vector<RegionLocation>> Locator::AllRegions(const std::string& table, const CallScope& scope) {
  // Rows of regions are TABLE,START,ID.HASH. and follow the row of the table; "-" is the character after ",".
  MetaScan scan{.start = table, .stop = table + "-", .rows = kRowsOfPage};
  std::vector<RegionLocation> regions;
  while (true) {
    MetaPage page;
    FENSI_RETURN_IF_ERROR(ScanMeta(scan, scope, &page));
    if (page.rows == 0) break;
    scan.start = page.last;
    scan.include_start = false;
    for (MetaRow& row : page.regions) {
      if (row.serving && row.location.table == table) regions.push_back(std::move(row.location));
    }
  }
  if (regions.empty()) return NoRegions(table, ForLookup(scope));
  return regions;
}

Status Locator::NoRegions(const std::string& table, const CallScope& scope) {
  MetaPage state;
  FENSI_RETURN_IF_ERROR(ScanMeta({.start = table, .stop = RowAfter(table), .family = "table"}, scope, &state));
  if (state.rows == 0) return NoSuchTable(table);
  return Status(StatusCode::kUnavailable,
                "hbase:meta has no regions of table " + table +
                    ", although the table exists. HBase may be creating or truncating the table "
                    "now. If the error lasts, hbase:meta may have a hole: run 'hbase hbck'");
}

Status Locator::ScanMeta(const MetaScan& scan, const CallScope& scope, MetaPage* page) {
  Status status;
  // The server of hbase:meta may be another one by now.
  for (int attempt = 0; attempt == 0 || (attempt == 1 && steady_clock::now() < scope.until); ++attempt) {
    const Result<LocationPtr> meta = Meta(scope);
    if (!meta.ok()) return meta.status();
    const ServerAddress& server = (*meta)->server;
    const auto connection = connections_->To(server.host, server.port, "ClientService", Connections::Use::kLookups);
    Result<Answer> answer = CallAndWait(connection, "Scan", MetaRequest(scan), scope);
    if (!answer.ok()) return answer.status();
    if (!answer->status.ok()) {
      status = answer->status;
      Disconnected(*meta);
    } else if (answer->error) {
      status =
          Status(StatusCode::kUnavailable, connection->Name() + ": scan of hbase:meta: " + ErrorWords(*answer->error));
      if (RemedyFor(*answer->error) == Remedy::kFinal) return status.As(CodeOfTable(*answer->error));
      Learn(*meta, *answer->error);
    } else {
      return TakeMetaRows(*answer, page).WithContext(connection->Name());
    }
  }
  return status;
}

Result<LocationPtr> Locator::Meta(const CallScope& call) {
  {
    const MutexLock lock(mu_);
    if (meta_ != nullptr) return meta_;
  }
  const CallScope scope = ForLookup(call);
  const std::string table = kMetaTable;
  FENSI_RETURN_IF_ERROR(BeginLookup(table, scope));
  const LookupTurn turn(this, table);
  LocationPtr found;
  CallScope share = scope;
  {
    const MutexLock lock(mu_);
    found = meta_;
    // If the registry does not answer, the other half is for the server that had hbase:meta.
    if (last_meta_ != nullptr) share.until = std::min(scope.until, steady_clock::now() + scope.Time() / 2);
  }
  Status status;
  if (found == nullptr) {
    Result<ServerAddress> server = registry_->MetaServer(share);
    status = server.status();
    if (server.ok())
      found = std::make_shared<const RegionLocation>(RegionLocation{kMetaTable, kMetaRegion, "", "", *server});
  }
  {
    const MutexLock lock(mu_);
    if (found == nullptr && last_meta_ != nullptr) {
      found = last_meta_;
      status = {};
    }
    meta_ = last_meta_ = found;
  }
  if (!status.ok()) return status;
  return found;
}

void Locator::Learn(const LocationPtr& location, const RemoteError& error) {
  const Remedy remedy = RemedyFor(error);
  if (remedy == Remedy::kForgetServer) cache_.ForgetServer(location->server);
  if (remedy == Remedy::kForgetRegion) cache_.Forget(location);
  if (remedy == Remedy::kFollowMove) Follow(location, error);
  const bool wrong =
      remedy == Remedy::kForgetRegion || remedy == Remedy::kForgetServer || remedy == Remedy::kFollowMove;
  const MutexLock lock(mu_);
  if (wrong && last_meta_ == location) last_meta_ = nullptr;
  if (wrong && meta_ == location) meta_ = nullptr;
}

/// Follows a move once, and only to a later opening than the known one: servers that remember moves from before a merge
/// lead in circles.
void Locator::Follow(const LocationPtr& location, const RemoteError& error) {
  const std::optional<RegionMove> move = MoveOf(error);
  if (!move || move->sequence <= location->sequence || location->by_move || location->table == kMetaTable) {
    cache_.Forget(location);
    return;
  }
  RegionLocation moved = *location;
  moved.server = {move->host, move->port};
  moved.sequence = move->sequence;
  moved.by_move = true;
  cache_.Insert(std::make_shared<const RegionLocation>(std::move(moved)));
}

void Locator::Disconnected(const LocationPtr& location) {
  cache_.Forget(location);
  // A host that is dead would cost the time of a connection for each of its regions.
  const ServerAddress& server = location->server;
  if (!connections_->HasAnswered(server.host, server.port, "ClientService")) cache_.ForgetServer(server);
  const MutexLock lock(mu_);
  if (meta_ != nullptr && meta_->server == location->server) meta_ = nullptr;
}

Result<ServerAddress> Locator::Master(const CallScope& scope) {
  {
    const MutexLock lock(mu_);
    if (master_) return *master_;
  }
  Result<ServerAddress> master = registry_->ActiveMaster(ForLookup(scope));
  if (!master.ok()) return master;
  const MutexLock lock(mu_);
  master_ = *master;
  return master;
}

void Locator::ForgetMaster() {
  const MutexLock lock(mu_);
  master_.reset();
}

Status RowLocations::Find(std::string_view row) {
  if (current_ == nullptr || !current_->Has(row)) {
    current_ = silent_.ok() ? nullptr : locator_->Known(table_, row);
    if (current_ == nullptr && silent_.ok()) {
      const Result<LocationPtr> found = locator_->Lookup(table_, row, scope_);
      if (found.ok()) {
        current_ = *found;
      } else if (found.status().code() == StatusCode::kUnavailable) {
        silent_ = found.status();
      } else {
        return found.status();
      }
    }
  }
  if (current_ == nullptr) return silent_;
  return current_->server.host.empty() ? NoServer(*current_) : Status();
}

}  // namespace fensi::hbase
