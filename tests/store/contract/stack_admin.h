// What Thrift2 cannot do, asked of the development stack: one line to it, one line back ("ok …" or "error TEXT").
#pragma once

#include <string>

#include "base/status.h"

namespace fensi::store {

class StackAdmin {
 public:
  /// "host:port"
  explicit StackAdmin(std::string address) : address_(std::move(address)) {}

  /// Blocks until the stack has done it, for example "flush TABLE" or "compact TABLE".
  Status Run(const std::string& command) const;

 private:
  std::string address_;
};

}  // namespace fensi::store
