// The table that all indexes of a store share: what an index is and how far it is, and the jobs that go through it.
//
// Rows, each of one family (meta/shared_row.h):
//   index:NAME        an index (meta/index_record.h)
//   alias:NAME        the index that applications read by that name (meta/alias_record.h)
//   job:NAME:KIND     the job of a kind that goes through the index
//   job:NAME:KIND:JOB:N  what that job found in its range N (sweep/found_rows.h)
// Pure.
#pragma once

#include <string>

#include "store/store.h"

namespace fensi::meta {

/// As it is made. Ten versions of each cell tell people what was there before.
store::TableDescriptor MetaTable(const std::string& name);

std::string IndexRow(const std::string& index);
std::string AliasRow(const std::string& alias);
std::string JobRow(const std::string& index, const std::string& kind);

}  // namespace fensi::meta
