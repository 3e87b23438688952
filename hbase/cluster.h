// A client of one HBase cluster: the public face of this module.
//
//   auto cluster = hbase::Cluster::Open({.registry = {.servers = {{"zk1", 2181}}, .znode = "/hbase"}});
//   auto refused = (*cluster)->Write("table", mutations, {});
//   auto rows = (*cluster)->Get("table", gets, {});
//
// Any thread. Opening does not connect. Every method blocks until HBase answered, or until the time of a call is over.
// A read or an unconditional write is then sent a second time, and waits as long again. Follows moves, splits and
// restarts of regions for `retry_for`; then returns the error (kUnavailable). See hbase/requests.h for requests and
// answers, hbase/errors.h for the meaning of a server's exception.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "hbase/admin.h"
#include "hbase/calls/context.h"
#include "hbase/requests.h"
#include "hbase/security/handshakes.h"
#include "hbase/wire/server_stats.h"

namespace fensi::hbase {

struct RegistryAddress {
  std::vector<ServerAddress> servers;
  std::string znode;  // "/hbase": the servers are a ZooKeeper; empty: they are masters, or region servers
};

struct ClusterOptions {
  RegistryAddress registry;
  std::string user;  // empty: the user of the process; with Kerberos, the ticket says who we are
  SecurityOptions security;
  std::chrono::milliseconds connect_timeout{5'000};
  std::chrono::milliseconds call_timeout{60'000};
  /// Of each lookup of a server in the registry or in hbase:meta, if the time of the call is longer: whoever waits for
  /// an HBase that is away learns it after this time.
  std::chrono::milliseconds lookup_timeout{10'000};
  std::chrono::milliseconds retry_for{3'000};
  /// Until a server has answered once, calls end this long after the opening. Calls that begin later have little time,
  /// and each more than the one before.
  std::optional<std::chrono::milliseconds> first_answer;
  size_t calls_in_flight = 32;  // to each server; HBase has 30 handlers by default
  /// A larger answer is dropped as it comes, and its rows are read in pieces.
  size_t most_answer_bytes = 256 << 20;
};

/// Called right before each call is sent, on any thread, and ten times a second while an answer is pending; its error
/// ends the wait. Cheap, and it may not call the cluster. Empty: granted.
using Permission = std::function<Status()>;

class Cluster {
 public:
  /// kInvalidArgument for options out of range.
  static Result<std::shared_ptr<Cluster>> Open(const ClusterOptions& options);
  ~Cluster();

  /// Returns mutations that HBase refuses; all others were applied, those of one row in order. An error: any subset may
  /// have been applied, and the batch may be written again unchanged.
  Result<std::vector<Refusal>> Write(const std::string& table, std::span<const Mutation> mutations,
                                     const Permission& permission);
  /// kUnavailable: it may have been done. It is never repeated blindly: "not done" is proof.
  Result<bool> WriteIf(const std::string& table, const Mutation& put, const Condition& condition,
                       const Permission& permission, std::optional<RemoteError>* refused);
  /// Row i belongs to get i.
  Result<std::vector<RowCells>> Get(const std::string& table, std::span<const GetSpec> gets,
                                    const Permission& permission);
  Result<ScanPage> Scan(const std::string& table, const ScanSpec& spec, const Permission& permission);
  /// Read point i is that of the region of get i. A get of its row that begins afterwards has every change of that
  /// region with a sequence id up to the read point, also if the region moved, was split or merged, or lost its server
  /// in between.
  Result<std::vector<ReadPoint>> ReadPoints(const std::string& table, std::span<const GetSpec* const> gets,
                                            const Permission& permission);

  Admin admin(const Permission& permission);
  /// All regions of the table in order.
  Result<std::vector<RegionLocation>> Regions(const std::string& table, const Permission& permission);
  Result<std::string> ClusterId(const Permission& permission);
  /// ok: enabled. kUnavailable: not. kNotFound.
  Status CheckEnabled(const std::string& table, const Permission& permission);
  void ForgetTable(const std::string& table);

  /// By "HOST:PORT".
  std::map<std::string, ServerCounts> Counts() const;
  /// "ZooKeeper at HOST:PORT, znode /hbase"
  std::string Name() const;

 private:
  struct Parts;
  explicit Cluster(std::unique_ptr<Parts> parts);
  CallContext ContextFor(const Permission& permission) const;

  const std::unique_ptr<Parts> parts_;
};

}  // namespace fensi::hbase
