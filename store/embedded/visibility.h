// Decides which cells of one family of one row a reader sees, and which a major compaction keeps: HBase's rules
// (ScanQueryMatcher, ScanDeleteTracker, ScanWildcardColumnTracker of 2.6) for families without NEW_VERSION_BEHAVIOR.
//
// Feed the cells of a family in key order (key_codec.h). Not thread-safe, no I/O. Invariants:
//  - markers are order-blind: a marker at T hides a put at or below T (or exactly at T) whenever the put was written;
//  - hidden puts do not count as versions;
//  - an expired cell counts as absent, an expired marker hides nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/embedded/key_codec.h"
#include "store/store.h"

namespace fensi::store {

/// Limits of a family, resolved from its description.
struct FamilyRules {
  int32_t max_versions = 1;
  int32_t min_versions = 0;
  std::optional<int64_t> ttl_millis;
  int64_t purge_deletes_after_millis = 0;  // hbase.hstore.time.to.purge.deletes
};
FamilyRules RulesOf(const FamilyDescriptor& family);

enum class ReadMode {
  kVisible,
  kRaw,      // with hidden cells and every marker; max_versions counts puts
  kCompact,  // what a major compaction keeps
};

enum class Verdict {
  kKeep,
  kSkip,
  kNextColumn,  // neither this cell nor the rest of its column
};

class FamilyFilter {
 public:
  /// `max_versions` and `times` are the reader's; `now` in milliseconds since the epoch.
  FamilyFilter(ReadMode mode, const FamilyRules& rules, int32_t max_versions, int64_t now,
               const ScanRequest::Times& times = {});

  Verdict Judge(const ParsedKey& key, const std::optional<int64_t>& cell_ttl);

 private:
  void EnterColumn(const ParsedKey& key);
  bool ExpiredByFamily(int64_t timestamp) const { return timestamp < oldest_unexpired_; }
  void Remember(const ParsedKey& marker);
  bool Hidden(int64_t timestamp) const;
  Verdict JudgeMarker(const ParsedKey& key);
  Verdict CountVersion(const ParsedKey& key);

  const ReadMode mode_;
  const FamilyRules rules_;
  const int32_t max_versions_;
  const int64_t now_;
  const ScanRequest::Times times_;
  const int64_t oldest_unexpired_;

  // State of the family so far.
  std::optional<int64_t> family_deleted_up_to_;
  std::vector<int64_t> family_versions_deleted_;  // newest first

  // State of the current column.
  std::string column_;
  int32_t versions_ = 0;
  std::optional<int64_t> column_deleted_up_to_;
  std::optional<int64_t> version_deleted_;  // the last marker; the put of its timestamp is the next cell
};

}  // namespace fensi::store
