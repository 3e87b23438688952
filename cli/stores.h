// The store that --store names, opened for what a command does with it. Blocks; the store itself is thread-safe.
#pragma once

#include <memory>

#include "base/status.h"
#include "store/store.h"

namespace fensi::cli {

/// For commands that only read: an embedded store may be in use by a running daemon.
Result<std::unique_ptr<store::Store>> OpenStoreToRead();
/// For commands that write once: gives up after --connect_timeout_s.
Result<std::unique_ptr<store::Store>> OpenStoreToWrite();

}  // namespace fensi::cli
