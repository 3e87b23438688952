#include "sweep/table_list.h"

#include <optional>

#include "mapping/lookup.h"
#include "meta/dropped_tables.h"
#include "sweep/expectation.h"

namespace fensi::sweep {
namespace {

constexpr size_t kMostTables = 10'000;

}  // namespace

Status TableList::Note(std::string_view table) {
  if (!index_->table_is_template() || noted_.contains(table)) return Status();
  if (noted_.size() == kMostTables) {
    return InvalidArgument("index " + index_->name() + " has more than " + std::to_string(kMostTables) +
                           " tables; compare a part of the source with --prefix, or --start_row and --stop_row");
  }
  noted_.emplace(table);
  return Status();
}

Status TableList::AllNamed(int64_t now_millis) const {
  if (!index_->table_is_template()) return {};
  const Expectation now(*index_, now_millis);
  const Status named = mapping::PeriodTables(*index_, now.from(), now.to()).status();
  if (named.ok()) return named;
  return Status(StatusCode::kConfiguration,
                "index " + index_->name() + ": not all tables can be named (" + named.message() +
                    "), so that without a look at the source nothing is " + "proved; compare both directions");
}

Result<std::vector<std::string>> TableList::Existing(int64_t now_millis) const {
  if (!index_->table_is_template()) return std::vector<std::string>{index_->table()};
  std::set<std::string> names(noted_.begin(), noted_.end());
  const Expectation now(*index_, now_millis);
  // Where names do not follow from the time, those that the source gives are all that can be known.
  const auto kept = mapping::PeriodTables(*index_, now.from(), now.to());
  if (kept.ok()) names.insert(kept->begin(), kept->end());
  // One that somebody drops may be disabled, and nothing of it counts any more.
  const meta::DroppedTables dropped(meta::SharedRow(store_, index_->state_table(), meta::kOwnRow));
  const Result<std::set<std::string>> dropping = dropped.All();
  const bool hidden = dropping.status().code() == StatusCode::kPermission;  // who compares need not read states
  if (!hidden) FENSI_RETURN_IF_ERROR(dropping.status());
  if (dropping.ok()) {
    for (const std::string& name : *dropping) names.erase(name);
  }
  std::vector<std::string> existing;
  for (const std::string& name : names) {
    const Result<std::optional<store::TableDescriptor>> found = store_->DescribeTable(name);
    FENSI_RETURN_IF_ERROR(found.status());
    if (found->has_value()) existing.push_back(name);
  }
  return existing;
}

}  // namespace fensi::sweep
