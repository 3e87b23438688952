#include "store/hbase/wire/sasl_transport.h"

#include <thrift/transport/TTransportException.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/bytes.h"
#include "store/hbase/wire/gateway_socket.h"

namespace fensi::store {
namespace {

using apache::thrift::transport::TTransport;
using apache::thrift::transport::TTransportException;

// Status bytes of a message, as in Thrift's TSaslTransport of Java.
constexpr uint8_t kSaysStart = 1, kSaysOk = 2, kSaysBad = 3, kSaysError = 4, kSaysComplete = 5;
constexpr size_t kMostMessageBytes = 1 << 20;
constexpr size_t kFrameBytes = 1 << 20;  // of what is not wrapped
constexpr size_t kStepBytes = 1 << 20;   // memory is taken as bytes come

using Length = std::array<uint8_t, 4>;

Length Encoded(size_t length) {
  Length bytes;
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(length >> (8 * (bytes.size() - 1 - i)));
  return bytes;
}

size_t ReadLength(TTransport& from) {
  Length bytes;
  from.readAll(bytes.data(), bytes.size());
  size_t length = 0;
  for (const uint8_t byte : bytes) length = length << 8 | byte;
  return length;
}

void Append(TTransport& from, size_t length, std::string* to) {
  while (length > 0) {
    const size_t step = std::min(length, kStepBytes), at = to->size();
    to->resize(at + step);
    from.readAll(reinterpret_cast<uint8_t*>(to->data() + at), static_cast<uint32_t>(step));
    length -= step;
  }
}

void Write(std::string_view bytes, TTransport* to) {
  to->write(reinterpret_cast<const uint8_t*>(bytes.data()), static_cast<uint32_t>(bytes.size()));
}

template <typename T>
T Granted(Result<T> result) {
  if (!result.ok()) throw ConnectionRefused(result.status().WithContext("Kerberos"));
  return *std::move(result);
}

[[noreturn]] void NoSasl(const std::string& what) {
  throw ConnectionRefused(
      Status(StatusCode::kConfiguration,
             "Kerberos: " + what +
                 ". The gateway probably does not use Kerberos. Set hbase.thrift.security.qop at the gateway, or leave "
                 "out --store_kerberos_service"));
}

}  // namespace

SaslTransport::SaslTransport(Bytes bytes, std::shared_ptr<SaslSession> session,
                             const std::shared_ptr<apache::thrift::TConfiguration>& configuration)
    : TVirtualTransport(configuration), bytes_(std::move(bytes)), session_(std::move(session)) {}

void SaslTransport::Negotiate(const Wait& start) {
  const std::string first = Granted(start(session_));
  SendMessage(kSaysStart, session_->mechanism());
  SendMessage(kSaysOk, first);
  Message came = ReceiveMessage();
  while (!session_->done()) {
    const std::string answer = Granted(session_->Step(came.payload));
    if (came.status == kSaysComplete) break;
    SendMessage(session_->done() ? kSaysComplete : kSaysOk, answer);
    came = ReceiveMessage();
  }
  if (!session_->done()) NoSasl("the gateway ended the login before both sides had sent their tokens");
  while (came.status != kSaysComplete) came = ReceiveMessage();
  most_plain_bytes_ = session_->wraps() ? session_->most_plain_bytes() : kFrameBytes;
}

void SaslTransport::SendMessage(uint8_t status, const std::string& payload) {
  std::string message(1, static_cast<char>(status));
  for (const uint8_t byte : Encoded(payload.size())) message.push_back(static_cast<char>(byte));
  Write(message + payload, bytes_.get());
  bytes_->flush();
}

SaslTransport::Message SaslTransport::ReceiveMessage() {
  Message message;
  bytes_->readAll(&message.status, 1);
  const size_t length = ReadLength(*bytes_);
  const bool known = message.status >= kSaysOk && message.status <= kSaysComplete;
  if (!known || length > kMostMessageBytes) NoSasl("the answer of the gateway is no message of a Kerberos login");
  Append(*bytes_, length, &message.payload);
  if (message.status != kSaysBad && message.status != kSaysError) return message;
  const std::string words = EscapeSome(message.payload, 300);
  throw ConnectionRefused(
      Status(StatusCode::kPermission, "Kerberos: the gateway refuses us: " + words + ". Read the log of the gateway"));
}

void SaslTransport::write(const uint8_t* buffer, uint32_t length) {
  waiting_.append(reinterpret_cast<const char*>(buffer), length);
  if (waiting_.size() < most_plain_bytes_) return;
  std::string_view whole = waiting_;
  for (; whole.size() >= most_plain_bytes_; whole.remove_prefix(most_plain_bytes_)) {
    SendFrame(whole.substr(0, most_plain_bytes_));
  }
  waiting_ = std::string(whole);
}

void SaslTransport::flush() {
  if (!waiting_.empty()) SendFrame(waiting_);
  waiting_.clear();
  bytes_->flush();
}

void SaslTransport::SendFrame(std::string_view plain) {
  if (session_->wraps()) {
    Write(Granted(session_->Wrap(plain)), bytes_.get());
    return;
  }
  const Length length = Encoded(plain.size());
  bytes_->write(length.data(), length.size());
  Write(plain, bytes_.get());
}

void SaslTransport::ReadFrame() {
  const size_t length = ReadLength(*bytes_);
  const size_t limit = static_cast<size_t>(getConfiguration()->getMaxMessageSize());
  const size_t most = session_->wraps() ? std::min(limit, session_->most_wrapped_bytes()) : limit;
  if (length > most) {
    throw TTransportException(TTransportException::UNKNOWN, "MaxMessageSize: a frame of " + std::to_string(length) +
                                                                " bytes, and " + std::to_string(most) + " are taken");
  }
  const Length before = Encoded(length);
  if (frame_.capacity() > 4 * kStepBytes) frame_ = std::string();  // after an answer that was larger than most
  frame_.assign(reinterpret_cast<const char*>(before.data()), before.size());
  Append(*bytes_, length, &frame_);
  left_ = session_->wraps() ? Granted(session_->Unwrap(frame_)) : std::string_view(frame_).substr(before.size());
}

uint32_t SaslTransport::read(uint8_t* buffer, uint32_t length) {
  while (left_.empty()) ReadFrame();
  const size_t count = std::min<size_t>(length, left_.size());
  std::memcpy(buffer, left_.data(), count);
  left_.remove_prefix(count);
  return static_cast<uint32_t>(count);
}

}  // namespace fensi::store
