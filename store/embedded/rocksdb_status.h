// RocksDB's outcome as ours. Any thread, does not block.
#pragma once

#include <rocksdb/status.h>

#include <string_view>

#include "base/status.h"

namespace fensi::store {

/// `doing` completes "embedded store: …" for a person. A full or failing disk is kUnavailable: it may recover.
inline Status FromRocksDb(const rocksdb::Status& status, std::string_view doing) {
  if (status.ok()) return Status();
  const StatusCode code = status.IsNotSupported() ? StatusCode::kPermission  // written through a read-only opening
                          : status.IsCorruption() ? StatusCode::kInternal
                                                  : StatusCode::kUnavailable;
  return Status(code, "embedded store: " + std::string(doing) + ": " + status.ToString());
}

}  // namespace fensi::store
