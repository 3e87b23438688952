#include "mapping/lookup/key_range.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/row_after.h"

namespace fensi::mapping {
namespace {

/// Is no value of the part the beginning of another? Then keys lie as their parts do, whatever follows.
bool IsPrefixFree(const Part& part) { return part.shape.fixed() || part.shape.terminated; }

/// A key may go on behind a part that is a beginning of the bound: the end of the shortest that lies behind the bound.
std::string StopBehindShorter(const Template& row, size_t part, const std::string& prefix, const std::string& high) {
  const size_t least = std::min(row.parts[part].shape.min_width, high.size());
  const bool separated = row.parts[part + 1].IsLiteral() && !row.parts[part + 1].literal.empty();
  if (!separated) return PrefixEnd(prefix + high.substr(0, least));
  const char separator = row.parts[part + 1].literal[0];
  const auto behind = [separator](char c) {
    return static_cast<unsigned char>(separator) >= static_cast<unsigned char>(c);
  };
  const auto at = std::find_if(high.begin() + static_cast<std::ptrdiff_t>(least), high.end(), behind);
  if (at == high.end()) return PrefixEnd(prefix + high);
  return PrefixEnd(prefix + std::string(high.begin(), at) + separator);
}

std::string StopOf(const Template& row, size_t part, const std::string& prefix, const Interval& interval) {
  if (!interval.high) return PrefixEnd(prefix);
  const std::string exclusive = prefix + *interval.high;
  const std::string inclusive = part + 1 == row.parts.size() ? RowAfter(exclusive) : PrefixEnd(exclusive);
  if (part + 1 < row.parts.size() && !IsPrefixFree(row.parts[part])) {
    return StopBehindShorter(row, part, prefix, *interval.high);
  }
  return interval.with_high ? inclusive : exclusive;
}

std::vector<KeyRange> Merged(std::vector<KeyRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const KeyRange& a, const KeyRange& b) { return a.start < b.start; });
  std::vector<KeyRange> merged;
  for (KeyRange& range : ranges) {
    if (!range.stop.empty() && range.stop <= range.start) continue;
    const bool apart = merged.empty() || (!merged.back().stop.empty() && merged.back().stop <= range.start);
    if (apart) {
      merged.push_back(std::move(range));
    } else if (range.stop.empty() || (!merged.back().stop.empty() && merged.back().stop < range.stop)) {
      merged.back().stop = range.stop;
    }
  }
  return merged;
}

}  // namespace

bool RangeSuffices(const Template& row, size_t part) {
  return part + 1 == row.parts.size() || IsPrefixFree(row.parts[part]);
}

std::vector<KeyRange> RangesOf(const Template& row, const EncodedKey& key,
                               const std::optional<std::vector<Interval>>& intervals) {
  std::vector<KeyRange> ranges;
  for (const std::string& prefix : key.prefixes) {
    if (key.open == row.parts.size()) {
      ranges.push_back({prefix, RowAfter(prefix)});
    } else if (!intervals) {
      ranges.push_back({prefix, PrefixEnd(prefix)});
    } else {
      for (const Interval& interval : *intervals) {
        const std::string low = prefix + interval.low;
        ranges.push_back({interval.without_low ? PrefixEnd(low) : low, StopOf(row, key.open, prefix, interval)});
      }
    }
  }
  return Merged(std::move(ranges));
}

}  // namespace fensi::mapping
