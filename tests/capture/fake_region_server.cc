#include "tests/capture/fake_region_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proto/hbase_replication.pb.h"

namespace fensi::capture {

FakeRegionServer::FakeRegionServer(uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0) << "port " << port;
  const timeval minute{60, 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &minute, sizeof minute);
}

FakeRegionServer::~FakeRegionServer() { Close(); }

void FakeRegionServer::Close() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
}

bool FakeRegionServer::Send(const std::string& bytes) {
  size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t now = send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (now <= 0) return false;
    sent += static_cast<size_t>(now);
  }
  return true;
}

bool FakeRegionServer::SendWithin(const std::string& bytes, std::chrono::milliseconds patience) {
  const timeval limit{0, static_cast<suseconds_t>(patience.count() * 1000)};
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  return Send(bytes);
}

bool FakeRegionServer::ReadExactly(size_t count, std::string* bytes) {
  bytes->resize(count);
  size_t at = 0;
  while (at < count) {
    const ssize_t now = recv(socket_, bytes->data() + at, count - at, 0);
    if (now <= 0) return false;
    at += static_cast<size_t>(now);
  }
  return true;
}

FakeRegionServer::Reply FakeRegionServer::Receive() {
  std::string bytes;
  if (!ReadExactly(4, &bytes)) return {.closed = true};
  size_t length = 0;
  for (const char c : bytes) length = length << 8 | static_cast<uint8_t>(c);
  if (!ReadExactly(length, &bytes)) return {.closed = true};
  proto::hbase::ResponseHeader header;
  const auto header_bytes = static_cast<uint8_t>(bytes[0]);  // short ones only: one byte of varint
  size_t begin = 1;
  size_t size = header_bytes;
  if (header_bytes >= 0x80) {
    size = (header_bytes & 0x7fu) | static_cast<size_t>(static_cast<uint8_t>(bytes[1])) << 7;
    begin = 2;
  }
  EXPECT_TRUE(header.ParseFromArray(bytes.data() + begin, static_cast<int>(size)));
  const auto& exception = header.exception();
  return {.call_id = header.call_id(),
          .failed = header.has_exception(),
          .text = exception.exception_class_name() + " " + exception.stack_trace()};
}

bool FakeRegionServer::IsSilentFor(int milliseconds) {
  pollfd waiting{socket_, POLLIN, 0};
  return poll(&waiting, 1, milliseconds) == 0;
}

}  // namespace fensi::capture
