// Counts durations in fixed buckets, for events that are too frequent to be stored one by one.
//
// Thread-safe, never blocks, 136 bytes; a concurrent snapshot may miss the latest observations.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fensi {

class Histogram {
 public:
  /// Upper bounds in seconds, ascending; at most kMostBounds. They must outlive the histogram.
  static constexpr size_t kMostBounds = 13;
  /// Duration of one request to a server, or of one step of a batch.
  static constexpr std::array<double, 13> kOfCalls = {.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10};
  /// Age of an event.
  static constexpr std::array<double, 13> kOfDelays = {.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60, 600};

  explicit Histogram(std::span<const double> bounds) : bounds_(bounds) {}

  /// Below 0 counts as 0: clocks of two machines differ.
  void Observe(double seconds, int64_t times = 1) {
    if (!(seconds > 0)) seconds = 0;
    size_t bucket = 0;
    while (bucket < bounds_.size() && seconds > bounds_[bucket]) ++bucket;
    counts_[bucket].fetch_add(times, std::memory_order_relaxed);
    nanoseconds_.fetch_add(static_cast<int64_t>(seconds * 1e9) * times, std::memory_order_relaxed);
  }

  struct Snapshot {
    std::span<const double> bounds;
    std::vector<int64_t> cumulative;  // per bound: observations up to it
    int64_t count = 0;
    double sum = 0;
  };
  Snapshot snapshot() const {
    Snapshot all{bounds_, {}, 0, static_cast<double>(nanoseconds_.load(std::memory_order_relaxed)) / 1e9};
    for (size_t i = 0; i <= bounds_.size(); ++i) {
      all.count += counts_[i].load(std::memory_order_relaxed);
      if (i < bounds_.size()) all.cumulative.push_back(all.count);
    }
    return all;
  }

 private:
  const std::span<const double> bounds_;
  std::array<std::atomic<int64_t>, kMostBounds + 1> counts_{};
  std::atomic<int64_t> nanoseconds_{0};
};

}  // namespace fensi
