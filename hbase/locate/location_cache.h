// Caches the locations of regions.
//
// Thread-safe, never blocks for long. No two entries of a table overlap. An entry is removed only if it is still the
// one that proved wrong: newer entries stay.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "hbase/locate/region.h"

namespace fensi::hbase {

class LocationCache {
 public:
  /// Null: unknown.
  LocationPtr Find(const std::string& table, std::string_view row) const;
  /// Replaces every entry that it overlaps. An older opening of the same region changes nothing; returns the current
  /// entry.
  LocationPtr Insert(LocationPtr location);
  void Forget(const LocationPtr& location);
  void ForgetServer(const ServerAddress& server);
  void ForgetTable(const std::string& table);
  size_t size() const;

 private:
  using Regions = std::map<std::string, LocationPtr, std::less<>>;  // by start key

  mutable Mutex mu_;
  std::map<std::string, Regions> tables_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::hbase
