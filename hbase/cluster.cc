#include "hbase/cluster.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/hbase_limits.h"
#include "hbase/calls/reads.h"
#include "hbase/calls/scan_page.h"
#include "hbase/calls/writes.h"

namespace fensi::hbase {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

std::string ProcessUser() {
  const passwd* entry = getpwuid(geteuid());
  return entry == nullptr ? "fensi" : entry->pw_name;
}

Status CheckOptions(const ClusterOptions& options) {
  if (options.registry.servers.empty()) return InvalidArgument("a cluster of HBase needs the address of a server");
  if (options.connect_timeout.count() < 1 || options.call_timeout.count() < 1 || options.lookup_timeout.count() < 1) {
    return InvalidArgument("the timeouts of a cluster must be at least 1 ms");
  }
  if (options.calls_in_flight < 1) return InvalidArgument("a server must have at least 1 call in flight");
  return {};
}

std::function<Handshake(const std::string& service)> HandshakesOf(const SecurityOptions& security) {
  const bool is_plain = !security.kerberos && security.tls == nullptr;
  if (is_plain) return nullptr;
  return MakeHandshakes(security);
}

/// The row has so many cells that more were left out.
bool IsCut(const RowCells& row, uint32_t most_of_family) {
  size_t of_family = 0;
  for (size_t i = 0; i < row.cells.size(); ++i) {
    of_family = i > 0 && row.cells[i].family == row.cells[i - 1].family ? of_family + 1 : 1;
    if (most_of_family > 0 && of_family >= most_of_family) return true;
  }
  return false;
}

}  // namespace

struct Cluster::Parts {
  ClusterOptions options;
  steady_clock::time_point opened = steady_clock::now();
  std::unique_ptr<Connections> connections;
  std::unique_ptr<Registry> registry;
  std::unique_ptr<Locator> locator;
  std::atomic<int> late = 0;  // operations that began after first_answer

  /// After first_answer has passed, each operation has more time than the one before: a caller that repeats them
  /// reaches a server that is only slow.
  milliseconds LeftForFirstAnswer() {
    constexpr milliseconds kFirstLate(250);
    constexpr int kMostDoublings = 20;
    const auto left = std::chrono::ceil<milliseconds>(opened + *options.first_answer - steady_clock::now());
    if (left > std::min(kFirstLate, *options.first_answer / 2)) return left;
    return kFirstLate * (1 << std::min(late++, kMostDoublings));
  }
};

Cluster::Cluster(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Cluster::~Cluster() = default;

Result<std::shared_ptr<Cluster>> Cluster::Open(const ClusterOptions& options) {
  FENSI_RETURN_IF_ERROR(CheckOptions(options));
  auto parts = std::make_unique<Parts>();
  parts->options = options;
  const Connections::Options connections{.user = options.user.empty() ? ProcessUser() : options.user,
                                         .connect_timeout = options.connect_timeout,
                                         .most_in_flight = options.calls_in_flight,
                                         .most_answer_bytes = options.most_answer_bytes,
                                         .handshake = HandshakesOf(options.security)};
  Result<std::unique_ptr<Connections>> started = Connections::Start(connections);
  if (!started.ok()) return started.status();
  parts->connections = std::move(*started);
  const RegistryAddress& registry = options.registry;
  parts->registry = registry.znode.empty() ? MakeRpcRegistry(registry.servers, parts->connections.get())
                                           : MakeZooKeeperRegistry(registry.servers, registry.znode);
  parts->locator = std::make_unique<Locator>(parts->registry.get(), parts->connections.get(), options.lookup_timeout);
  return std::shared_ptr<Cluster>(new Cluster(std::move(parts)));
}

CallContext Cluster::ContextFor(const Permission& permission) const {
  const ClusterOptions& options = parts_->options;
  CallContext context{
      parts_->connections.get(), parts_->locator.get(), {options.call_timeout, &permission}, options.retry_for};
  if (options.first_answer && !parts_->connections->AnyAnswered()) {
    context.scope.call_timeout = std::min(parts_->LeftForFirstAnswer(), context.scope.call_timeout);
    // The retries and lookups of the operation share this time.
    context.scope.until = steady_clock::now() + context.scope.call_timeout;
    context.retry_for = std::min(context.retry_for, context.scope.call_timeout);
  }
  return context;
}

Result<std::vector<Refusal>> Cluster::Write(const std::string& table, std::span<const Mutation> mutations,
                                            const Permission& permission) {
  return WriteBatch(ContextFor(permission), table, mutations);
}

Result<bool> Cluster::WriteIf(const std::string& table, const Mutation& put, const Condition& condition,
                              const Permission& permission, std::optional<RemoteError>* refused) {
  const Result<ConditionalOutcome> outcome = hbase::WriteIf(ContextFor(permission), table, put, condition);
  if (!outcome.ok()) return outcome.status();
  *refused = outcome->refused;
  return outcome->done;
}

/// A row that a get does not bring whole is read by a scan, in pieces.
Result<std::vector<RowCells>> Cluster::Get(const std::string& table, std::span<const GetSpec> gets,
                                           const Permission& permission) {
  const CallContext context = ContextFor(permission);
  Result<GotRows> got = ReadBatch(context, table, gets);
  if (!got.ok()) return got.status();
  std::vector<size_t> by_scan = std::move(got->too_big);
  for (size_t i = 0; i < gets.size(); ++i) {
    if (IsCut(got->rows[i], gets[i].most_of_family)) by_scan.push_back(i);
  }
  for (const size_t i : by_scan) {
    ScanSpec scan{.start = gets[i].row, .stop = RowAfter(gets[i].row), .columns = gets[i].columns};
    scan.max_versions = gets[i].max_versions;
    scan.raw = gets[i].raw;
    scan.max_rows = 1;
    Result<ScanPage> page = ReadPage(context, table, scan);
    if (!page.ok()) return page.status();
    const bool is_there = !page->rows.empty() && page->rows.front().row == gets[i].row;
    if (!is_there) page->cells.clear();
    got->rows[i].cells = std::move(page->cells);
    auto frames = std::make_shared<std::vector<FrameBytes>>(std::move(page->frames));
    got->rows[i].frame.owner = std::shared_ptr<const char[]>(frames, nullptr);
  }
  return std::move(got->rows);
}

Result<ScanPage> Cluster::Scan(const std::string& table, const ScanSpec& spec, const Permission& permission) {
  return ReadPage(ContextFor(permission), table, spec);
}

Result<std::vector<ReadPoint>> Cluster::ReadPoints(const std::string& table, std::span<const GetSpec* const> gets,
                                                   const Permission& permission) {
  return hbase::ReadPoints(ContextFor(permission), table, gets);
}

Admin Cluster::admin(const Permission& permission) { return Admin(ContextFor(permission)); }

Result<std::vector<RegionLocation>> Cluster::Regions(const std::string& table, const Permission& permission) {
  return parts_->locator->AllRegions(table, ContextFor(permission).scope);
}

Result<std::string> Cluster::ClusterId(const Permission& permission) {
  return parts_->registry->ClusterId(ContextFor(permission).scope);
}

Status Cluster::CheckEnabled(const std::string& table, const Permission& permission) {
  return hbase::CheckEnabled(ContextFor(permission), table);
}

void Cluster::ForgetTable(const std::string& table) { parts_->locator->ForgetTable(table); }

std::map<std::string, ServerCounts> Cluster::Counts() const { return parts_->connections->Counts(); }

std::string Cluster::Name() const {
  return parts_->registry->Name() +
         (parts_->options.registry.znode.empty() ? "" : ", znode " + parts_->options.registry.znode);
}

}  // namespace fensi::hbase
