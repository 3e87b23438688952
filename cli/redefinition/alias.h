// Indexes that applications read by an alias (meta/alias_record.h), as a command line names them: @NAME.
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
#include "store/store.h"

namespace fensi::cli {

/// kInvalidArgument: it can be no alias.
Status CheckAliasName(const std::string& name);

/// Of table --meta_table. kNotFound names the table; absent: there is no such alias.
Result<std::optional<meta::Alias>> ReadAlias(store::Store* store, const std::string& name);

/// The index of that name, or the one that @ALIAS names now, of which --store is asked. Errors name what is missing.
Result<std::shared_ptr<const mapping::Index>> NamedIndex(const std::vector<mapping::Mapping>& mappings,
                                                         const std::string& word);

}  // namespace fensi::cli
