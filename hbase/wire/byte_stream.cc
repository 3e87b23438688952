#include "hbase/wire/byte_stream.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace fensi::hbase {
namespace {

class SocketStream final : public ByteStream {
 public:
  explicit SocketStream(Socket socket) : socket_(std::move(socket)) {}

  int socket() const override { return socket_.get(); }
  Moved Read(char* to, size_t most) override { return MovedBy(recv(socket_.get(), to, most, 0)); }
  Moved Write(const char* from, size_t bytes) override {
    return MovedBy(send(socket_.get(), from, bytes, MSG_NOSIGNAL));
  }

 private:
  static Moved MovedBy(ssize_t moved) {
    if (moved > 0) return {Outcome::kDone, static_cast<size_t>(moved), {}};
    if (moved == 0) return {Outcome::kEnded, 0, {}};
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return {Outcome::kWouldBlock, 0, {}};
    return {Outcome::kFailed, 0, Status(StatusCode::kUnavailable, std::strerror(errno))};
  }

  const Socket socket_;
};

}  // namespace

Status AwaitStream(const ByteStream& stream, const ByteStream::Moved& moved, short events, Deadline deadline) {
  switch (moved.outcome) {
    case ByteStream::Outcome::kEnded:
      return Status(StatusCode::kUnavailable, "the server closed the connection");
    case ByteStream::Outcome::kFailed:
      return moved.why.WithContext("the connection broke");
    default:
      break;
  }
  if (WaitForSocket(stream.socket(), events, deadline)) return {};
  return Status(StatusCode::kUnavailable, "the server is silent");
}

ByteStream::Moved Unsent::WriteTo(ByteStream* below) {
  while (!empty()) {
    ByteStream::Moved moved = below->Write(bytes_.data() + begin_, bytes_.size() - begin_);
    if (moved.outcome != ByteStream::Outcome::kDone) return moved;
    begin_ += moved.bytes;
  }
  bytes_.clear();
  begin_ = 0;
  return below->Flush();
}

std::unique_ptr<ByteStream> PlainStream(Socket socket) { return std::make_unique<SocketStream>(std::move(socket)); }

Status WriteAll(ByteStream* stream, std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    const ByteStream::Moved moved = stream->Write(bytes.data(), bytes.size());
    if (moved.outcome == ByteStream::Outcome::kDone) {
      bytes.remove_prefix(moved.bytes);
    } else {
      FENSI_RETURN_IF_ERROR(AwaitStream(*stream, moved, POLLOUT, deadline));
    }
  }
  while (stream->HoldsUnsent()) {
    const ByteStream::Moved moved = stream->Flush();
    if (moved.outcome == ByteStream::Outcome::kDone) break;
    FENSI_RETURN_IF_ERROR(AwaitStream(*stream, moved, POLLOUT, deadline));
  }
  return {};
}

Result<std::string> ReadExactly(ByteStream* stream, size_t bytes, Deadline deadline) {
  std::string read(bytes, '\0');
  for (size_t at = 0; at < bytes;) {
    const ByteStream::Moved moved = stream->Read(read.data() + at, bytes - at);
    if (moved.outcome == ByteStream::Outcome::kDone) {
      at += moved.bytes;
    } else {
      FENSI_RETURN_IF_ERROR(AwaitStream(*stream, moved, POLLIN, deadline));
    }
  }
  return read;
}

}  // namespace fensi::hbase
