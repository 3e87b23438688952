// Tables of an HBase: create, describe, drop, and a memory of what they look like.
//
// Any thread; calls block on the gateway. Known() remembers, so that mutations are checked before they are sent; what
// it says may be old, and is forgotten with Forget() or when asked for freshly. An internal error of the gateway is
// kUnavailable here: arguments were checked, so that it is the gateway's trouble.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "store/hbase/connection_pool.h"
#include "store/store.h"

namespace fensi::store {

class TableAdmin {
 public:
  explicit TableAdmin(std::shared_ptr<ConnectionPool> pool) : TableAdmin(std::move(pool), {}, {}) {}

  /// The same tables and memory; calls end with the error of `permission` (store.h).
  TableAdmin Guarded(std::function<Status()> permission) const { return {pool_, std::move(permission), memory_}; }

  /// kNotFound when there is no such table. Asks HBase the first time and when `fresh`.
  Result<std::shared_ptr<const TableDescriptor>> Known(const std::string& table, bool fresh = false);
  void Forget(const std::string& table);

  Status Create(const TableDescriptor& table, const std::vector<std::string>& split_keys);
  Result<std::optional<TableDescriptor>> Describe(const std::string& table);
  Result<std::vector<std::string>> Names();
  Result<std::vector<std::string>> RegionStarts(const std::string& table);
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

/// For tasks of the pool: what the fault of a data call on the connection means. If the table is gone, kNotFound says
/// so (HBase reports an absent table in a batch only as "Failed 3 actions"); a server that told nothing is not asked
/// for it. What HBase calls final is kUnavailable: it passes when somebody makes the table well again. `fault` is a
/// copy of the connection's last, which asking replaces; nothing is asked when the fault speaks for itself.
Status ExplainFault(Connection& connection, const std::string& table, Outcome fault);

}  // namespace fensi::store
