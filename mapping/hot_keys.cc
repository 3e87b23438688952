#include "mapping/hot_keys.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

namespace fensi::mapping {
namespace {

constexpr double kWarnedByChance = 1.0 / 250;  // of healthy tables
constexpr double kSide = 0.025;                // of 95 %
constexpr double kTooMuch = 0.01;
constexpr double kMostEven = 0.02;  // the even share of 50 keys
constexpr double kNothing = 1e-18;
constexpr int kHalvings = 50;
/// Entries under one key: one is all of a table of one row, and two may be chance.
constexpr size_t kFewest = 3;

double LogWays(double draws, double hits) {
  return std::lgamma(draws + 1) - std::lgamma(hits + 1) - std::lgamma(draws - hits + 1);
}

/// The probability of `hits` and of those after it in one direction, until they vanish.
double SumOfTail(double hits, double draws, double share, double step) {
  double tail = 0;
  for (double count = hits; count >= 0 && count <= draws; count += step) {
    const double one = std::exp(LogWays(draws, count) + count * std::log(share) + (draws - count) * std::log1p(-share));
    tail += one;
    const bool beyond = step > 0 ? count > draws * share : count < draws * share;
    if (beyond && one < kNothing) break;
  }
  return std::min(tail, 1.0);
}

double LowerTail(double hits, double draws, double share) {
  if (share <= 0) return 1;
  if (share >= 1) return hits >= draws ? 1 : 0;
  return SumOfTail(hits, draws, share, -1);
}

/// The border of a condition that holds from `no` on nowhere and at `yes`.
double Border(double no, double yes, const std::function<bool(double)>& holds) {
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (no + yes) / 2;
    (holds(middle) ? yes : no) = middle;
  }
  return yes;
}

// Both bounds give a key of share p at most kSide times p of the errors. The shares of all keys sum to one, so kSide
// bounds the errors of all keys together, however many there are. Tail / share rises with the share for two hits and
// more, and falls for the lower tail, so that the border is unique.

double AtLeast(double hits, double draws) {
  if (hits < 2) return 0;
  const auto unlikely = [&](double share) { return UpperTail(hits, draws, share) <= kSide * share; };
  return Border(hits / draws, 0, [&](double share) { return share <= 0 || unlikely(share); });
}

double AtMost(double hits, double draws) {
  if (hits >= draws) return 1;
  return Border(hits / draws, 1, [&](double share) { return LowerTail(hits, draws, share) <= kSide * share; });
}

}  // namespace

double UpperTail(double hits, double draws, double share) {
  if (hits <= 0 || share >= 1) return 1;
  return share <= 0 ? 0 : SumOfTail(hits, draws, share, 1);
}

void KeyTally::Add(std::string_view key, size_t group) {
  auto at = keys_.find(key);
  if (at == keys_.end()) at = keys_.emplace(std::string(key), Count()).first;
  Count& count = at->second;
  if (count.group != group) count.in_group = 0;
  count.group = group;
  count.squares += 2.0 * static_cast<double>(count.in_group++) + 1;
  ++count.entries;
  ++entries_;
}

KeyTally::Draws KeyTally::DrawsOf(const Count& count) const {
  const double group = count.squares / static_cast<double>(count.entries);
  const double hits = std::floor(static_cast<double>(count.entries) / group + 1e-9);
  return {hits, std::max(hits, std::round(static_cast<double>(entries_) / group))};
}

KeyShare KeyTally::ShareOf(const std::string& key, const Count& count) const {
  const Draws draws = DrawsOf(count);
  const double share = static_cast<double>(count.entries) / static_cast<double>(entries_);
  return {key, count.entries, share, std::min(share, AtLeast(draws.hits, draws.all)),
          std::max(share, AtMost(draws.hits, draws.all))};
}

std::vector<const KeyTally::Keys::value_type*> KeyTally::Ordered() const {
  std::vector<const Keys::value_type*> order;
  order.reserve(keys_.size());
  for (const auto& one : keys_) order.push_back(&one);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->second.entries > b->second.entries; });
  return order;
}

std::vector<KeyShare> KeyTally::Largest(size_t most) const {
  std::vector<KeyShare> shares;
  for (const auto* one : Ordered()) {
    if (shares.size() == most) break;
    shares.push_back(ShareOf(one->first, one->second));
  }
  return shares;
}

double KeyTally::UnseenAtMost() const { return entries_ == 0 ? 1 : AtMost(0, static_cast<double>(entries_)); }

double KeyTally::OthersAtMost(size_t most) const {
  double bound = UnseenAtMost();
  std::set<std::pair<double, double>> done;  // many keys have as few hits as others
  const std::vector<const Keys::value_type*> order = Ordered();
  for (size_t i = most; i < order.size(); ++i) {
    const Draws draws = DrawsOf(order[i]->second);
    if (!done.insert({draws.hits, draws.all}).second) continue;
    bound = std::max(bound, ShareOf(order[i]->first, order[i]->second).at_most);
  }
  return bound;
}

std::optional<KeyShare> KeyTally::TooLarge() const {
  if (entries_ == 0) return std::nullopt;
  // The sample cannot have more keys than the table: 1 / keys is at least the even share.
  const double border = std::clamp(1 / static_cast<double>(keys_.size()), kTooMuch, kMostEven);
  const std::pair<const std::string, Count>* largest = nullptr;
  for (const auto& one : keys_) {
    const Count& count = one.second;
    if (count.entries < kFewest || (largest != nullptr && count.entries <= largest->second.entries)) continue;
    const Draws draws = DrawsOf(count);
    if (draws.hits < 2 || draws.hits <= draws.all * border) continue;
    // At most 1 / border keys have that share, and more keys with less reach as many hits more rarely.
    if (UpperTail(draws.hits, draws.all, border) <= kWarnedByChance * border) largest = &one;
  }
  if (largest == nullptr) return std::nullopt;
  return ShareOf(largest->first, largest->second);
}

}  // namespace fensi::mapping
