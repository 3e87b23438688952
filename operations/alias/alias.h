// Resolves aliases of indexes (meta/alias_record.h), which a command line names as @NAME.
//
// Blocks on the store; any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "mapping/mapping.h"
#include "meta/alias_record.h"
#include "operations/access/stores.h"
#include "store/store.h"

namespace fensi::operations {

/// kInvalidArgument: it is no valid alias.
Status CheckAliasName(const std::string& name);

/// Reads the alias from that table. kNotFound names the table; absent: no such alias.
Result<std::optional<meta::Alias>> ReadAlias(store::Store* store, const std::string& meta_table,
                                             const std::string& name);

/// The index of that name, or the index that @ALIAS names now, which is read from the store. Errors name what is
/// missing.
Result<std::shared_ptr<const mapping::Index>> NamedIndex(const std::vector<mapping::Mapping>& mappings,
                                                         const std::string& word, const StoreOptions& store);

}  // namespace fensi::operations
