// Checks that the names of an index are its own: its name in the meta table, each table in which another index of the
// store would keep states, too, and each topic whose messages one of the two would not understand. Also whether the
// index is being dropped.
//
// Blocks on the store; any thread.
#pragma once

#include <string>
#include <vector>

#include "mapping/index.h"
#include "operations/access/stores.h"
#include "operations/mappings/mapping_files.h"
#include "store/store.h"

namespace fensi::operations {

/// Names of one index in the meta table.
struct NamesOfIndex {
  std::string name, table, state_table, source, topic;
};

/// The indexes of the meta table, without dropped ones. Empty if there is no such table.
Result<std::vector<NamesOfIndex>> NamesOfIndexes(store::Store* store, const std::string& meta_table);

/// A line for each name of `index` that another one of `known` has; the index that begins later is refused.
std::vector<std::string> TakenNames(const mapping::Index& index, const std::vector<NamesOfIndex>& known);

/// kConfiguration names every table and topic of the index that another index of the store has.
Status RefuseTakenNames(const mapping::Index& index, store::Store* store, const std::string& meta_table);

/// For an index whose tables are perhaps those of another index; `why`: what its state table says.
std::string ForeignTablesText(const Status& why);

/// For an index that a daemon has run, and that the meta table does not name: the meta table may be the wrong one.
std::string MissingRecordText(const std::string& meta_table);

/// kConfiguration, with both definitions: an index with other tables has the name in the meta table. Ok if there is no
/// meta table, or the user may not read it.
Status RequireOwnName(const mapping::Index& index, store::Store* store, const std::string& meta_table);

/// kConfiguration with the remedy: `fensi drop` has begun and not ended, so the index must not be used or created
/// meanwhile. Ok if there is no meta table, or it cannot be read; kUnavailable: it could not be reached.
Status RefuseRetired(const mapping::Index& index, store::Store* store, const std::string& meta_table);

/// WithSource for all these indexes. kConfiguration: with a source store, a table is the source of one index and a
/// table of another one, so it is in both stores.
Result<StoreOptions> WithSourcesOf(const Indexes& indexes, StoreOptions options);

}  // namespace fensi::operations
