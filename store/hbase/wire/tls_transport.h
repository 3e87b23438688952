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

#include "base/mutex.h"
#include "base/status.h"
#include "store/gateway_security.h"
#include "store/hbase/wire/gateway_socket.h"

struct ssl_ctx_st;

struct bio_st;
struct ssl_st;

namespace fensi::store {

/// The TLS configuration for a gateway: authorities, our certificate and its key.
///
/// TLS 1.2 or later; the gateway's certificate is always checked, and its name too. Thread-safe.
class TlsContext {
 public:
  /// kConfiguration: the PEM texts are invalid.
  static Result<std::shared_ptr<const TlsContext>> Create(const GatewayTlsFiles& pems);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  ssl_ctx_st* get() const { return context_; }
  bool has_certificate() const { return has_certificate_; }

 private:
  TlsContext();
  Status UseAuthorities(const std::string& pems);
  Status UseCertificate(const GatewayTlsFiles& pems);
  Status UseKey(const std::string& pem);

  ssl_ctx_st* const context_;
  bool has_certificate_ = false;
};

/// The TLS context of the current files.
class TlsContexts {
 public:
  using Read = std::function<Result<GatewayTlsFiles>()>;

  /// Null: no files.
  explicit TlsContexts(Read read) : read_(std::move(read)) {}

  /// If the files are being written, returns the former context, and `kept` has the reason.
  Result<std::shared_ptr<const TlsContext>> Newest(std::string* kept);

 private:
  Result<std::shared_ptr<const TlsContext>> Make() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const Read read_;
  Mutex mu_;
  GatewayTlsFiles pems_ ABSL_GUARDED_BY(mu_);
  std::shared_ptr<const TlsContext> context_ ABSL_GUARDED_BY(mu_);  // made of pems_; null: not yet
};

// TLS over the bytes of a GatewaySocket.

class TlsTransport final : public apache::thrift::transport::TVirtualTransport<TlsTransport> {
 public:
  /// The gateway's certificate must be for `host`.
  TlsTransport(std::shared_ptr<GatewaySocket> socket, std::string host);
  ~TlsTransport() override;

  /// Runs the handshake on a connected socket.
  void Handshake(const std::shared_ptr<const TlsContext>& context);
  /// True if the gateway has closed the connection: between two calls, without waiting.
  bool Ended();

  bool isOpen() const override { return ssl_ != nullptr && socket_->isOpen(); }
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
  void ExpectHost() const;

  const std::shared_ptr<GatewaySocket> socket_;
  const std::string host_;
  std::shared_ptr<const TlsContext> context_;
  ssl_st* ssl_ = nullptr;   // owns the next two
  bio_st* came_ = nullptr;  // received bytes that OpenSSL has not read yet
  bio_st* goes_ = nullptr;  // bytes of OpenSSL that are not sent yet
  bool was_asked_ = false;  // for a certificate, and we have none
};

}  // namespace fensi::store
