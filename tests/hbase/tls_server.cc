#include "tests/hbase/tls_server.h"

#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <array>
#include <mutex>

namespace fensi::hbase {
namespace {

std::unique_ptr<BIO, decltype(&BIO_free)> Reading(const std::string& text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), &BIO_free};
}

class TlsWire final : public Wire {
 public:
  TlsWire(int socket, const TlsServer& server) : Wire(socket), context_(SSL_CTX_new(TLS_server_method())) {
    X509* certificate = PEM_read_bio_X509(Reading(server.shown.certificate).get(), nullptr, nullptr, nullptr);
    EVP_PKEY* key = PEM_read_bio_PrivateKey(Reading(server.shown.key).get(), nullptr, nullptr, nullptr);
    SSL_CTX_use_certificate(context_, certificate);
    SSL_CTX_use_PrivateKey(context_, key);
    X509_free(certificate);
    EVP_PKEY_free(key);
    if (!server.client_authority.empty()) {
      X509* issuer = PEM_read_bio_X509(Reading(server.client_authority).get(), nullptr, nullptr, nullptr);
      X509_STORE_add_cert(SSL_CTX_get_cert_store(context_), issuer);
      X509_free(issuer);
      SSL_CTX_set_verify(context_, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    }
    ssl_ = SSL_new(context_);
    came_ = BIO_new(BIO_s_mem());
    goes_ = BIO_new(BIO_s_mem());
    SSL_set_bio(ssl_, came_, goes_);
  }
  ~TlsWire() override {
    SSL_free(ssl_);
    SSL_CTX_free(context_);
  }

  bool Shake() {
    SSL_set_accept_state(ssl_);
    while (true) {
      const int result = SSL_do_handshake(ssl_);
      SendOutput();
      if (result == 1) return true;
      if (SSL_get_error(ssl_, result) != SSL_ERROR_WANT_READ || !Receive()) return false;
    }
  }

  bool Read(size_t bytes, std::string* into) override {
    if (bytes > 64 << 20) return false;
    into->resize(bytes);
    for (size_t at = 0; at < bytes;) {
      int got = 0;
      {
        const std::lock_guard lock(mu_);
        got = SSL_read(ssl_, into->data() + at, static_cast<int>(bytes - at));
        if (got <= 0 && SSL_get_error(ssl_, got) != SSL_ERROR_WANT_READ) return false;
      }
      if (got > 0) at += static_cast<size_t>(got);
      if (got <= 0 && !Receive()) return false;
    }
    return true;
  }

  void Send(std::string_view bytes) override {
    const std::lock_guard lock(mu_);
    SSL_write(ssl_, bytes.data(), static_cast<int>(bytes.size()));
    SendOutput();
  }

 private:
  bool Receive() {
    std::array<char, 16 << 10> bytes;
    const ssize_t got = recv(socket(), bytes.data(), bytes.size(), 0);
    if (got <= 0) return false;
    const std::lock_guard lock(mu_);
    BIO_write(came_, bytes.data(), static_cast<int>(got));
    return true;
  }
  void SendOutput() {
    std::array<char, 16 << 10> bytes;
    for (int count = 0; (count = BIO_read(goes_, bytes.data(), bytes.size())) > 0;) {
      Wire::Send({bytes.data(), static_cast<size_t>(count)});
    }
  }

  SSL_CTX* const context_;
  std::mutex mu_;
  SSL* ssl_ = nullptr;
  BIO* came_ = nullptr;
  BIO* goes_ = nullptr;
};

}  // namespace

std::unique_ptr<Wire> TlsServer::Shake(int socket) const {
  auto wire = std::make_unique<TlsWire>(socket, *this);
  if (!wire->Shake()) return nullptr;
  return wire;
}

}  // namespace fensi::hbase
