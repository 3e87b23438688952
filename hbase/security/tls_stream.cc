#include "hbase/security/tls_stream.h"

#include <openssl/err.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fensi::hbase {
namespace {

constexpr size_t kPieceBytes = 64 << 10;

class TlsStream final : public ByteStream {
 public:
  TlsStream(Socket socket, std::shared_ptr<const TlsClientContext> context, const std::string& host)
      : below_(PlainStream(std::move(socket))), tls_(std::move(context), host, "hbase://") {}

  Status Shake(Deadline deadline);

  int socket() const override { return below_->socket(); }
  Moved Read(char* to, size_t most) override;
  Moved Write(const char* from, size_t bytes) override;
  bool HoldsBytes() const override { return SSL_has_pending(tls_.ssl()) != 0 || BIO_pending(tls_.came()) > 0; }
  bool HoldsUnsent() const override { return !unsent_.empty(); }
  Moved Flush() override;

 private:
  /// What a call of OpenSSL needs before it may be repeated; kDone: nothing.
  Moved NeedOf(int result);
  Moved Receive();
  void TakeOutput();
  /// The alert that the server sent before it ended the connection, or `moved`.
  Moved OrAlert(Moved moved);

  const std::unique_ptr<ByteStream> below_;
  const TlsClient tls_;
  Unsent unsent_;
};

void TlsStream::TakeOutput() {
  std::array<char, 16 << 10> bytes;
  for (int count = 0; (count = BIO_read(tls_.goes(), bytes.data(), bytes.size())) > 0;) {
    unsent_.Append({bytes.data(), static_cast<size_t>(count)});
  }
}

ByteStream::Moved TlsStream::Receive() {
  std::array<char, kPieceBytes> bytes;
  Moved moved = below_->Read(bytes.data(), bytes.size());
  if (moved.outcome == Outcome::kDone) BIO_write(tls_.came(), bytes.data(), static_cast<int>(moved.bytes));
  return moved;
}

ByteStream::Moved TlsStream::NeedOf(int result) {
  const int error = SSL_get_error(tls_.ssl(), result);
  const Status fault = error == SSL_ERROR_SSL ? tls_.Fault() : Status();
  TakeOutput();
  if (!fault.ok()) return {Outcome::kFailed, 0, fault.WithContext("TLS")};
  if (error == SSL_ERROR_ZERO_RETURN) return {Outcome::kEnded, 0, {}};
  return {};
}

ByteStream::Moved TlsStream::OrAlert(Moved moved) {
  if (moved.outcome != Outcome::kFailed) return moved;
  while (Receive().outcome == Outcome::kDone) {
  }
  ERR_clear_error();
  char unused = 0;
  const int result = SSL_peek(tls_.ssl(), &unused, 1);
  if (SSL_get_error(tls_.ssl(), result) != SSL_ERROR_SSL) return moved;
  return {Outcome::kFailed, 0, tls_.Fault().WithContext("TLS")};
}

ByteStream::Moved TlsStream::Flush() { return OrAlert(unsent_.WriteTo(below_.get())); }

ByteStream::Moved TlsStream::Read(char* to, size_t most) {
  while (true) {
    ERR_clear_error();
    const int result = SSL_read(tls_.ssl(), to, static_cast<int>(std::min(most, kPieceBytes)));
    Moved need = NeedOf(result);
    if (need.outcome != Outcome::kDone) return need;
    const Moved sent = Flush();  // an answer of TLS itself: what the socket does not take now is sent later
    if (result > 0) return {Outcome::kDone, static_cast<size_t>(result), {}};
    if (sent.outcome == Outcome::kFailed) return sent;
    if (Moved moved = Receive(); moved.outcome != Outcome::kDone) return moved;
  }
}

ByteStream::Moved TlsStream::Write(const char* from, size_t bytes) {
  if (Moved moved = Flush(); moved.outcome != Outcome::kDone) return moved;
  ERR_clear_error();
  const int result = SSL_write(tls_.ssl(), from, static_cast<int>(std::min(bytes, kPieceBytes)));
  if (Moved need = NeedOf(result); need.outcome != Outcome::kDone) return need;
  if (result <= 0) return {Outcome::kWouldBlock, 0, {}};
  Moved moved = Flush();
  const bool is_taken = moved.outcome == Outcome::kDone || moved.outcome == Outcome::kWouldBlock;
  return is_taken ? Moved{Outcome::kDone, static_cast<size_t>(result), {}} : moved;
}

Status TlsStream::Shake(Deadline deadline) {
  while (true) {
    ERR_clear_error();
    const int result = SSL_connect(tls_.ssl());
    const Moved need = NeedOf(result);
    static_cast<void>(WriteAll(this, "", deadline));  // our alert, too; what fails shows when the answer is read
    if (need.outcome == Outcome::kFailed) return need.why;
    if (result > 0) return {};
    const Moved moved = Receive();
    if (moved.outcome == Outcome::kDone) continue;
    if (Status status = AwaitStream(*this, moved, POLLIN, deadline); !status.ok()) {
      return status.WithContext("TLS handshake").WithSuffix(". If the server has no TLS, write hbase:// in --store");
    }
  }
}

}  // namespace

Result<std::unique_ptr<ByteStream>> ShakeTls(Socket socket, std::shared_ptr<const TlsClientContext> context,
                                             const std::string& host, Deadline deadline) {
  auto stream = std::make_unique<TlsStream>(std::move(socket), std::move(context), host);
  FENSI_RETURN_IF_ERROR(stream->Shake(deadline));
  return std::unique_ptr<ByteStream>(std::move(stream));
}

std::string TlsHelloBytes() {
  const auto context = TlsClientContext::Create({});
  if (!context.ok()) return "";
  const TlsClient client(*context, "localhost", "");
  SSL_connect(client.ssl());
  ERR_clear_error();
  std::array<char, 4096> bytes;
  const int count = BIO_read(client.goes(), bytes.data(), bytes.size());
  return count > 0 ? std::string(bytes.data(), static_cast<size_t>(count)) : "";
}

}  // namespace fensi::hbase
