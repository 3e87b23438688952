// Tables of an HBase: create, describe, drop, and a memory of what they look like.
//
// Any thread; calls block on the gateway. Known() remembers, so that mutations are checked before they are sent; what
// it says may be old, and is forgotten with Forget() or when asked for freshly.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "store/hbase/connection_pool.h"
#include "store/store.h"

namespace fensi::store {

class TableAdmin {
 public:
  /// The pool must outlive it.
  explicit TableAdmin(ConnectionPool* pool) : pool_(pool) {}

  /// kNotFound when there is no such table. Asks HBase the first time and when `fresh`.
  Result<std::shared_ptr<const TableDescriptor>> Known(const std::string& table, bool fresh = false);
  void Forget(const std::string& table);

  Status Create(const TableDescriptor& table, const std::vector<std::string>& split_keys);
  Result<std::optional<TableDescriptor>> Describe(const std::string& table);
  Result<std::vector<std::string>> RegionStarts(const std::string& table);
  Status Drop(const std::string& table);

 private:
  ConnectionPool* const pool_;

  std::mutex mu_;  // guards the following
  std::map<std::string, std::shared_ptr<const TableDescriptor>> known_;
};

/// For tasks of the pool: the data call failed with `fault`; if that is because the table is gone, kNotFound says so.
/// HBase reports an absent table in a batch only as "Failed 3 actions".
Status ExplainFault(Connection& connection, const std::string& table, const Status& fault);

}  // namespace fensi::store
