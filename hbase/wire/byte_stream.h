// The bytes of one established connection, without blocking: a socket, or a layer that protects its bytes.
//
// Used by one thread at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "hbase/wire/dial.h"

namespace fensi::hbase {

class ByteStream {
 public:
  enum class Outcome { kDone, kWouldBlock, kEnded, kFailed };
  struct Moved {
    Outcome outcome = Outcome::kDone;
    size_t bytes = 0;  // for kDone: more than 0
    std::string why;   // for kFailed
  };

  virtual ~ByteStream() = default;
  virtual int socket() const = 0;
  virtual Moved Read(char* to, size_t most) = 0;
  virtual Moved Write(const char* from, size_t bytes) = 0;
  /// True if it has read more of the socket than it has returned: the socket may not become ready for these bytes.
  virtual bool HoldsBytes() const { return false; }
};

std::unique_ptr<ByteStream> PlainStream(Socket socket);

/// Writes all bytes, or reads exactly this many, waiting until the deadline: for a handshake.
Status WriteAll(ByteStream* stream, std::string_view bytes, Deadline deadline);
Result<std::string> ReadExactly(ByteStream* stream, size_t bytes, Deadline deadline);

}  // namespace fensi::hbase
