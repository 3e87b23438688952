#include "hbase/locate/location_cache.h"

#include <iterator>
#include <utility>

namespace fensi::hbase {
namespace {

bool Overlap(const RegionLocation& a, const RegionLocation& b) {
  return (a.end.empty() || b.start < a.end) && (b.end.empty() || a.start < b.end);
}

}  // namespace

LocationPtr LocationCache::Find(const std::string& table, std::string_view row) const {
  const MutexLock lock(mu_);
  const auto regions = tables_.find(table);
  if (regions == tables_.end()) return nullptr;
  const auto above = regions->second.upper_bound(row);
  if (above == regions->second.begin()) return nullptr;
  const LocationPtr& found = std::prev(above)->second;
  return found->Has(row) ? found : nullptr;
}

LocationPtr LocationCache::Insert(LocationPtr location) {
  const MutexLock lock(mu_);
  Regions& regions = tables_[location->table];
  auto at = regions.upper_bound(location->start);
  if (at != regions.begin()) --at;
  const auto same = regions.find(location->start);
  if (same != regions.end() && same->second->name == location->name && same->second->sequence > location->sequence) {
    return same->second;
  }
  while (at != regions.end() && (location->end.empty() || at->first < location->end)) {
    at = Overlap(*at->second, *location) ? regions.erase(at) : std::next(at);
  }
  return regions[location->start] = std::move(location);
}

void LocationCache::Forget(const LocationPtr& location) {
  const MutexLock lock(mu_);
  const auto regions = tables_.find(location->table);
  if (regions == tables_.end()) return;
  const auto found = regions->second.find(location->start);
  if (found != regions->second.end() && found->second == location) regions->second.erase(found);
}

void LocationCache::ForgetServer(const ServerAddress& server) {
  const MutexLock lock(mu_);
  for (auto& [table, regions] : tables_) {
    std::erase_if(regions, [&](const auto& entry) { return entry.second->server == server; });
  }
}

void LocationCache::ForgetTable(const std::string& table) {
  const MutexLock lock(mu_);
  tables_.erase(table);
}

size_t LocationCache::size() const {
  const MutexLock lock(mu_);
  size_t size = 0;
  for (const auto& [table, regions] : tables_) size += regions.size();
  return size;
}

}  // namespace fensi::hbase
