// What TLS to a gateway is made with: authorities, our certificate and its key.
//
// TLS 1.2 or later; the gateway's certificate is always looked at, and its name too. Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "base/status.h"
#include "store/gateway_security.h"

struct ssl_ctx_st;

namespace fensi::store {

class TlsContext {
 public:
  /// kConfiguration: the texts are not what they should be.
  static Result<std::shared_ptr<const TlsContext>> Create(const GatewayPems& pems);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  ssl_ctx_st* get() const { return context_; }
  bool has_certificate() const { return has_certificate_; }

 private:
  TlsContext();
  Status UseAuthorities(const std::string& pems);
  Status UseCertificate(const GatewayPems& pems);
  Status UseKey(const std::string& pem);

  ssl_ctx_st* const context_;
  bool has_certificate_ = false;
};

/// The context of what the files say now.
class TlsContexts {
 public:
  using Read = std::function<Result<GatewayPems>()>;

  /// Null: no files.
  explicit TlsContexts(Read read) : read_(std::move(read)) {}

  /// Files that are being written are no reason to give up: then it is the former one, and `kept` says why.
  Result<std::shared_ptr<const TlsContext>> Newest(std::string* kept);

 private:
  Result<std::shared_ptr<const TlsContext>> Make() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const Read read_;
  Mutex mu_;
  GatewayPems pems_ ABSL_GUARDED_BY(mu_);
  std::shared_ptr<const TlsContext> context_ ABSL_GUARDED_BY(mu_);  // of pems_; null: none was made yet
};

}  // namespace fensi::store
