// RocksDB's outcome as ours. Any thread, does not block.
#pragma once

#include <rocksdb/status.h>

#include <string>
#include <string_view>

#include "base/status.h"

namespace fensi::store {

/// `doing` completes "embedded store: …" for a person. A failing disk is kUnavailable, because it may recover; a full
/// one is kInternal: nothing is to be written any more until a person has made room.
inline Status FromRocksDb(const rocksdb::Status& status, std::string_view doing) {
  if (status.ok()) return Status();
  const std::string text = "embedded store: " + std::string(doing) + ": ";
  if (status.IsNoSpace()) {
    return Status(StatusCode::kInternal,
                  text + "the disk is full; make room and start again, nothing is lost (" + status.ToString() + ")");
  }
  const StatusCode code = status.IsNotSupported() ? StatusCode::kPermission  // written through a read-only opening
                          : status.IsCorruption() ? StatusCode::kInternal
                                                  : StatusCode::kUnavailable;
  return Status(code, text + status.ToString());
}

}  // namespace fensi::store
