// What a capture has done so far.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace fensi::capture {

/// A snapshot for people. Everything but `failed_calls` and `alarms` counts what Kafka has acknowledged.
struct Counts {
  int64_t calls = 0;
  int64_t failed_calls = 0;  // answered with an exception; their entries come again
  int64_t entries = 0;
  int64_t again = 0;  // entries that had been acknowledged before
  int64_t events = 0;
  int64_t cells = 0;
  int64_t of_other_tables = 0;  // entries that were acknowledged without being written
  int64_t alarms = 0;
  int64_t newest_write_time = 0;  // of HBase's log, milliseconds since the epoch
};

/// Remembers the newest sequence id of each region that is durable. Thread-safe.
class RegionMarks {
 public:
  /// Regions that were split or merged away stay. Of those beyond this number it is not counted what comes again.
  static constexpr size_t kMaxRegions = 65'536;

  /// True when an entry of that region with this or a higher sequence id is durable already.
  bool Knows(std::string_view region, uint64_t sequence_id) const {
    const std::lock_guard lock(mu_);
    const auto mark = marks_.find(region);
    return mark != marks_.end() && mark->second >= sequence_id;
  }
  void Raise(const std::map<std::string, uint64_t, std::less<>>& newest) {
    const std::lock_guard lock(mu_);
    for (const auto& [region, sequence_id] : newest) {
      if (marks_.size() >= kMaxRegions && !marks_.contains(region)) continue;
      uint64_t& mark = marks_[region];
      if (mark < sequence_id) mark = sequence_id;
    }
  }

 private:
  mutable std::mutex mu_;
  std::map<std::string, uint64_t, std::less<>> marks_;  // guarded by mu_
};

}  // namespace fensi::capture
