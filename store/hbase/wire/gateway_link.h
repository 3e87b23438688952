// All layers of one connection to a gateway: socket, TLS, SASL or HTTP as configured, buffers, Thrift's client.
//
// Throws the exceptions of the layers, each with the layer's name as prefix; used by one thread.
#pragma once

#include <thrift/TConfiguration.h>
#include <thrift/transport/TBufferTransports.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "THBaseService.h"
#include "store/hbase/messages/write_calls.h"
#include "store/hbase/wire/gateway_socket.h"
#include "store/hbase/wire/http_transport.h"
#include "store/hbase/wire/sasl_transport.h"
#include "store/hbase/wire/tls_transport.h"

namespace fensi::store {

/// The layers over the socket, from below; all empty: none.
struct GatewayLayers {
  std::shared_ptr<TlsClientContexts> tls;  // shared by the connections of a store
  std::function<std::shared_ptr<SaslSession>()> sasl;
  std::string http_path;  // "/"; not with sasl
};

class GatewayLink {
 public:
  GatewayLink(const std::string& host, int port, const GatewayLayers& layers);

  /// Begins a call, and connects if necessary; that takes `connect_timeout` at most. `go_on` as in
  /// GatewaySocket::StartCall.
  void StartCall(const CallLimit& limit, std::chrono::milliseconds connect_timeout, int most_bytes,
                 const std::function<Status()>* go_on);
  /// Between two calls: true if the gateway accepts another one.
  bool IsUsable();

  /// True if all layers are connected.
  bool is_open() const { return open_; }
  /// The error of `go_on` that ended the call, or ok.
  const Status& ended_by() const { return socket_->ended_by(); }
  /// Why the current certificate files are not used; empty: they are.
  const std::string& kept() const { return kept_; }
  thrift2::THBaseServiceClient& client() { return client_; }

 private:
  using Bytes = std::shared_ptr<apache::thrift::transport::TTransport>;

  /// Counts the bytes of each call from zero: Thrift adds up everything that a connection has ever received, and ends
  /// it at the limit of one message.
  class Buffers final : public apache::thrift::transport::TBufferedTransport {
   public:
    using TBufferedTransport::TBufferedTransport;
    void StartCall() { resetConsumedMessageSize(); }
  };

  /// Builds the layers over the socket; returns the uppermost.
  Bytes PutLayers(const std::string& host, int port);
  void Open(std::chrono::milliseconds timeout);
  void ShakeHands();
  void Negotiate();
  bool Ended();

  const GatewayLayers layers_;
  std::string kept_;
  const std::shared_ptr<apache::thrift::TConfiguration> configuration_;
  const std::shared_ptr<GatewaySocket> socket_;
  // Each is null unless configured.
  std::shared_ptr<TlsTransport> tls_;
  std::shared_ptr<SaslTransport> sasl_;
  std::shared_ptr<HttpTransport> http_;
  const std::shared_ptr<Buffers> buffers_;
  const std::shared_ptr<GatewayProtocol> protocol_;
  thrift2::THBaseServiceClient client_;
  bool open_ = false;
};

}  // namespace fensi::store
