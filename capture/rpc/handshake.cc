#include "capture/rpc/handshake.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>

#include <memory>

#include "base/bytes.h"
#include "capture/rpc/frame.h"

namespace fensi::capture {
namespace {

using boost::system::error_code;

Status PlainToTls() {
  return Status(
      StatusCode::kConfiguration,
      "the region server connects without TLS, and this capture demands TLS (--tls_cert_file). Set "
      "hbase.client.netty.tls.enabled to true and hbase.rpc.tls.truststore.location in the CONFIG of the replication "
      "peer: the command of the capture prints these settings with --plan");
}

Status HeaderTooLarge(size_t bytes) {
  return Status(StatusCode::kInvalidArgument,
                "the connection header of the client has " + std::to_string(bytes) + " bytes, and the limit is " +
                    std::to_string(kMaxConnectionHeaderBytes) + " bytes" + kNoRegionServer);
}

}  // namespace

void Handshake::Begin() {
  const bool tls = context_->tls != nullptr;
  link_->Expect(context_->limits.handshake_timeout,
                std::string(tls ? "a TLS handshake, " : "") + "a preamble and a connection header in time");
  if (!tls) return ReadPreamble();
  link_->stream().Sniff([this, link = link_->shared_from_this()](const error_code& error, bool begins_as_tls) {
    if (!link->open()) return;
    if (error) return link->Close();
    begins_as_tls ? Shake() : ReadPreamble();
  });
}

void Handshake::Shake() {
  link_->stream().Handshake(context_->tls, [this, link = link_->shared_from_this()](const error_code& error) {
    if (!link->open()) return;
    error ? link->Break(error) : ReadPreamble();
  });
}

void Handshake::ReadPreamble() {
  const auto bytes = std::make_shared<std::string>();
  link_->Read(bytes, kPreambleBytes, [this, bytes] { TakePreamble(*bytes); });
}

void Handshake::TakePreamble(std::string_view preamble) {
  Status status = CheckPreamble(preamble, context_->kerberos != nullptr);
  if (status.ok() && context_->tls != nullptr && !link_->stream().is_tls()) status = PlainToTls();
  if (!status.ok() && SpeaksSasl(preamble)) {
    return link_->RefuseWith(SaslRefusal(status.message()), status, Severity::kWarning);
  }
  if (!status.ok()) return link_->Refuse(status, Severity::kWarning);
  context_->kerberos == nullptr ? ReadHeaderLength() : sasl_.Begin();
}

void Handshake::EndSasl() {
  if (link_->seal() == nullptr) return ReadHeaderLength();
  wants_header_ = true;
  done_();
}

void Handshake::ReadHeaderLength() {
  const auto bytes = std::make_shared<std::string>();
  link_->Read(bytes, 4, [this, bytes] { ReadHeader(ReadBigEndian32(*bytes)); });
}

void Handshake::ReadHeader(uint32_t length) {
  if (length > kMaxConnectionHeaderBytes) {
    return link_->Refuse(HeaderTooLarge(length));
  }
  const auto bytes = std::make_shared<std::string>();
  link_->Read(bytes, length, [this, bytes] {
    TakeHeader(*bytes);
    if (!link_->open() || link_->refused()) return;
    link_->Calm();
    done_();
  });
}

void Handshake::TakeHeader(std::string_view header) {
  wants_header_ = false;
  std::string about;
  const Status status =
      header.size() > kMaxConnectionHeaderBytes ? HeaderTooLarge(header.size()) : CheckConnectionHeader(header, &about);
  if (!status.ok()) return link_->Refuse(status);
  if (!link_->ready()) link_->BecomeReady(about);
}

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
    return "the file is a Java keystore (JKS). Convert it to PEM: keytool -importkeystore -srckeystore FILE "
           "-destkeystore FILE.p12 -deststoretype pkcs12, then openssl pkcs12 -in FILE.p12" +
           FromStore(wanted);
  }
  if (Reads(&d2i_PKCS12, bytes)) {
    return "the file is a keystore (PKCS#12). Convert it to PEM: openssl pkcs12 -in FILE" + FromStore(wanted);
  }
  if (Reads(&d2i_X509, bytes)) {
    return "the file is a certificate in DER. Convert it to PEM: openssl x509 -inform der -in FILE -out "
           "CERTIFICATES.pem";
  }
  if (Reads(&d2i_AutoPrivateKey, bytes)) {
    return "the file is a key in DER. Convert it to PEM: openssl pkey -inform der -in FILE -out KEY.pem";
  }
  if (bytes.find("-----BEGIN ENCRYPTED PRIVATE KEY-----") != std::string::npos ||
      bytes.find("Proc-Type: 4,ENCRYPTED") != std::string::npos) {
    return "the key has a pass phrase. Write it without: openssl pkey -in FILE -out KEY.pem";
  }
  return "";
}

}  // namespace fensi::capture
