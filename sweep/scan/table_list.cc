#include "sweep/scan/table_list.h"

#include <optional>

#include "mapping/lookup.h"
#include "meta/versioned_meta_row.h"

namespace fensi::sweep {
namespace {

constexpr int64_t kAboutToExpireMillis = 2'000;
/// More than clocks of region servers differ: HBase lets none in by more (hbase.master.maxclockskew).
constexpr int64_t kStillShownMillis = 30'000;

}  // namespace

Expectation::Expectation(const mapping::Index& index, int64_t now_millis)
    : periods_(index, now_millis),
      expires_from_(now_millis - kStillShownMillis),
      expires_to_(now_millis + kAboutToExpireMillis) {}

namespace {

constexpr size_t kMostTables = 10'000;

}  // namespace

Status TableList::Note(std::string_view table) {
  if (!index_->table_is_template() || noted_.contains(table)) return Status();
  if (noted_.size() == kMostTables) {
    return InvalidArgument(
        "index " + index_->name() + " has more than " + std::to_string(kMostTables) +
        " tables, which is the limit of a comparison. Compare a part of the source with --prefix, or with "
        "--start_row and --stop_row");
  }
  noted_.emplace(table);
  return Status();
}

Status TableList::CanEnumerateAll(int64_t now_millis) const {
  if (!index_->table_is_template()) return {};
  const Expectation now(*index_, now_millis);
  const Status named = mapping::PeriodTables(*index_, now.periods().from(), now.periods().to()).status();
  if (named.ok()) return named;
  return Status(StatusCode::kConfiguration,
                "index " + index_->name() + ": fensi cannot list all period tables (" + named.message() + ")");
}

Result<std::vector<std::string>> TableList::Existing(int64_t now_millis) const {
  if (!index_->table_is_template()) return std::vector<std::string>{index_->table()};
  std::set<std::string> names(noted_.begin(), noted_.end());
  const Expectation now(*index_, now_millis);
  // If names do not follow from the time, only the names that the source gives can be known.
  const auto kept = mapping::PeriodTables(*index_, now.periods().from(), now.periods().to());
  if (kept.ok()) names.insert(kept->begin(), kept->end());
  // A table that is being dropped may be disabled, and nothing of it counts any more.
  const meta::DroppedTables dropped(meta::VersionedMetaRow(store_, index_->state_table(), meta::kOwnRow));
  const Result<std::set<std::string>> dropping = dropped.All();
  const bool hidden = dropping.status().code() == StatusCode::kPermission;  // a comparing process need not have the
                                                                            // right to read states
  if (!hidden) FENSI_RETURN_IF_ERROR(dropping.status());
  if (dropping.ok()) {
    // M26: a table that is being dropped is not compared.
    for (const std::string& name : *dropping) names.erase(name);
  }
  std::vector<std::string> existing;
  for (const std::string& name : names) {
    FENSI_ASSIGN_OR_RETURN(const std::optional<store::TableDescriptor> found, store_->DescribeTable(name));
    if (found.has_value()) existing.push_back(name);
  }
  return existing;
}

}  // namespace fensi::sweep
