// Counters of a capture.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/histogram.h"
#include "base/mutex.h"
#include "capture/notices.h"

namespace fensi::capture {

/// Counters of one table.
struct TableCounts {
  int64_t events = 0;
  int64_t cells = 0;
  int64_t bulk_loads = 0;         // into regions
  int64_t newest_write_time = 0;  // of HBase's log, milliseconds since the epoch
};

/// A snapshot for people. Everything but `failed_calls` and alarms counts what Kafka has acknowledged.
struct Counts {
  int64_t calls = 0;
  int64_t failed_calls = 0;  // answered with an exception; their entries are sent again
  int64_t entries = 0;
  int64_t again = 0;  // entries that had been acknowledged before
  int64_t events = 0;
  int64_t cells = 0;
  int64_t of_other_tables = 0;    // entries that were acknowledged without being written
  NoticeCounts alarms_of{};       // only alarms are counted
  int64_t newest_write_time = 0;  // of HBase's log, milliseconds since the epoch
  std::map<std::string, TableCounts, std::less<>> tables = {};

  int64_t alarms() const { return std::accumulate(alarms_of.begin(), alarms_of.end(), int64_t{0}); }
};

/// Times of calls that Kafka has acknowledged. Thread-safe.
struct Timings {
  template <typename Topics>
  explicit Timings(const Topics& topics) {
    for (const auto& [table, topic] : topics) delays.try_emplace(table, Histogram::kOfDelays);
  }

  Histogram calls{Histogram::kOfCalls};  // from the received frame to the answer
  /// By table: from HBase's write time of its newest entry in a call.
  std::map<std::string, Histogram, std::less<>> delays;
};

/// Newest sequence id by region. Names are hashed: they come from outside, and are not needed.
using NewestByRegion = std::unordered_map<size_t, uint64_t>;

/// Remembers the newest sequence id of each region that is durable. Thread-safe.
class RegionMarks {
 public:
  /// Regions that were split or merged stay. Repetitions of regions beyond this number are not counted.
  static constexpr size_t kMaxRegions = 65'536;

  /// True if an entry of that region with this or a higher sequence id is durable already.
  bool Knows(std::string_view region, uint64_t sequence_id) const {
    const MutexLock lock(mu_);
    const auto mark = marks_.find(Hash(region));
    return mark != marks_.end() && mark->second >= sequence_id;
  }
  /// Records an entry in flight; at most kMaxRegions for all calls together.
  void Note(std::string_view region, uint64_t sequence_id, NewestByRegion* on_the_way) {
    auto newest = on_the_way->find(Hash(region));
    if (newest == on_the_way->end()) {
      const MutexLock lock(mu_);
      if (on_the_way_ >= kMaxRegions) return;
      newest = on_the_way->emplace(Hash(region), 0).first;
      ++on_the_way_;
    }
    newest->second = std::max(newest->second, sequence_id);
  }
  /// Call once for the records of a call: it is durable, or failed.
  void Settle(const NewestByRegion& noted, bool durable) {
    const MutexLock lock(mu_);
    on_the_way_ -= noted.size();
    if (!durable) return;
    for (const auto& [region, sequence_id] : noted) {
      if (marks_.size() >= kMaxRegions && !marks_.contains(region)) continue;
      uint64_t& mark = marks_[region];
      mark = std::max(mark, sequence_id);
    }
  }

 private:
  static size_t Hash(std::string_view region) { return std::hash<std::string_view>()(region); }

  mutable Mutex mu_;
  NewestByRegion marks_ ABSL_GUARDED_BY(mu_);
  size_t on_the_way_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace fensi::capture
