// Administers tables of a cluster: creates, describes, lists and drops them, and checks whether they are enabled.
//
// Any thread; every method blocks until the master has finished, or until the time of a call is over without an answer.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hbase/calls/context.h"

namespace fensi::hbase {

/// A column family as HBase stores it: texts by HBase's names ("VERSIONS", "TTL", …).
struct FamilySchema {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::map<std::string, std::string> configuration;
};

struct TableSchemaSpec {
  std::string name;  // "table" or "namespace:table"
  std::vector<FamilySchema> families;
  std::map<std::string, std::string> attributes;  // of the table: "READONLY", "coprocessor$1", …
};

/// What the master says of its cluster.
struct ClusterFacts {
  std::string version;  // "2.6.1"
  std::string id;
  struct RegionServer {
    ServerAddress address;
    int64_t reported_ms = 0;  // when it last reported to the master, by its own clock; 0: unknown
  };
  std::vector<RegionServer> region_servers;
};

/// What the region servers said last of a region. HBase rounds down to megabytes.
struct RegionLoad {
  std::string start;         // first row of the region
  int64_t file_bytes = 0;    // of all stores' files, without compression
  int64_t memory_bytes = 0;  // not flushed yet
  int64_t rounding = 0;      // the true size may be larger by this much
};

class Admin {
 public:
  /// Everything that the context points to must outlive it.
  explicit Admin(const CallContext& context) : context_(context) {}

  /// kAlreadyExists. Creates the namespace, too, if it is missing.
  Status Create(const TableSchemaSpec& table, const std::vector<std::string>& split_keys);
  /// Absent: the table does not exist.
  Result<std::optional<TableSchemaSpec>> Describe(const std::string& table);
  /// All tables except HBase's own, sorted.
  Result<std::vector<std::string>> TableNames();
  /// kNotFound. Disables it first.
  Status Drop(const std::string& table);
  Result<ClusterFacts> Facts();
  /// The regions of one table, by their starts. Empty: the table does not exist, or no server has reported yet.
  Result<std::vector<RegionLoad>> RegionLoads(const std::string& table);
  /// ok: it is enabled. kUnavailable: it is not. kNotFound.
  Status CheckEnabled(const std::string& table) { return hbase::CheckEnabled(context_, table); }

 private:
  Status CreateNamespace(const std::string& name);

  const CallContext context_;
};

}  // namespace fensi::hbase
