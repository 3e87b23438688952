// TLS as a client: the configuration of authorities and our certificate, and the causes of failed handshakes.
#pragma once

#include <openssl/ssl.h>

#include <functional>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "base/status.h"

namespace fensi {

/// Texts in PEM. Empty: the authorities of this machine; no client certificate.
struct TlsClientFiles {
  std::string authorities;
  std::string certificates;  // client certificate, with its issuers
  std::string key;           // private key, without a pass phrase

  bool operator==(const TlsClientFiles&) const = default;
};

/// TLS 1.2 or later; the server's certificate is always checked, and its name too. Thread-safe.
class TlsClientContext {
 public:
  /// kConfiguration: the PEM texts are invalid.
  static Result<std::shared_ptr<const TlsClientContext>> Create(const TlsClientFiles& pems);
  ~TlsClientContext();
  TlsClientContext(const TlsClientContext&) = delete;
  TlsClientContext& operator=(const TlsClientContext&) = delete;

  SSL_CTX* get() const { return context_; }
  bool has_certificate() const { return has_certificate_; }

 private:
  TlsClientContext();
  Status UseAuthorities(const std::string& pems);
  Status UseCertificate(const TlsClientFiles& pems);
  Status UseKey(const std::string& pem);

  SSL_CTX* const context_;
  bool has_certificate_ = false;
};

/// The TLS context of the current files. Thread-safe.
class TlsClientContexts {
 public:
  using Read = std::function<Result<TlsClientFiles>()>;

  /// Null: no files.
  explicit TlsClientContexts(Read read) : read_(std::move(read)) {}

  /// If the files are being written, returns the former context, and `kept` has the reason.
  Result<std::shared_ptr<const TlsClientContext>> Newest(std::string* kept);

 private:
  Result<std::shared_ptr<const TlsClientContext>> Make() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const Read read_;
  Mutex mu_;
  TlsClientFiles pems_ ABSL_GUARDED_BY(mu_);
  std::shared_ptr<const TlsClientContext> context_ ABSL_GUARDED_BY(mu_);  // made of pems_; null: not yet
};

/// One connection of a client over two memory buffers; its owner moves the bytes. One thread.
class TlsClient {
 public:
  /// The server's certificate must be for `host`. `plain`: the URL of a server without TLS, for messages.
  TlsClient(std::shared_ptr<const TlsClientContext> context, const std::string& host, std::string plain);
  ~TlsClient();
  TlsClient(const TlsClient&) = delete;
  TlsClient& operator=(const TlsClient&) = delete;

  SSL* ssl() const { return ssl_; }
  BIO* came() const { return came_; }  // received bytes that OpenSSL has not read yet
  BIO* goes() const { return goes_; }  // bytes of OpenSSL that are not sent yet
  /// Why the last call of OpenSSL failed (SSL_ERROR_SSL).
  Status Fault() const;

 private:
  void ExpectHost() const;

  const std::shared_ptr<const TlsClientContext> context_;
  const std::string host_;
  const std::string plain_;
  SSL* ssl_ = nullptr;  // owns the next two
  BIO* came_ = nullptr;
  BIO* goes_ = nullptr;
  bool was_asked_ = false;  // for a certificate, and we have none
};

}  // namespace fensi
