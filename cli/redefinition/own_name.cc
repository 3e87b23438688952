#include "cli/redefinition/own_name.h"

#include "cli/flags/flags.h"
#include "indexer/index_facts.h"
#include "meta/meta_table.h"

namespace fensi::cli {

Status RequireOwnName(const mapping::Index& index, store::Store* store) {
  const meta::IndexRecord record(meta::SharedRow(store, FLAGS_meta_table, meta::IndexRow(index.name())));
  const Status own = record.CheckName(indexer::FactsOf(index, ""));
  const bool unknown = own.code() == StatusCode::kNotFound || own.code() == StatusCode::kPermission;
  return unknown ? Status() : own.WithContext("index " + index.name());
}

}  // namespace fensi::cli
