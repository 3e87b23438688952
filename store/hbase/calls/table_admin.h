// Creates, describes and drops tables of an HBase, and caches their descriptions.
//
// Any thread; calls block on the gateway. Known() is cached, so that mutations are checked before they are sent. The
// cache may be stale, until Forget() or a fresh query. An internal error of the gateway is kUnavailable here: arguments
// were checked, so it is the gateway's error.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "store/hbase/wire/connection.h"
#include "store/store.h"

namespace fensi::store {

class TableAdmin {
 public:
  explicit TableAdmin(std::shared_ptr<ConnectionPool> pool) : TableAdmin(std::move(pool), {}, {}) {}

  /// The same tables and cache; calls end with the error of `permission` (store.h).
  TableAdmin Guarded(std::function<Status()> permission) const { return {pool_, std::move(permission), memory_}; }

  /// kNotFound if the table does not exist. Queries HBase the first time and if `fresh`.
  Result<std::shared_ptr<const TableDescriptor>> Known(const std::string& table, bool fresh = false);
  void Forget(const std::string& table);

  Status Create(const TableDescriptor& table, const std::vector<std::string>& split_keys);
  Result<std::optional<TableDescriptor>> Describe(const std::string& table);
  Result<std::vector<std::string>> Names();
  Result<std::vector<std::string>> RegionStarts(const std::string& table);
  Result<std::vector<RegionBounds>> Regions(const std::string& table);
  Status Drop(const std::string& table);

 private:
  struct Memory {
    Mutex mu;
    std::map<std::string, std::shared_ptr<const TableDescriptor>> tables ABSL_GUARDED_BY(mu);
  };

  TableAdmin(std::shared_ptr<ConnectionPool> pool, std::function<Status()> permission, std::shared_ptr<Memory> memory)
      : pool_(std::move(pool)),
        permission_(std::move(permission)),
        memory_(memory != nullptr ? std::move(memory) : std::make_shared<Memory>()) {}

  const std::shared_ptr<ConnectionPool> pool_;
  const std::function<Status()> permission_;  // empty: granted
  const std::shared_ptr<Memory> memory_;
};

/// For tasks of the pool: explains the error of a data call on the connection. If the table is gone, returns kNotFound
/// (HBase reports an absent table in a batch only as "Failed 3 actions"); a server that did not answer is not queried.
/// What HBase calls final is kUnavailable: it passes when a person repairs the table. `fault` is a copy of the
/// connection's last outcome, which a query replaces; an error that speaks for itself needs no query.
Status ExplainFault(Connection& connection, const std::string& table, Outcome fault);

}  // namespace fensi::store
