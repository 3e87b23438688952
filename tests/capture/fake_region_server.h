// A region server's end of a connection, blocking, plain or in TLS.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "capture/rpc/stream.h"
#include "tests/capture/hbase_bytes.h"

namespace fensi::capture {

class FakeRegionServer {
 public:
  /// `from`: an address of this machine.
  explicit FakeRegionServer(uint16_t port, const std::string& from = "127.0.0.1");
  ~FakeRegionServer();
  FakeRegionServer(const FakeRegionServer&) = delete;
  FakeRegionServer& operator=(const FakeRegionServer&) = delete;

  struct TlsWishes {
    TlsPems pems;     // whom it trusts (client_authorities), and its own certificate, if any
    int version = 0;  // the only one, such as TLS1_2_VERSION; 0: any
  };
  /// Everything that follows is in TLS. False: the handshake failed, error() says why.
  bool StartTls(const TlsWishes& wishes);
  /// Asks for another handshake within TLS 1.2, as StartTls.
  bool Renegotiate();
  /// The name of the other side's certificate.
  std::string OtherName() const;
  /// Of OpenSSL.
  const std::string& error() const { return error_; }

  /// False when the other side has closed.
  bool Send(const std::string& bytes);
  /// As Send; false, too, when the other side does not take all of it for that long.
  bool SendWithin(const std::string& bytes, std::chrono::milliseconds timeout);
  void Greet() { Send(PreambleBytes() + ConnectionHeaderBytes()); }
  void SendCall(uint32_t call_id, const std::vector<Entry>& entries) { Send(CallBytes(call_id, entries)); }

  struct Reply {
    bool closed = false;  // the other side closed instead
    uint32_t call_id = 0;
    bool failed = false;
    std::string text;      // class and message of an exception
    std::string response;  // what stands behind the header
  };
  /// Waits for it, up to a minute.
  Reply Receive();
  /// One without its length.
  static Reply ReplyIn(const std::string& bytes);
  /// False when the other side closes before.
  bool ReadExactly(size_t count, std::string* bytes);
  /// Nothing arrives for that long.
  bool IsSilentFor(int milliseconds);
  void Close();

 private:
  bool Shaken(int result);
  struct Tls;
  int socket_ = -1;
  std::unique_ptr<Tls> tls_;
  std::string error_;
};

}  // namespace fensi::capture
