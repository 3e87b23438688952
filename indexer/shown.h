// Whether a read of the source shows every change that the stream has sent (M8, H5).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "consumer/change_source.h"
#include "store/store.h"

namespace fensi::indexer {

/// The reads of the source for an ambiguous row: the first may come too early.
enum class Look { kFirst, kSecond };

/// Without read points, a change is visible at the source at the latest this long after we received it.
constexpr std::chrono::milliseconds kVisibilityDelay{2'000};
/// Age by the broker's clock after which a message's change is visible, however wrong the clocks are.
constexpr int64_t kVisibilityDelayMaxMillis = 60'000;

/// True if the change may not be visible yet.
inline bool MayNotBeVisibleYet(const consumer::Record& record, int64_t now_millis) {
  return record.broker_time == 0 || now_millis - record.broker_time < kVisibilityDelayMaxMillis;
}
inline bool MayNotBeVisibleYet(const consumer::Record& record, const Clock& clock) {
  return MayNotBeVisibleYet(record, clock.WallMillis());
}

using ReadPointPtr = std::shared_ptr<const store::ReadPoint>;

/// The highest sequence id of each source region that one owner has received within the last minute or two. HBase
/// numbers the changes of a region in the order in which they become visible, so a read whose read point is at least
/// that number shows all of them.
///
/// Not thread-safe. The clock is borrowed.
class ReceivedChanges {
 public:
  /// In a minute. More regions than any table has: beyond, all are forgotten, and nothing is proven for
  /// kVisibilityDelay.
  static constexpr size_t kMostRegions = 100'000;

  explicit ReceivedChanges(Clock* clock) : clock_(clock) { Forget(); }

  /// Call with each batch of the stream, before the source is read for it.
  void Note(const consumer::Batch& batch, std::string_view source_table);
  /// True if the last batch had a change that may not be visible yet: its reads need read points.
  bool any_young() const { return any_young_; }

  enum class Shown {
    kAll,      // every change that was received
    kNotYet,   // some are not visible at the source
    kUnknown,  // the numbers cannot be compared
  };
  /// `record`: the last one of the stream that concerns the row that was read. Its region must be the one that
  /// answered: numbers of another one say nothing.
  Shown Judge(const ReadPointPtr& point, const consumer::Record& record) const;

 private:
  void Forget();
  /// Forgets changes that are visible by now whatever their numbers.
  void Age();

  Clock* const clock_;
  using Numbers = absl::flat_hash_map<std::string, uint64_t>;  // by region
  Numbers highest_, former_;                                   // of this minute, and of the one before
  std::chrono::milliseconds begun_{0};                         // this minute
  /// An earlier owner may have received changes with higher numbers until shortly before.
  std::chrono::milliseconds proves_from_{0};
  bool any_young_ = false;
};

/// A change that no read shows for so long counts as visible, as without read points: its number may be from before the
/// numbers of its region began again.
constexpr std::chrono::milliseconds kLongestWait{60'000};

/// Reads that wait for a change to become visible are repeated after these pauses: 1, 2, 4 ... ms.
constexpr std::chrono::milliseconds kFirstPause{1}, kLastPause{32};

}  // namespace fensi::indexer
