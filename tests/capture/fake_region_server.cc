#include "tests/capture/fake_region_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/context.hpp>

#include "proto/hbase_replication.pb.h"

namespace fensi::capture {

struct FakeRegionServer::Tls {
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  SSL* connection = nullptr;
  ~Tls() {
    SSL_free(connection);
    SSL_CTX_free(context);
  }
};

namespace {

void UsePems(SSL_CTX* context, const TlsPems& pems) {
  boost::system::error_code error;
  boost::asio::ssl::context borrowed(context);  // takes it over …
  SSL_CTX_up_ref(context);                      // … so this one stays ours
  borrowed.add_certificate_authority(boost::asio::buffer(pems.client_authorities), error);
  if (pems.certificates.empty()) return;
  borrowed.use_certificate_chain(boost::asio::buffer(pems.certificates), error);
  borrowed.use_private_key(boost::asio::buffer(pems.key), boost::asio::ssl::context::pem, error);
  EXPECT_FALSE(error) << error.message();
}

}  // namespace

FakeRegionServer::FakeRegionServer(uint16_t port, const std::string& from) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  EXPECT_EQ(inet_pton(AF_INET, from.c_str(), &address.sin_addr), 1);
  EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0) << from;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0) << "port " << port;
  const int at_once = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
  const timeval five_minutes{300, 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &five_minutes, sizeof five_minutes);
}

FakeRegionServer::~FakeRegionServer() { Close(); }

void FakeRegionServer::Close() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
}

bool FakeRegionServer::StartTls(const TlsWishes& wishes) {
  tls_ = std::make_unique<Tls>();
  UsePems(tls_->context, wishes.pems);
  SSL_CTX_set_verify(tls_->context, SSL_VERIFY_PEER, nullptr);
  if (wishes.version != 0) {
    SSL_CTX_set_cipher_list(tls_->context, "DEFAULT:@SECLEVEL=0");  // for versions that are out of use
    SSL_CTX_set_min_proto_version(tls_->context, wishes.version);
    SSL_CTX_set_max_proto_version(tls_->context, wishes.version);
  }
  tls_->connection = SSL_new(tls_->context);
  SSL_set_fd(tls_->connection, socket_);
  return Shaken(SSL_connect(tls_->connection));
}

bool FakeRegionServer::Renegotiate() {
  SSL_renegotiate(tls_->connection);
  return Shaken(SSL_do_handshake(tls_->connection));
}

bool FakeRegionServer::Shaken(int result) {
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  error_ = result == 1 ? "" : reason == nullptr ? "closed" : reason;
  ERR_clear_error();
  return result == 1;
}

std::string FakeRegionServer::OtherName() const {
  X509* const certificate = SSL_get1_peer_certificate(tls_->connection);
  char name[100] = "";
  X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name, sizeof name);
  X509_free(certificate);
  return name;
}

bool FakeRegionServer::Send(const std::string& bytes) {
  if (tls_ != nullptr) return SSL_write(tls_->connection, bytes.data(), static_cast<int>(bytes.size())) > 0;
  size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t now = send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (now <= 0) return false;
    sent += static_cast<size_t>(now);
  }
  return true;
}

bool FakeRegionServer::SendWithin(const std::string& bytes, std::chrono::milliseconds timeout) {
  const timeval limit{0, static_cast<suseconds_t>(timeout.count() * 1000)};
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  return Send(bytes);
}

bool FakeRegionServer::ReadExactly(size_t count, std::string* bytes) {
  bytes->resize(count);
  size_t at = 0;
  while (at < count) {
    const ssize_t now = tls_ == nullptr ? recv(socket_, bytes->data() + at, count - at, 0)
                                        : SSL_read(tls_->connection, bytes->data() + at, static_cast<int>(count - at));
    if (now <= 0) return false;
    at += static_cast<size_t>(now);
  }
  return true;
}

FakeRegionServer::Reply FakeRegionServer::Receive() {
  std::string bytes;
  if (!ReadExactly(4, &bytes)) return {.closed = true};
  size_t length = 0;
  for (const char c : bytes) length = length << 8 | static_cast<uint8_t>(c);
  if (!ReadExactly(length, &bytes)) return {.closed = true};
  return ReplyIn(bytes);
}

FakeRegionServer::Reply FakeRegionServer::ReplyIn(const std::string& bytes) {
  proto::hbase::ResponseHeader header;
  const auto header_bytes = static_cast<uint8_t>(bytes[0]);  // short ones only: one byte of varint
  size_t begin = 1;
  size_t size = header_bytes;
  if (header_bytes >= 0x80) {
    size = (header_bytes & 0x7fu) | static_cast<size_t>(static_cast<uint8_t>(bytes[1])) << 7;
    begin = 2;
  }
  EXPECT_TRUE(header.ParseFromArray(bytes.data() + begin, static_cast<int>(size)));
  const auto& exception = header.exception();
  return {.call_id = header.call_id(),
          .failed = header.has_exception(),
          .text = exception.exception_class_name() + " " + exception.stack_trace(),
          .response = bytes.substr(begin + size)};
}

bool FakeRegionServer::IsSilentFor(int milliseconds) {
  pollfd waiting{socket_, POLLIN, 0};
  return poll(&waiting, 1, milliseconds) == 0;
}

}  // namespace fensi::capture
