#include "capture/rpc/other_form.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>

#include <memory>

namespace fensi::capture {
namespace {

struct FreeDecoded {
  void operator()(PKCS12* store) const { PKCS12_free(store); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};

/// Is it what this function of OpenSSL reads?
template <typename Object>
bool Reads(Object* (*decode)(Object**, const unsigned char**, long), const std::string& bytes) {
  auto at = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::unique_ptr<Object, FreeDecoded> object(decode(nullptr, &at, static_cast<long>(bytes.size())));
  ERR_clear_error();
  return object != nullptr;
}

/// Java's own forms, the second with stronger ciphers.
bool IsJavaStore(const std::string& bytes) {
  return bytes.starts_with("\xfe\xed\xfe\xed") || bytes.starts_with("\xce\xce\xce\xce");
}

std::string FromStore(PemContent wanted) {
  return wanted == PemContent::kKey ? " -nocerts -nodes -out KEY.pem" : " -nokeys -out CERTIFICATES.pem";
}

}  // namespace

std::string OtherForm(const std::string& bytes, PemContent wanted) {
  if (IsJavaStore(bytes)) {
    return "it is a Java keystore (JKS); make PEM of it: keytool -importkeystore -srckeystore FILE -destkeystore "
           "FILE.p12 -deststoretype pkcs12, then openssl pkcs12 -in FILE.p12" +
           FromStore(wanted);
  }
  if (Reads(&d2i_PKCS12, bytes)) {
    return "it is a keystore (PKCS#12); make PEM of it: openssl pkcs12 -in FILE" + FromStore(wanted);
  }
  if (Reads(&d2i_X509, bytes)) {
    return "it is a certificate in DER; make PEM of it: openssl x509 -inform der -in FILE -out CERTIFICATES.pem";
  }
  if (Reads(&d2i_AutoPrivateKey, bytes)) {
    return "it is a key in DER; make PEM of it: openssl pkey -inform der -in FILE -out KEY.pem";
  }
  if (bytes.find("-----BEGIN ENCRYPTED PRIVATE KEY-----") != std::string::npos ||
      bytes.find("Proc-Type: 4,ENCRYPTED") != std::string::npos) {
    return "it has a pass phrase; take it away: openssl pkey -in FILE -out KEY.pem";
  }
  return "";
}

}  // namespace fensi::capture
