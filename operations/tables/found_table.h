// Describes an existing table of a store for people, for programs and for the HBase shell.
#pragma once

#include <string>
#include <vector>

#include "operations/access/stores.h"
#include "store/store.h"

namespace fensi::operations {

struct FoundTable {
  store::TableDescriptor table;
  std::vector<std::string> region_starts;  // the first is empty
};

/// Blocks on the store. kNotFound if the table does not exist.
Result<FoundTable> LookUpTable(const StoreOptions& options, store::Store* store, const std::string& name);

/// With its families and regions, one line each.
std::string TextOf(const FoundTable& found);
/// An object with a line end; names and keys as fensi writes bytes.
std::string JsonOf(const FoundTable& found);
/// The commands that create an empty table like it.
std::string ShellLinesOf(const FoundTable& found);

}  // namespace fensi::operations
