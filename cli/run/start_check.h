// What must be there before an index begins: its tables and its topics. Blocks on the servers; any thread.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::cli {

/// Of tables that an embedded store does not have: HBase's are made by 'fensi create' alone.
enum class Missing { kMake, kLeave };

/// kConfiguration says what is missing or differs, and what to do.
Status CheckTables(const mapping::Index& index, const std::string& mapping_path, store::Store* store, Missing missing);

/// `status` with the command that creates what is missing.
Status WithRemedy(const Status& status, const std::string& mapping_path);

}  // namespace fensi::cli
