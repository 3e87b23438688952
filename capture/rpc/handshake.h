// Runs the handshake of a region server before its first call: TLS if configured, the preamble, Kerberos if configured,
// the connection header.
//
// A part of a connection; lives on the server's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "capture/rpc/link.h"
#include "capture/rpc/sasl_handshake.h"

namespace fensi::capture {

class Handshake {
 public:
  /// `done` is called once, if it succeeds. If Kerberos protects the bytes, the header is the first frame and comes
  /// after that.
  Handshake(Link* link, ConnectionContext* context, std::function<void()> done)
      : link_(link), context_(context), done_(std::move(done)), sasl_(link, context, [this] { EndSasl(); }) {}

  void Begin();
  /// True if the next frame is the connection header.
  bool wants_header() const { return wants_header_; }
  void TakeHeader(std::string_view header);

 private:
  void Shake();
  void ReadPreamble();
  void TakePreamble(std::string_view preamble);
  void EndSasl();
  void ReadHeaderLength();
  void ReadHeader(uint32_t length);

  Link* const link_;
  ConnectionContext* const context_;
  const std::function<void()> done_;
  SaslHandshake sasl_;
  bool wants_header_ = false;
};

/// Detects the format of a file in place of PEM, and how to convert it: Java users have keystores.
///
/// Pure.
enum class PemContent { kCertificates, kKey };

/// For a person, after "no … in PEM: "; empty for an unknown format.
std::string OtherForm(const std::string& bytes, PemContent wanted);

}  // namespace fensi::capture
