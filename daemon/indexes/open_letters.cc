#include "daemon/indexes/open_letters.h"

#include <algorithm>
#include <utility>

#include "base/unattended.h"

namespace fensi::daemon {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLookPause{500};
constexpr int kShareOfTime = 20;

}  // namespace

Result<OpenLetters> CountOpenLetters(operations::LetterReader* reader, const std::string& index) {
  FENSI_ASSIGN_OR_RETURN(const operations::LettersByReason counts, operations::CountLetters(reader, index));
  OpenLetters open;
  for (const auto& [reason, of_reason] : counts) {
    const int64_t number = of_reason[static_cast<size_t>(operations::LetterState::kOpen)];
    if (number > 0) open[reason] = number;
  }
  return open;
}

std::optional<OpenLetters> OpenLetterWatch::Of(const std::string& index) const {
  const MutexLock lock(mu_);
  const auto found = counts_.find(index);
  return found == counts_.end() ? std::nullopt : found->second.open;
}

std::optional<LogEntry> OpenLetterWatch::Tick(const std::function<std::map<std::string, Wanted>()>& wanted) {
  if (clock_->MonotonicNow() < next_look_) return std::nullopt;
  next_look_ = clock_->MonotonicNow() + kLookPause;
  std::optional<LogEntry> trouble;
  if (running_) {
    if (running_->wait_for(milliseconds(0)) != std::future_status::ready) return std::nullopt;
    trouble = Take(running_->get());
    running_.reset();
  }
  Start(wanted());
  return trouble;
}

std::optional<LogEntry> OpenLetterWatch::Take(Result<OpenLetters> counted) {
  const milliseconds now = clock_->MonotonicNow();
  const MutexLock lock(mu_);
  Count& count = counts_[counting_];
  count.next = std::max(count.began + kPause, now + kShareOfTime * (now - count.began));
  if (counted.ok()) {
    count.open = std::move(*counted);
    return std::nullopt;
  }
  count.open.reset();
  if (counted.status().code() == StatusCode::kUnavailable) return std::nullopt;  // its server's outage is told
  return LogEntry{"dead_letters_uncounted",
                  "index " + counting_ +
                      ": the daemon cannot count the open dead letters, and tries again by itself: " +
                      counted.status().words().open(),
                  {.index = counting_, .code = std::string(StatusCodeName(counted.status().code()))}};
}

bool OpenLetterWatch::IsDue(const Count& count, const Wanted& wanted) const {
  const milliseconds now = clock_->MonotonicNow();
  return now >= count.next || (wanted.written != count.written && now >= count.began + kAfterNewOnes);
}

/// One at a time, the one that waits longest.
void OpenLetterWatch::Start(const std::map<std::string, Wanted>& wanted) {
  const MutexLock lock(mu_);
  std::erase_if(counts_, [&](const auto& each) { return !wanted.contains(each.first); });
  const std::string* longest = nullptr;
  for (const auto& [index, of_index] : wanted) {
    if (!IsDue(counts_[index], of_index)) continue;
    if (longest == nullptr || counts_[index].began < counts_[*longest].began) longest = &index;
  }
  if (longest == nullptr) return;
  counting_ = *longest;
  const Wanted& due = wanted.at(counting_);
  counts_[counting_].began = clock_->MonotonicNow();
  counts_[counting_].written = due.written;
  running_ = RunDetached([reader = due.open(), index = counting_] { return CountOpenLetters(reader.get(), index); });
}

}  // namespace fensi::daemon
