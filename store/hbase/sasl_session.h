// One side of a SASL negotiation, and what protects the bytes behind it. Knows no connection.
//
// Used by one thread at a time. Errors are kPermission for who is not believed, kConfiguration for what a person has to
// change, kUnavailable for servers that are away.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"

namespace fensi::store {

class SaslSession {
 public:
  virtual ~SaslSession() = default;

  virtual std::string mechanism() const = 0;
  /// What is said first. May block as long as the servers that give out tickets are silent.
  virtual Result<std::string> Start() = 0;
  /// The answer to what the other side said.
  virtual Result<std::string> Step(const std::string& challenge) = 0;
  /// Nothing more has to be said.
  virtual bool done() const = 0;

  // Once it is done.
  /// Whether bytes are wrapped; otherwise the next three are not asked.
  virtual bool wraps() const = 0;
  /// How much goes into one wrapping.
  virtual size_t most_plain_bytes() const = 0;
  /// How long a wrapping may be that comes.
  virtual size_t most_wrapped_bytes() const = 0;
  /// Their length, in four bytes, stands before the wrapped bytes. Valid until the next call.
  virtual Result<std::string_view> Wrap(std::string_view plain) = 0;
  virtual Result<std::string_view> Unwrap(std::string_view wrapped) = 0;
};

}  // namespace fensi::store
