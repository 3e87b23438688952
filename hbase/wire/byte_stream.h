// The bytes of one established connection, without blocking: a socket, or a layer that protects its bytes.
//
// Used by one thread at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "hbase/wire/dial.h"

namespace fensi::hbase {

class ByteStream {
 public:
  enum class Outcome { kDone, kWouldBlock, kEnded, kFailed };
  struct Moved {
    Outcome outcome = Outcome::kDone;
    size_t bytes = 0;  // for kDone: more than 0
    Status why;        // for kFailed
  };

  virtual ~ByteStream() = default;
  virtual int socket() const = 0;
  virtual Moved Read(char* to, size_t most) = 0;
  /// Takes some of the bytes. A layer that protects bytes may keep what it has taken: see HoldsUnsent().
  virtual Moved Write(const char* from, size_t bytes) = 0;
  /// True if it has read more of the socket than it has returned: the socket may not become ready for these bytes.
  virtual bool HoldsBytes() const { return false; }
  /// True if bytes that it has taken are not sent yet: Flush() sends them when the socket can be written.
  virtual bool HoldsUnsent() const { return false; }
  /// kDone: it holds none any more.
  virtual Moved Flush() { return {}; }
};

std::unique_ptr<ByteStream> PlainStream(Socket socket);

/// Bytes of a layer that are ready for the stream below. One thread.
class Unsent {
 public:
  bool empty() const { return begin_ == bytes_.size(); }
  void Append(std::string_view bytes) { bytes_.append(bytes); }
  /// kDone: all of them are written.
  ByteStream::Moved WriteTo(ByteStream* below);

 private:
  std::string bytes_;
  size_t begin_ = 0;
};

/// Ok: try again. kUnavailable: the stream ended, failed, or is silent until the deadline. `events`: POLLIN or POLLOUT.
Status AwaitStream(const ByteStream& stream, const ByteStream::Moved& moved, short events, Deadline deadline);
/// Writes all bytes, or reads exactly this many, waiting until the deadline: for a handshake.
Status WriteAll(ByteStream* stream, std::string_view bytes, Deadline deadline);
Result<std::string> ReadExactly(ByteStream* stream, size_t bytes, Deadline deadline);

}  // namespace fensi::hbase
