#include "store/hbase/wire/gateway_link.h"

#include <algorithm>
#include <future>

#include "base/kerberos.h"
#include "base/unattended.h"
#include "store/hbase/wire/gateway_socket.h"

namespace fensi::store {
namespace {

using apache::thrift::TConfiguration;
using apache::thrift::transport::TTransportException;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Read and write buffer of a connection.
constexpr uint32_t kBufferBytes = 64 << 10;

/// Adds to an error of the connection what was being done and what may have caused it.
template <typename Step>
void InLayer(const std::string& layer, const std::string& hint, Step step) {
  try {
    step();
  } catch (const TTransportException& fault) {
    throw TTransportException(fault.getType(), layer + ": " + fault.what() + hint);
  }
}

/// Starts on a thread that ends when the KDCs have answered or timed out: the caller need not wait for it.
std::future<Result<std::string>> StartOnItsOwn(std::shared_ptr<SaslSession> session) {
  auto first = RunDetached([session = std::move(session)] { return session->Start(); });
  if (!first) throw TTransportException(NoThreadText("for the login"));
  return *std::move(first);
}

}  // namespace

GatewayLink::GatewayLink(const std::string& host, int port, const GatewayLayers& layers)
    : layers_(layers),
      configuration_(std::make_shared<TConfiguration>()),
      socket_(std::make_shared<GatewaySocket>(host, port, configuration_)),
      buffers_(std::make_shared<Buffers>(PutLayers(host, port), kBufferBytes, configuration_)),
      protocol_(std::make_shared<GatewayProtocol>(buffers_)),
      client_(protocol_) {}

GatewayLink::Bytes GatewayLink::PutLayers(const std::string& host, int port) {
  Bytes upper = socket_;
  if (layers_.tls != nullptr) upper = tls_ = std::make_shared<TlsTransport>(socket_, host);
  if (layers_.sasl) upper = sasl_ = std::make_shared<SaslTransport>(upper, layers_.sasl(), configuration_);
  if (layers_.http_path.empty()) return upper;
  return http_ =
             std::make_shared<HttpTransport>(upper, hbase::AddressText(host, port), layers_.http_path, configuration_);
}

void GatewayLink::StartCall(const CallLimit& limit, milliseconds connect_timeout, int most_bytes,
                            const std::function<Status()>* go_on) {
  const auto begin = steady_clock::now();
  configuration_->setMaxMessageSize(most_bytes);  // first: it is read where a call starts
  protocol_->setStringSizeLimit(most_bytes);      // Thrift makes room for a string before its bytes have come
  if (!open_) {
    const milliseconds left = std::min(limit.left, connect_timeout);
    socket_->StartCall({left, std::min(limit.asked, connect_timeout)}, go_on);
    Open(left);
  }
  const auto spent = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin);
  socket_->StartCall({limit.left - spent, limit.asked}, go_on);
  buffers_->StartCall();
}

void GatewayLink::Open(milliseconds timeout) {
  socket_->Connect(timeout);
  if (tls_ != nullptr) ShakeHands();
  if (sasl_ != nullptr) Negotiate();
  open_ = true;
}

void GatewayLink::ShakeHands() {
  Result<std::shared_ptr<const TlsClientContext>> context = layers_.tls->Newest(&kept_);
  if (!context.ok()) throw ConnectionRefused(context.status());
  InLayer("TLS", ". If this port has no TLS, write thrift:// in --store", [&] { tls_->Handshake(*context); });
}

void GatewayLink::Negotiate() {
  std::string hint;  // empty while the gateway is not asked yet
  const auto start = [this, &hint](std::shared_ptr<SaslSession> session) {
    std::future<Result<std::string>> first = StartOnItsOwn(std::move(session));
    socket_->WaitFor([&first](milliseconds most) { return first.wait_for(most) == std::future_status::ready; },
                     SilentKdcText());
    hint = ". Check that the gateway uses Kerberos (hbase.thrift.security.qop)";
    return first.get();
  };
  InLayer("Kerberos", hint, [&] { sasl_->Negotiate(start); });
}

bool GatewayLink::Ended() {
  if (tls_ != nullptr) return tls_->Ended();
  std::string came;
  return socket_->Ended(&came) || !came.empty();
}

bool GatewayLink::IsUsable() { return open_ && !(http_ != nullptr && http_->closes()) && !Ended(); }

}  // namespace fensi::store
