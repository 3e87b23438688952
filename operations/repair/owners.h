// The owners of source rows, for a repair: only they write the entries of their rows (M12).
//
// Blocks; one thread.
#pragma once

#include <cstddef>
#include <limits>

#include "base/status.h"
#include "consumer/codec/request.h"

namespace fensi::operations {

class RowOwners {
 public:
  virtual ~RowOwners() = default;
  /// Sending a request twice does no harm.
  virtual Status Ask(consumer::Request request) = 0;
  /// Maximum size of one request besides kRequestRoom.
  virtual size_t most_bytes() const { return std::numeric_limits<size_t>::max(); }
  /// After this call the requests survive the death of this process.
  virtual Status Flush() = 0;
  /// True if all requests before the last Flush are done.
  virtual Result<bool> AllDone() = 0;
};

}  // namespace fensi::operations
