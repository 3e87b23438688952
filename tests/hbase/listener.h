// A server for one connection, of which a test decides each byte.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <future>
#include <string>
#include <utility>

#include "hbase/wire/byte_stream.h"
#include "hbase/wire/connection.h"
#include "tests/support/loopback.h"

namespace fensi::hbase {

/// A server that reads when it is told to.
class Listener {
 public:
  Listener() : listener_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = testing::Loopback(0);
    socklen_t length = sizeof address;
    bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), length);
    listen(listener_.get(), 1);
    getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
  }
  int port() const { return port_; }
  void Accept() { link_ = Socket(accept(listener_.get(), nullptr, nullptr)); }
  void Write(const std::string& bytes) {
    EXPECT_EQ(send(link_.get(), bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }
  /// All bytes until the client ends the connection.
  std::string ReadToTheEnd() {
    std::string all, some(1 << 16, '\0');
    for (ssize_t got = 1; got > 0;) {
      got = recv(link_.get(), some.data(), some.size(), 0);
      if (got > 0) all.append(some.data(), static_cast<size_t>(got));
    }
    return all;
  }

 private:
  Socket listener_, link_;
  int port_ = 0;
};

/// The answer of a call.
struct Told {
  std::promise<Answer> promise;
  Connection::Done Done() {
    return [this](Answer answer) { promise.set_value(std::move(answer)); };
  }
};

}  // namespace fensi::hbase
