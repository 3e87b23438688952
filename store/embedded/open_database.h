// Opens the RocksDB database of an EmbeddedStore. Blocks on the disk.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/env.h>

#include <memory>

#include "store/embedded/embedded_store.h"

namespace fensi::store {

/// `memory` is the environment for in_memory, else null; it must outlive the database.
Result<std::unique_ptr<rocksdb::DB>> OpenDatabase(const EmbeddedOptions& options, rocksdb::Env* memory);

}  // namespace fensi::store
