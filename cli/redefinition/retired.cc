#include "cli/redefinition/retired.h"

#include "cli/access/stores.h"
#include "cli/flags/flags.h"
#include "meta/index_record.h"
#include "meta/meta_table.h"

namespace fensi::cli {

Status RefuseRetired(const mapping::Index& index, store::Store* store) {
  const Status there = RequireTable(store, FLAGS_meta_table).status();
  if (!there.ok()) return there.code() == StatusCode::kUnavailable ? there : Status();
  const meta::IndexRecord record(meta::SharedRow(store, FLAGS_meta_table, meta::IndexRow(index.name())));
  const Result<std::optional<meta::IndexState>> state = record.Read();
  if (!state.ok()) return state.status().code() == StatusCode::kUnavailable ? state.status() : Status();
  if (!state->has_value() || (*state)->phase != meta::Phase::kRetired) return Status();
  return Status(StatusCode::kConfiguration, "index " + index.name() + " is being dropped (table " + FLAGS_meta_table +
                                                " calls it retired): 'fensi drop … " + index.name() +
                                                " --execute' goes on with that; after it the index can be made anew");
}

}  // namespace fensi::cli
