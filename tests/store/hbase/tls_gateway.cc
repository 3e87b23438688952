#include "tests/store/hbase/tls_gateway.h"

#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/THttpServer.h>
#include <thrift/transport/TSSLServerSocket.h>
#include <thrift/transport/TSSLSocket.h>

#include <csignal>

namespace fensi::store {

namespace transport = apache::thrift::transport;

std::unique_ptr<FakeGateway> MakeTlsGateway(const TlsGatewayOptions& options) {
  std::signal(SIGPIPE, SIG_IGN);  // Thrift's sockets by TLS raise it, as fensi's main() knows
  const auto factory = std::make_shared<transport::TSSLSocketFactory>();
  factory->server(true);
  factory->loadCertificateFromBuffer(options.shown.certificate.c_str());
  factory->loadPrivateKeyFromBuffer(options.shown.key.c_str());
  const bool asks = !options.client_authority.empty();
  if (asks) factory->loadTrustedCertificatesFromBuffer(options.client_authority.c_str());
  factory->authenticate(asks);
  factory->access(nullptr);
  const auto socket = std::make_shared<transport::TSSLServerSocket>("127.0.0.1", 0, factory);
  std::shared_ptr<transport::TTransportFactory> layers = std::make_shared<transport::TBufferedTransportFactory>();
  if (options.http) layers = std::make_shared<transport::THttpServerTransportFactory>();
  return std::make_unique<FakeGateway>(socket, layers);
}

}  // namespace fensi::store
