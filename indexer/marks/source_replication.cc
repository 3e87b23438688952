#include "indexer/marks/source_replication.h"

#include <string>

#include "base/bytes.h"
#include "indexer/remedies.h"

namespace fensi::indexer {

Status SourceReplication::Check() {
  const std::chrono::milliseconds now = clock_->MonotonicNow();
  if (looked_ && now - *looked_ < kPeriod) return seen_;
  seen_ = Look();
  if (seen_.code() != StatusCode::kUnavailable) looked_ = now;
  return seen_;
}

Status SourceReplication::Look() const {
  if (!store_->HasReplication()) return {};
  const std::string& table = index_->source_table();
  const Result<std::optional<store::TableDescriptor>> source = store_->DescribeTable(table);
  if (source.status().code() == StatusCode::kUnavailable) return source.status();
  if (!source.ok() || !source->has_value()) return {};
  for (const store::FamilyDescriptor& family : (*source)->families) {
    if (family.replication_scope != 0 || !index_->WatchesFamily(family.name)) continue;
    const std::string name = Escape(family.name);
    return Status(StatusCode::kConfiguration,
                  "family '" + name + "' of table " + table +
                      " has REPLICATION_SCOPE 0, so HBase sends none of its changes. In the HBase shell: alter '" +
                      table + "', {NAME => '" + name +
                      "', REPLICATION_SCOPE => '1'}. Then bring in earlier changes with " + RepairRemedy(*index_));
  }
  return {};
}

}  // namespace fensi::indexer
