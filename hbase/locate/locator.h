// Finds the server of a row, from the cache or from hbase:meta.
//
// Thread-safe. Locate blocks while it reads; only one caller at a time reads the regions of one table, and the other
// callers wait for its result, no longer than their own time.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "hbase/locate/location_cache.h"
#include "hbase/locate/meta_rows.h"
#include "hbase/locate/registry.h"
#include "hbase/wire/connections.h"

namespace fensi::hbase {

struct MetaPage;
struct MetaScan;

/// kUnavailable, and says that no server has it.
Status NoServer(const RegionLocation& region);

/// As ErrorWords of errors.h. If the region is elsewhere, the action follows from what hbase:meta says of the region.
RedactableText ErrorWords(const RemoteError& error, const RegionLocation& region);

class Locator {
 public:
  /// Both must outlive it.
  Locator(Registry* registry, Connections* connections, std::chrono::milliseconds lookup_timeout)
      : registry_(registry), connections_(connections), lookup_timeout_(lookup_timeout) {}

  /// Whose server has a host. kNotFound: the table does not exist. kUnavailable: hbase:meta does not answer, or no
  /// server has the region.
  Result<LocationPtr> Locate(const std::string& table, std::string_view row, const CallScope& scope);
  /// The same, but a region that no server has is a result: the host of its server is empty.
  Result<LocationPtr> Lookup(const std::string& table, std::string_view row, const CallScope& scope);
  /// From the cache alone; null: unknown.
  LocationPtr Known(const std::string& table, std::string_view row) const { return cache_.Find(table, row); }
  /// Every serving region, in order, on any server or none. kNotFound: the table does not exist.
  Result<std::vector<RegionLocation>> AllRegions(const std::string& table, const CallScope& scope);

  /// Updates a location from a server's exception.
  void Learn(const LocationPtr& location, const RemoteError& error);
  /// The connection to a server ended, or could not be made: its regions may be elsewhere by now.
  void Disconnected(const LocationPtr& location);
  void ForgetTable(const std::string& table) { cache_.ForgetTable(table); }

  /// With an end after the time of a lookup, if that of the scope is later.
  CallScope ForLookup(const CallScope& call) const;

  Result<ServerAddress> Master(const CallScope& scope);
  void ForgetMaster();

 private:
  class LookupTurn;

  Result<LocationPtr> Meta(const CallScope& scope);
  Result<LocationPtr> Ask(const std::string& table, std::string_view row, const CallScope& scope);
  /// kNotFound: the table does not exist. kUnavailable: it does.
  Status NoRegions(const std::string& table, const CallScope& scope);
  Status ScanMeta(const MetaScan& scan, const CallScope& scope, MetaPage* page);
  Status BeginLookup(const std::string& table, const CallScope& scope);
  void EndLookup(const std::string& table);
  void Follow(const LocationPtr& location, const RemoteError& error);

  Registry* const registry_;
  Connections* const connections_;
  const std::chrono::milliseconds lookup_timeout_;
  LocationCache cache_;
  Mutex mu_;
  Condition changed_;
  std::map<std::string, int> lookups_ ABSL_GUARDED_BY(mu_);  // tables; one caller of each
  LocationPtr meta_ ABSL_GUARDED_BY(mu_);                    // null: unknown
  // Not known to be wrong: for the time in which the registry does not answer.
  LocationPtr last_meta_ ABSL_GUARDED_BY(mu_);
  std::optional<ServerAddress> master_ ABSL_GUARDED_BY(mu_);
};

/// Finds the regions of many rows of one table, one row after the other. Not thread-safe.
///
/// If hbase:meta was silent once, RowLocations reads the cache alone, because each lookup would wait for hbase:meta
/// again.
class RowLocations {
 public:
  /// All must outlive it.
  RowLocations(Locator* locator, const std::string& table, const CallScope& scope)
      : locator_(locator), table_(table), scope_(scope) {}

  /// Makes the row's region the current one. Blocks as Locator::Lookup does. kUnavailable: hbase:meta is silent, or no
  /// server has the region. Other errors hold for the whole table.
  Status Find(std::string_view row);
  /// With a server, if the last Find was ok.
  const LocationPtr& current() const { return current_; }

 private:
  Locator* const locator_;
  const std::string& table_;
  const CallScope& scope_;
  LocationPtr current_;
  Status silent_;
};

}  // namespace fensi::hbase
