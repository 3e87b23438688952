// How many dead letters of the indexes of a daemon are open: nobody has retried or discarded them. All that are there
// count, whichever process wrote them. Each index is counted again now and then, and soon after a new dead letter.
//
// Of may be called by any thread, Tick by one; neither blocks: what is read, is read on a thread that nobody waits for,
// which takes a twentieth of the time at most.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "daemon/log/log_entry.h"
#include "operations/dead_letters/letter_counts.h"
#include "operations/dead_letters/letter_reader.h"

namespace fensi::daemon {

/// By reason, in the words of `fensi_dead_letters_total`; "unknown" for any other.
using OpenLetters = std::map<std::string, int64_t>;

/// Counts by CountLetters. Blocks.
Result<OpenLetters> CountOpenLetters(operations::LetterReader* reader, const std::string& index);

class OpenLetterWatch {
 public:
  static constexpr std::chrono::seconds kPause{30};
  static constexpr std::chrono::seconds kAfterNewOnes{2};

  struct Wanted {
    std::function<std::shared_ptr<operations::LetterReader>()> open;
    int64_t written = 0;  // dead letters that this process has written
  };

  /// The clock outlives it.
  explicit OpenLetterWatch(Clock* clock) : clock_(clock) {}

  /// Call it often, with the indexes that run by their names. Not empty: what cannot be counted, and why.
  std::optional<LogEntry> Tick(const std::function<std::map<std::string, Wanted>()>& wanted);
  /// Absent: not counted yet, or it cannot be.
  std::optional<OpenLetters> Of(const std::string& index) const;

 private:
  struct Count {
    std::chrono::milliseconds began{0};
    std::chrono::milliseconds next{0};
    int64_t written = 0;
    std::optional<OpenLetters> open;
  };

  std::optional<LogEntry> Take(Result<OpenLetters> counted);
  void Start(const std::map<std::string, Wanted>& wanted);
  bool IsDue(const Count& count, const Wanted& wanted) const;

  Clock* const clock_;
  std::chrono::milliseconds next_look_{0};
  std::string counting_;
  std::optional<std::future<Result<OpenLetters>>> running_;
  mutable Mutex mu_;
  std::map<std::string, Count> counts_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::daemon
