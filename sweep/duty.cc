#include "sweep/duty.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fensi::sweep {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds kMinute{60};
constexpr size_t kMostPages = 256;
constexpr size_t kFewestPages = 10;  // before that nobody knows what is usual
constexpr int kSlow = 4;             // times the best tenth
constexpr milliseconds kNeverSlow{50};
constexpr milliseconds kRise{1000};
constexpr double kRiseBy = 0.1;

}  // namespace

milliseconds Duty::Took(milliseconds page) {
  const milliseconds now = clock_->SinceBoot();
  if (IsSlow(page)) {
    Halve();
  } else {
    Rise(now);
  }
  pages_.emplace_back(now, page);
  while (pages_.size() > kMostPages || now - pages_.front().first > kMinute) pages_.pop_front();
  return milliseconds(static_cast<int64_t>(static_cast<double>(page.count()) * (1 / share_ - 1)));
}

void Duty::Halve() {
  share_ = std::max(kLeast, share_ / 2);
  risen_ = clock_->SinceBoot();
}

bool Duty::IsSlow(milliseconds page) const {
  if (page < kNeverSlow || pages_.size() < kFewestPages) return false;
  std::vector<milliseconds> times;
  for (const auto& [when, took] : pages_) times.push_back(took);
  const auto tenth = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 10);
  std::nth_element(times.begin(), tenth, times.end());
  return page > kSlow * std::max(*tenth, milliseconds(1));
}

void Duty::Rise(milliseconds now) {
  const auto quiet = (now - risen_) / kRise;
  if (quiet == 0) return;
  share_ = std::min(1.0, share_ + kRiseBy * static_cast<double>(quiet));
  risen_ = now;
}

}  // namespace fensi::sweep
