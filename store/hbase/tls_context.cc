#include "store/hbase/tls_context.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <new>

#include "base/tls.h"

namespace fensi::store {
namespace {

struct FreeKey {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};

Status Unusable(const std::string& flag, const std::string& why) {
  return Status(StatusCode::kConfiguration, flag + ": " + why);
}

Status NoCertificates(const std::string& flag, const Status& why) {
  return Unusable(flag, "no certificates in PEM: " + why.message());
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
  const auto authorities = CertificatesIn(pems);
  if (!authorities.ok()) return NoCertificates("--store_tls_ca_file", authorities.status());
  for (const CertificateHandle& one : *authorities) {
    if (X509_STORE_add_cert(SSL_CTX_get_cert_store(context_), one.get()) != 1) {
      return Unusable("--store_tls_ca_file", LastTlsError());
    }
  }
  return Status();
}

/// The first of the text is ours, those behind it lead to an authority.
Status TlsContext::UseCertificate(const GatewayPems& pems) {
  auto chain = CertificatesIn(pems.certificates);
  if (!chain.ok()) return NoCertificates("--store_tls_cert_file", chain.status());
  bool taken = SSL_CTX_use_certificate(context_, chain->front().get()) == 1;
  for (size_t i = 1; i < chain->size() && taken; ++i) {
    taken = SSL_CTX_add1_chain_cert(context_, (*chain)[i].get()) == 1;
  }
  const std::string fault = taken ? FaultOfDates(context_) : LastTlsError();
  if (!fault.empty()) return Unusable("--store_tls_cert_file", fault);
  return UseKey(pems.key);
}

Status TlsContext::UseKey(const std::string& pem) {
  const auto bio = Reading(pem);
  const std::unique_ptr<EVP_PKEY, FreeKey> key(PEM_read_bio_PrivateKey(bio.get(), nullptr, NoPassPhrase, nullptr));
  if (key == nullptr || SSL_CTX_use_PrivateKey(context_, key.get()) != 1) {
    return Unusable("--store_tls_key_file",
                    "no key in PEM without a pass phrase that belongs to the certificate: " + LastTlsError());
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
