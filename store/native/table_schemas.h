// Converts table descriptions to and from those of HBase's master. Pure, any thread.
#pragma once

#include "hbase/admin.h"
#include "store/store.h"

namespace fensi::store {

hbase::TableSchemaSpec ToSchema(const TableDescriptor& table);
/// Normalized.
TableDescriptor FromSchema(const hbase::TableSchemaSpec& schema);

}  // namespace fensi::store
