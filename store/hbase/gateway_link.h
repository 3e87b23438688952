// All layers of one connection to a gateway: socket, TLS, SASL or HTTP as they are asked for, buffers, Thrift's client.
//
// Throws what they throw, each with the layer's name in front; used by one thread.
#pragma once

#include <thrift/TConfiguration.h>
#include <thrift/transport/TBufferTransports.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "THBaseService.h"
#include "store/hbase/gateway_socket.h"
#include "store/hbase/http_transport.h"
#include "store/hbase/sasl_transport.h"
#include "store/hbase/tls_transport.h"
#include "store/hbase/write_calls.h"

namespace fensi::store {

/// What is put over the socket, from below; all empty: nothing.
struct GatewayLayers {
  std::shared_ptr<TlsContexts> tls;  // shared by the connections of a store
  std::function<std::shared_ptr<SaslSession>()> sasl;
  std::string http_path;  // "/"; not with sasl
};

/// As people write it: an address of numbers and colons is put in brackets.
std::string GatewayName(const std::string& host, int port);

class GatewayLink {
 public:
  GatewayLink(const std::string& host, int port, const GatewayLayers& layers);

  /// Begins a call, and a connection if there is none; that takes `connect_timeout` at most. `go_on` as in
  /// GatewaySocket::StartCall.
  void StartCall(const CallLimit& limit, std::chrono::milliseconds connect_timeout, int most_bytes,
                 const std::function<Status()>* go_on);
  /// Between two calls: whether the other side takes another one.
  bool IsUsable();

  /// Layers and all: bytes of calls flow.
  bool is_open() const { return open_; }
  /// Why `go_on` ended the call, or ok.
  const Status& ended_by() const { return socket_->ended_by(); }
  /// Why the files of certificates are not those that count; empty: they are.
  const std::string& kept() const { return kept_; }
  thrift2::THBaseServiceClient& client() { return client_; }

 private:
  using Bytes = std::shared_ptr<apache::thrift::transport::TTransport>;

  /// Thrift adds up what a connection has ever brought and ends it at the limit of one message: here each call counts
  /// from zero.
  class Buffers final : public apache::thrift::transport::TBufferedTransport {
   public:
    using TBufferedTransport::TBufferedTransport;
    void StartCall() { resetConsumedMessageSize(); }
  };

  /// Makes the layers over the socket; the uppermost of them.
  Bytes PutLayers(const std::string& host, int port);
  void Open(std::chrono::milliseconds timeout);
  void ShakeHands();
  void Negotiate();
  bool Ended();

  const GatewayLayers layers_;
  std::string kept_;
  const std::shared_ptr<apache::thrift::TConfiguration> configuration_;
  const std::shared_ptr<GatewaySocket> socket_;
  // Each is null where it is not asked for.
  std::shared_ptr<TlsTransport> tls_;
  std::shared_ptr<SaslTransport> sasl_;
  std::shared_ptr<HttpTransport> http_;
  const std::shared_ptr<Buffers> buffers_;
  const std::shared_ptr<GatewayProtocol> protocol_;
  thrift2::THBaseServiceClient client_;
  bool open_ = false;
};

}  // namespace fensi::store
