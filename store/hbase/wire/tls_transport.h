// TLS over the bytes of a GatewaySocket, with its deadline for each call.
//
// Thrift's own TSSLSocket has only a timeout for each read and write, as its plain socket. Throws TTransportException
// and ConnectionRefused; used by one thread.
#pragma once

#include <thrift/transport/TVirtualTransport.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/tls_client.h"
#include "store/hbase/wire/gateway_socket.h"

namespace fensi::store {

class TlsTransport final : public apache::thrift::transport::TVirtualTransport<TlsTransport> {
 public:
  /// The gateway's certificate must be for `host`.
  TlsTransport(std::shared_ptr<GatewaySocket> socket, std::string host);
  ~TlsTransport() override;

  /// Runs the handshake on a connected socket.
  void Handshake(const std::shared_ptr<const TlsClientContext>& context);
  /// True if the gateway has closed the connection: between two calls, without waiting.
  bool Ended();

  bool isOpen() const override { return client_ != nullptr && socket_->isOpen(); }
  void close() override;
  uint32_t read(uint8_t* buffer, uint32_t length);
  void write(const uint8_t* buffer, uint32_t length);

 private:
  /// Calls OpenSSL and transfers bytes until the call is complete; returns its result.
  int Drive(const std::function<int()>& step);
  void Send();
  void Receive();
  /// Throws the reason, if the gateway has sent one.
  void FailIfTold();
  [[noreturn]] void Fail() const;

  const std::shared_ptr<GatewaySocket> socket_;
  const std::string host_;
  std::unique_ptr<TlsClient> client_;  // null: not connected
};

}  // namespace fensi::store
