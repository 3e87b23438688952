#include "store/hbase/tls_context.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <new>

#include "base/tls.h"

namespace fensi::store {
namespace {

struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
struct FreeCertificate {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
struct FreeKey {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
using Certificate = std::unique_ptr<X509, FreeCertificate>;

std::unique_ptr<BIO, FreeBio> Reading(const std::string& text) {
  return std::unique_ptr<BIO, FreeBio>(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

int NoPassPhrase(char*, int, int, void*) { return -1; }

/// OpenSSL's last error, in its words; its queue is empty afterwards.
std::string LastError() {
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  ERR_clear_error();
  return reason == nullptr ? "it cannot be read" : reason;
}

Status Unusable(const std::string& flag, const std::string& why) {
  return Status(StatusCode::kConfiguration, flag + ": " + why);
}

/// Gives each certificate of the text to `use`; what is wrong with the text, or empty.
template <typename Use>
std::string EachCertificate(const std::string& pems, Use use) {
  const auto bio = Reading(pems);
  int count = 0;
  for (Certificate one(PEM_read_bio_X509(bio.get(), nullptr, NoPassPhrase, nullptr)); one != nullptr;
       one.reset(PEM_read_bio_X509(bio.get(), nullptr, NoPassPhrase, nullptr))) {
    if (!use(std::move(one), count++)) return LastError();
  }
  const bool at_end = count > 0 && ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  const std::string why = LastError();
  return at_end ? "" : "no certificates in PEM: " + why;
}

}  // namespace

TlsContext::TlsContext() : context_(SSL_CTX_new(TLS_client_method())) {
  if (context_ == nullptr) throw std::bad_alloc();
  HardenTls(context_);
  SSL_CTX_set_mode(context_, SSL_MODE_AUTO_RETRY);
  SSL_CTX_set_verify(context_, SSL_VERIFY_PEER, nullptr);
}

TlsContext::~TlsContext() { SSL_CTX_free(context_); }

Result<std::shared_ptr<const TlsContext>> TlsContext::Create(const GatewayPems& pems) {
  ERR_clear_error();
  const std::shared_ptr<TlsContext> made(new TlsContext());
  FENSI_RETURN_IF_ERROR(made->UseAuthorities(pems.authorities));
  if (!pems.certificates.empty()) FENSI_RETURN_IF_ERROR(made->UseCertificate(pems));
  return std::shared_ptr<const TlsContext>(made);
}

Status TlsContext::UseAuthorities(const std::string& pems) {
  if (pems.empty()) {
    SSL_CTX_set_default_verify_paths(context_);
    return Status();
  }
  X509_STORE* const known = SSL_CTX_get_cert_store(context_);
  const std::string fault =
      EachCertificate(pems, [known](Certificate one, int) { return X509_STORE_add_cert(known, one.get()) == 1; });
  return fault.empty() ? Status() : Unusable("--store_tls_ca_file", fault);
}

Status TlsContext::UseCertificate(const GatewayPems& pems) {
  std::string fault = EachCertificate(pems.certificates, [this](Certificate one, int number) {
    return number == 0 ? SSL_CTX_use_certificate(context_, one.get()) == 1
                       : SSL_CTX_add0_chain_cert(context_, one.release()) == 1;
  });
  if (fault.empty()) fault = FaultOfDates(context_);
  if (!fault.empty()) return Unusable("--store_tls_cert_file", fault);
  const auto bio = Reading(pems.key);
  const std::unique_ptr<EVP_PKEY, FreeKey> key(PEM_read_bio_PrivateKey(bio.get(), nullptr, NoPassPhrase, nullptr));
  if (key == nullptr || SSL_CTX_use_PrivateKey(context_, key.get()) != 1) {
    return Unusable("--store_tls_key_file",
                    "no key in PEM without a pass phrase that belongs to the certificate: " + LastError());
  }
  has_certificate_ = true;
  return Status();
}

Result<std::shared_ptr<const TlsContext>> TlsContexts::Newest(std::string* kept) {
  const MutexLock lock(mu_);
  Result<std::shared_ptr<const TlsContext>> newest = Make();
  if (newest.ok() || context_ == nullptr) return newest;
  *kept = newest.status().message();
  return context_;
}

Result<std::shared_ptr<const TlsContext>> TlsContexts::Make() {
  Result<GatewayPems> found = read_ ? read_() : GatewayPems();
  if (!found.ok()) return found.status();
  if (context_ != nullptr && *found == pems_) return context_;
  Result<std::shared_ptr<const TlsContext>> made = TlsContext::Create(*found);
  if (!made.ok()) return made;
  pems_ = std::move(*found);
  context_ = *made;
  return made;
}

}  // namespace fensi::store
