#include "tests/support/authority.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

namespace fensi::testing {

/// Not file-local: Authority::Parts, which is declared in the header, is made of these.
struct FreeOpenSsl {
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(BIO* bio) const { BIO_free(bio); }
};
using OpenSslCertificate = std::unique_ptr<X509, FreeOpenSsl>;
using OpenSslKey = std::unique_ptr<EVP_PKEY, FreeOpenSsl>;

namespace {

using Memory = std::unique_ptr<BIO, FreeOpenSsl>;

constexpr long kDaySeconds = 86'400;

OpenSslKey NewKey() { return OpenSslKey(EVP_EC_gen("P-256")); }

std::string TextOf(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return std::string(data, static_cast<size_t>(size));
}

std::string Pem(X509* certificate) {
  const Memory bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(bio.get(), certificate);
  return TextOf(bio.get());
}

std::string Pem(EVP_PKEY* key, const char* phrase = nullptr) {
  const Memory bio(BIO_new(BIO_s_mem()));
  const EVP_CIPHER* const cipher = phrase == nullptr ? nullptr : EVP_aes_128_cbc();
  PEM_write_bio_PKCS8PrivateKey(bio.get(), key, cipher, phrase, phrase == nullptr ? 0 : 4, nullptr, nullptr);
  return TextOf(bio.get());
}

void Extend(X509* certificate, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value);
  ASSERT_NE(extension, nullptr);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

/// Of so many days, not yet signed.
OpenSslCertificate NewCertificate(const std::string& name, EVP_PKEY* key, int days) {
  static long serial = 0;
  OpenSslCertificate certificate(X509_new());
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), ++serial);
  const long begin = days < 0 ? 2 * days * kDaySeconds : -kDaySeconds;
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), begin);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), days * kDaySeconds);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  X509_set_pubkey(certificate.get(), key);
  return certificate;
}

}  // namespace

struct Authority::Parts {
  OpenSslKey key;
  OpenSslCertificate certificate;
};

Authority::Authority(const std::string& name) : parts_(new Parts{NewKey(), nullptr}) {
  parts_->certificate = NewCertificate(name, parts_->key.get(), 2);
  X509* const raw = parts_->certificate.get();
  X509_set_issuer_name(raw, X509_get_subject_name(raw));
  Extend(raw, NID_basic_constraints, "critical,CA:TRUE");
  X509_sign(raw, parts_->key.get(), EVP_sha256());
}

Authority::~Authority() = default;

std::string Authority::certificate() const { return Pem(parts_->certificate.get()); }

IssuedPems Authority::Issue(const std::string& name, int days, const std::string& hosts, int in_days) const {
  const OpenSslKey key = NewKey();
  const OpenSslCertificate certificate = NewCertificate(name, key.get(), days + in_days);
  if (in_days > 0) X509_gmtime_adj(X509_getm_notBefore(certificate.get()), in_days * kDaySeconds);
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(parts_->certificate.get()));
  Extend(certificate.get(), NID_subject_alt_name, hosts.c_str());
  X509_sign(certificate.get(), parts_->key.get(), EVP_sha256());
  return {Pem(certificate.get()), Pem(key.get()), this->certificate()};
}

std::string EncryptedKey() { return Pem(NewKey().get(), "word"); }

}  // namespace fensi::testing
