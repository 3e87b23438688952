// A table of a store as it was found, for people, for programs and for the HBase shell.
#pragma once

#include <string>
#include <vector>

#include "store/store.h"

namespace fensi::cli {

struct FoundTable {
  store::TableDescriptor table;
  std::vector<std::string> region_starts;  // the first is empty
};

/// Blocks on the store. kNotFound when there is no such table.
Result<FoundTable> LookUpTable(store::Store* store, const std::string& name);

/// With its families and regions, a line each.
std::string TextOf(const FoundTable& found);
/// An object with a line end; names and keys as fensi writes bytes.
std::string JsonOf(const FoundTable& found);
/// What makes an empty one like it.
std::string ShellLinesOf(const FoundTable& found);

}  // namespace fensi::cli
