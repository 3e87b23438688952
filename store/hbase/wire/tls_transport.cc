#include "store/hbase/wire/tls_transport.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <utility>

#include "store/hbase/wire/gateway_socket.h"

namespace fensi::store {
namespace {

using apache::thrift::transport::TTransportException;

constexpr uint32_t kPieceBytes = 64 << 10;

}  // namespace

TlsTransport::TlsTransport(std::shared_ptr<GatewaySocket> socket, std::string host)
    : socket_(std::move(socket)), host_(std::move(host)) {}

TlsTransport::~TlsTransport() { TlsTransport::close(); }

void TlsTransport::close() {
  client_.reset();
  socket_->close();
}

void TlsTransport::Handshake(const std::shared_ptr<const TlsClientContext>& context) {
  client_ = std::make_unique<TlsClient>(context, host_, "thrift://");
  Drive([this] { return SSL_connect(client_->ssl()); });
}

int TlsTransport::Drive(const std::function<int()>& step) {
  while (true) {
    ERR_clear_error();
    const int result = step();
    const int error = SSL_get_error(client_->ssl(), result);
    if (error == SSL_ERROR_SSL) Fail();
    Send();
    if (result > 0) return result;
    if (error == SSL_ERROR_ZERO_RETURN) {
      throw TTransportException(TTransportException::END_OF_FILE,
                                "the gateway closed the connection before it had answered");
    }
    Receive();
  }
}

void TlsTransport::Fail() const { throw ConnectionRefused(client_->Fault()); }

void TlsTransport::Send() {
  std::array<uint8_t, 16 << 10> bytes;
  while (true) {
    const int count = BIO_read(client_->goes(), bytes.data(), bytes.size());
    if (count <= 0) return;
    try {
      socket_->write(bytes.data(), static_cast<uint32_t>(count));
    } catch (const TTransportException&) {
      FailIfTold();
      throw;
    }
  }
}

void TlsTransport::FailIfTold() {
  std::string came;
  socket_->Ended(&came);
  BIO_write(client_->came(), came.data(), static_cast<int>(came.size()));
  ERR_clear_error();
  char unused = 0;
  if (SSL_get_error(client_->ssl(), SSL_peek(client_->ssl(), &unused, 1)) == SSL_ERROR_SSL) Fail();
}

void TlsTransport::Receive() {
  std::array<uint8_t, 16 << 10> bytes;
  const uint32_t count = socket_->read(bytes.data(), bytes.size());
  BIO_write(client_->came(), bytes.data(), static_cast<int>(count));
}

bool TlsTransport::Ended() {
  std::string came;
  const bool ended = socket_->Ended(&came);
  BIO_write(client_->came(), came.data(), static_cast<int>(came.size()));
  ERR_clear_error();
  char unused = 0;
  const int result = SSL_peek(client_->ssl(), &unused, 1);  // also takes tickets, which come behind a handshake
  return ended || SSL_get_error(client_->ssl(), result) != SSL_ERROR_WANT_READ;
}

uint32_t TlsTransport::read(uint8_t* buffer, uint32_t length) {
  const int most = static_cast<int>(std::min(length, kPieceBytes));
  return static_cast<uint32_t>(Drive([&] { return SSL_read(client_->ssl(), buffer, most); }));
}

void TlsTransport::write(const uint8_t* buffer, uint32_t length) {
  while (length > 0) {
    const uint32_t piece = std::min(length, kPieceBytes);
    Drive([&] { return SSL_write(client_->ssl(), buffer, static_cast<int>(piece)); });
    buffer += piece;
    length -= piece;
  }
}

}  // namespace fensi::store
