// Whom a repair asks: the owners of the source rows, who alone write what the index has of them (M12).
//
// Blocks; one thread.
#pragma once

#include <cstddef>
#include <limits>

#include "base/status.h"
#include "consumer/codec/request.h"

namespace fensi::cli {

class RowOwners {
 public:
  virtual ~RowOwners() = default;
  /// To ask twice does no harm.
  virtual Status Ask(consumer::Request request) = 0;
  /// What one request may have beside kRequestRoom.
  virtual size_t most_bytes() const { return std::numeric_limits<size_t>::max(); }
  /// What was asked survives the death of this process.
  virtual Status Flush() = 0;
  /// All that was asked before the last Flush is done.
  virtual Result<bool> AllDone() = 0;
};

}  // namespace fensi::cli
