#include "operations/alias/retired.h"

#include <optional>

#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"

namespace fensi::operations {

Status RefuseRetired(const mapping::Index& index, store::Store* store, const std::string& meta_table) {
  const Result<std::optional<store::TableDescriptor>> there = store->DescribeTable(meta_table);
  if (!there.ok()) return there.status().code() == StatusCode::kUnavailable ? there.status() : Status();
  if (!there->has_value()) return Status();
  const meta::IndexRecord record(meta::VersionedMetaRow(store, meta_table, meta::IndexRow(index.name())));
  const Result<std::optional<meta::IndexState>> state = record.Read();
  if (!state.ok()) return state.status().code() == StatusCode::kUnavailable ? state.status() : Status();
  if (!state->has_value() || (*state)->phase != meta::Phase::kRetired) return Status();
  return Status(StatusCode::kConfiguration, "index " + index.name() + " is being dropped (it is retired in table " +
                                                meta_table + "). To finish that, run 'fensi drop MAPPING " +
                                                index.name() + " --execute'. Then you can create the index again");
}

}  // namespace fensi::operations
