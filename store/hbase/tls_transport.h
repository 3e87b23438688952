// TLS over the bytes of a GatewaySocket, and so with its deadline for each call.
//
// Thrift's own TSSLSocket has a timeout for each read and write alone, as its plain socket. Throws TTransportException
// and ConnectionRefused; used by one thread.
#pragma once

#include <thrift/transport/TVirtualTransport.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "store/hbase/gateway_socket.h"
#include "store/hbase/tls_context.h"

struct bio_st;
struct ssl_st;

namespace fensi::store {

class TlsTransport final : public apache::thrift::transport::TVirtualTransport<TlsTransport> {
 public:
  /// The certificate of the other side has to be for `host`.
  TlsTransport(std::shared_ptr<GatewaySocket> socket, std::string host);
  ~TlsTransport() override;

  /// On a connection that stands.
  void Handshake(const std::shared_ptr<const TlsContext>& context);
  /// The other side has closed it: between two calls, without waiting.
  bool Ended();

  bool isOpen() const override { return ssl_ != nullptr && socket_->isOpen(); }
  void close() override;
  uint32_t read(uint8_t* buffer, uint32_t length);
  void write(const uint8_t* buffer, uint32_t length);

 private:
  /// Calls OpenSSL and brings bytes until it has what it wants; what it returns then.
  int Drive(const std::function<int()>& step);
  void Send();
  void Receive();
  /// The other side has told why it ended: throws it.
  void FailIfTold();
  [[noreturn]] void Fail() const;
  void ExpectHost() const;

  const std::shared_ptr<GatewaySocket> socket_;
  const std::string host_;
  std::shared_ptr<const TlsContext> context_;
  ssl_st* ssl_ = nullptr;   // owns the next two
  bio_st* came_ = nullptr;  // bytes of the socket that OpenSSL has not read yet
  bio_st* goes_ = nullptr;  // its bytes that the socket has not taken yet
  bool was_asked_ = false;  // for a certificate, and we have none
};

}  // namespace fensi::store
