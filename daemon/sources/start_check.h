// Checks that the tables and topics of an index exist before it begins. Blocks on the servers; any thread.
#pragma once

#include <string>

#include "base/status.h"
#include "daemon/sources/sources.h"
#include "mapping/index.h"
#include "operations/access/stores.h"
#include "store/store.h"

namespace fensi::daemon {

/// What to do with missing tables of an embedded store: HBase's are only created by 'fensi create'.
enum class Missing { kMake, kLeave };

struct StartOptions {
  SourceOptions source;
  operations::StoreOptions store;
};

/// kConfiguration names what is missing or differs, and the remedy.
Status CheckTables(const StartOptions& options, const mapping::Index& index, const std::string& mapping_path,
                   store::Store* store, Missing missing);

/// `status` with the command that creates what is missing.
Status WithRemedy(const StartOptions& options, const Status& status, const std::string& mapping_path);

}  // namespace fensi::daemon
