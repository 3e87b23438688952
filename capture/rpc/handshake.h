// What a region server says before its first call: TLS where it is wanted, the preamble, the connection header.
//
// A part of a connection; lives on the server's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "capture/rpc/link.h"

namespace fensi::capture {

class Handshake {
 public:
  /// `done` is called once, if it succeeds.
  Handshake(Link* link, ConnectionContext* context, std::function<void()> done)
      : link_(link), context_(context), done_(std::move(done)) {}

  void Begin();

 private:
  void Shake();
  void ReadPreamble();
  void ReadHeaderLength();
  void ReadHeader(uint32_t length);
  void AcceptHeader(const std::string& header);

  Link* const link_;
  ConnectionContext* const context_;
  const std::function<void()> done_;
};

}  // namespace fensi::capture
