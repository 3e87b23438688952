// Whether a read of the source shows every change that the stream has sent, and when a read that does not is repeated
// (M8, H5).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "consumer/change_source.h"
#include "store/store.h"

namespace fensi::indexer {

/// The reads of the source for an ambiguous row: the first may come too early.
enum class Look { kFirst, kSecond };

/// Without read points, a change is visible at the source at the latest this long after we received it.
constexpr std::chrono::milliseconds kVisibilityDelay{2'000};

using ReadPointPtr = std::shared_ptr<const ReadPoint>;

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

/// When the reads of a batch that came too early are repeated: at once, for some milliseconds, then in rounds of
/// kVisibilityDelay, for kLongestWait in all. Lives as long as its owner, one batch after the other.
///
/// Not thread-safe; only AwaitShown blocks. The clock is borrowed.
class RereadSchedule {
 public:
  /// The log that a batch comes from.
  enum class Log { kStream, kRequests };
  using Shown = ReceivedChanges::Shown;

  explicit RereadSchedule(Clock* clock);

  /// Starts a batch. Call before the source is read for it.
  void Begin(const consumer::Batch& batch, Log log, std::string_view source_table);
  Log log() const { return log_; }
  /// True if the reads of this batch ask for read points.
  bool asks_for_points() const { return log_ == Log::kStream && changes_.any_young(); }
  /// True if the stream has sent changes, to this owner or to the one before, that may not be visible yet (H5).
  bool stream_is_young() const { return received_ < all_shown_; }

  /// Whether the read shows what the stream has sent. Reads for requests have no point, and prove nothing.
  Shown Judge(const ReadPointPtr& point, const consumer::Record& record) const { return changes_.Judge(point, record); }
  /// True if the read of this round came too early, and its row must be read in the next one.
  bool NeedsNextRound(const ReadPointPtr& point, const consumer::Record& record) const;
  /// Repeats reads that came too early, after 1, 2, 4 … 32 ms, until this was in vain once in the batch. `late` gives
  /// the places of those that are kNotYet, and `read_again` reads them.
  Status AwaitShown(const std::function<std::vector<size_t>()>& late,
                    const std::function<Status(const std::vector<size_t>&)>& read_again);

  /// When the next round of reads is due (Clock::MonotonicNow).
  std::chrono::milliseconds due() const { return due_; }
  /// The round has ended, and another one follows.
  void EndRound() { due_ = clock_->MonotonicNow() + kVisibilityDelay; }

 private:
  Clock* const clock_;
  ReceivedChanges changes_;
  Log log_ = Log::kStream;
  std::chrono::milliseconds received_{0};
  std::chrono::milliseconds due_{0};
  std::chrono::milliseconds all_shown_;  // when everything that the stream has sent is visible
  bool patient_ = true;                  // no read of this batch has waited in vain
};

}  // namespace fensi::indexer
