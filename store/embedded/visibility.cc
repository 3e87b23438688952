#include "store/embedded/visibility.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>

namespace fensi::store {
namespace {

constexpr char kPurgeDeletes[] = "hbase.hstore.time.to.purge.deletes";

int64_t OldestUnexpired(const FamilyRules& rules, int64_t now) {
  return rules.ttl_millis ? now - *rules.ttl_millis : std::numeric_limits<int64_t>::min();
}

bool ExpiredByItself(int64_t timestamp, const std::optional<int64_t>& ttl, int64_t now) {
  int64_t end = 0;
  return ttl && !__builtin_add_overflow(timestamp, *ttl, &end) && end < now;
}

}  // namespace

FamilyRules RulesOf(const FamilyDescriptor& family) {
  FamilyRules rules;
  rules.max_versions = family.max_versions;
  rules.min_versions = family.min_versions.value_or(0);
  if (family.ttl_seconds) rules.ttl_millis = int64_t{1000} * *family.ttl_seconds;
  const auto purge = family.configuration.find(kPurgeDeletes);
  if (purge != family.configuration.end()) {
    rules.purge_deletes_after_millis = std::strtoll(purge->second.c_str(), nullptr, 10);
  }
  return rules;
}

FamilyFilter::FamilyFilter(ReadMode mode, const FamilyRules& rules, int32_t max_versions, int64_t now,
                           const ScanRequest::Times& times)
    : mode_(mode),
      rules_(rules),
      max_versions_(mode == ReadMode::kRaw       ? max_versions
                    : mode == ReadMode::kCompact ? rules.max_versions
                                                 : std::min(max_versions, rules.max_versions)),
      now_(now),
      times_(times),
      oldest_unexpired_(OldestUnexpired(rules, now)) {}

Verdict FamilyFilter::Judge(const ParsedKey& key, const std::optional<int64_t>& cell_ttl) {
  if (key.column_prefix() != column_) EnterColumn(key);
  if (rules_.min_versions == 0 && ExpiredByFamily(key.timestamp())) return Verdict::kNextColumn;
  if (ExpiredByItself(key.timestamp(), cell_ttl, now_)) return Verdict::kSkip;
  if (key.type() != CellType::kPut) return JudgeMarker(key);
  if (key.timestamp() >= times_.to) return Verdict::kSkip;
  if (key.timestamp() < times_.from) return Verdict::kNextColumn;  // markers, too, could hide only what is older
  if (mode_ != ReadMode::kRaw && Hidden(key.timestamp())) return Verdict::kSkip;
  return CountVersion(key);
}

void FamilyFilter::EnterColumn(const ParsedKey& key) {
  column_ = key.column_prefix();
  versions_ = 0;
  column_deleted_up_to_.reset();
  version_deleted_.reset();
}

void FamilyFilter::Remember(const ParsedKey& marker) {
  const int64_t timestamp = marker.timestamp();
  switch (marker.type()) {
    case CellType::kDeleteFamily:
      if (!family_deleted_up_to_) family_deleted_up_to_ = timestamp;
      break;
    case CellType::kDeleteFamilyVersion:
      family_versions_deleted_.push_back(timestamp);
      break;
    case CellType::kDeleteColumn:
      if (!column_deleted_up_to_) column_deleted_up_to_ = timestamp;
      break;
    default:
      version_deleted_ = timestamp;
  }
}

bool FamilyFilter::Hidden(int64_t timestamp) const {
  if (family_deleted_up_to_ && timestamp <= *family_deleted_up_to_) return true;
  if (column_deleted_up_to_ && timestamp <= *column_deleted_up_to_) return true;
  if (version_deleted_ == timestamp) return true;
  return std::binary_search(family_versions_deleted_.begin(), family_versions_deleted_.end(), timestamp,
                            std::greater<>());
}

Verdict FamilyFilter::JudgeMarker(const ParsedKey& key) {
  Remember(key);
  if (mode_ == ReadMode::kVisible) return Verdict::kSkip;
  if (mode_ == ReadMode::kCompact) {
    const bool young =
        rules_.purge_deletes_after_millis > 0 && now_ - key.timestamp() <= rules_.purge_deletes_after_millis;
    return young ? Verdict::kKeep : Verdict::kSkip;
  }
  if (key.timestamp() < times_.from || key.timestamp() >= times_.to) return Verdict::kSkip;
  return versions_ <= rules_.min_versions || !ExpiredByFamily(key.timestamp()) ? Verdict::kKeep : Verdict::kSkip;
}

Verdict FamilyFilter::CountVersion(const ParsedKey& key) {
  ++versions_;
  const bool wanted =
      versions_ <= max_versions_ && (versions_ <= rules_.min_versions || !ExpiredByFamily(key.timestamp()));
  if (wanted) return Verdict::kKeep;
  // Markers of the whole family live among the cells of the empty qualifier: the rest of that column is read on.
  return key.qualifier_is_empty() || mode_ == ReadMode::kRaw ? Verdict::kSkip : Verdict::kNextColumn;
}

}  // namespace fensi::store
