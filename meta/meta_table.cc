#include "meta/meta_table.h"

#include "meta/shared_row.h"

namespace fensi::meta {

store::TableDescriptor MetaTable(const std::string& name) { return {name, {{.name = kFamily, .max_versions = 10}}}; }

std::string IndexRow(const std::string& index) { return "index:" + index; }

std::string AliasRow(const std::string& alias) { return "alias:" + alias; }

std::string JobRow(const std::string& index, const std::string& kind) { return "job:" + index + ":" + kind; }

}  // namespace fensi::meta
