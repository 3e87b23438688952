#include "hbase/security/kerberos_stream.h"

#include <algorithm>
#include <cstring>
#include <future>
#include <utility>

#include "base/bytes.h"
#include "base/kerberos.h"
#include "base/unattended.h"
#include "hbase/wire/call_frame.h"
#include "hbase/wire/framing.h"

namespace fensi::hbase {
namespace {

/// HBase's SWITCH_TO_SIMPLE_AUTH, -88.
constexpr uint32_t kAsksForSimple = static_cast<uint32_t>(-88);
constexpr uint32_t kMostTokenBytes = 1 << 20;  // as HBase's client
constexpr uint32_t kNullText = ~uint32_t{0};   // Hadoop's WritableUtils.writeString(null)
constexpr int kMostTokens = 8;                 // Kerberos needs two
constexpr size_t kLengthBytes = 4;
/// HBase wraps what it has to send at once, an answer of any length.
constexpr size_t kMostMessageBytes = size_t{3} << 29;
/// The memory of a message grows as its bytes come; a larger one is given back after its message.
constexpr size_t kStepBytes = 1 << 20, kMostKeptBytes = 4 << 20;
/// The server is told its bytes in messages of this length at most.
constexpr size_t kMostWrappedAtOnce = 256 << 10;
constexpr size_t kMostShownBytes = 300;

/// The bytes of a connection in wrapped messages.
class KerberosStream final : public ByteStream {
 public:
  KerberosStream(std::unique_ptr<ByteStream> below, std::shared_ptr<KerberosClient> client)
      : below_(std::move(below)),
        client_(std::move(client)),
        most_plain_(std::min(client_->most_plain_bytes(), kMostWrappedAtOnce)) {}

  int socket() const override { return below_->socket(); }
  Moved Read(char* to, size_t most) override;
  Moved Write(const char* from, size_t bytes) override;
  bool HoldsBytes() const override { return !left_.empty() || below_->HoldsBytes(); }
  bool HoldsUnsent() const override { return !unsent_.empty() || below_->HoldsUnsent(); }
  Moved Flush() override { return unsent_.WriteTo(below_.get()); }

 private:
  static Moved Failed(const Status& why) { return {Outcome::kFailed, 0, why}; }
  /// Reads until `into` has that many bytes.
  Moved Fill(std::string* into, size_t bytes);
  Moved ReadMessage();

  const std::unique_ptr<ByteStream> below_;
  const std::shared_ptr<KerberosClient> client_;
  const size_t most_plain_;
  Unsent unsent_;
  std::string length_, message_;  // as far as they have come
  size_t filled_ = 0;             // of the one that is being read
  bool has_length_ = false;       // and now the message is being read
  std::string_view left_;         // of the message, unwrapped
};

ByteStream::Moved KerberosStream::Fill(std::string* into, size_t bytes) {
  while (filled_ < bytes) {
    if (into->size() == filled_) into->resize(std::min(bytes, filled_ + std::max(filled_, kStepBytes)));
    Moved moved = below_->Read(into->data() + filled_, into->size() - filled_);
    if (moved.outcome != Outcome::kDone) return moved;
    filled_ += moved.bytes;
  }
  filled_ = 0;
  return {};
}

ByteStream::Moved KerberosStream::ReadMessage() {
  if (!has_length_) {
    if (Moved moved = Fill(&length_, kLengthBytes); moved.outcome != Outcome::kDone) return moved;
    has_length_ = true;
    message_.clear();
  }
  const size_t length = ReadBigEndian32(length_);
  if (length == 0 || length > kMostMessageBytes) {
    return Failed(
        NotHBase("the server sent a message of " + std::to_string(length) + " bytes, and HBase sends smaller ones"));
  }
  if (Moved moved = Fill(&message_, length); moved.outcome != Outcome::kDone) return moved;
  has_length_ = false;
  length_.clear();
  const Status status = client_->Unwrap(&message_, &left_);
  return status.ok() ? Moved{} : Failed(status);
}

ByteStream::Moved KerberosStream::Read(char* to, size_t most) {
  while (left_.empty()) {
    if (Moved moved = ReadMessage(); moved.outcome != Outcome::kDone) return moved;
  }
  const size_t bytes = std::min(most, left_.size());
  std::memcpy(to, left_.data(), bytes);
  left_.remove_prefix(bytes);
  if (left_.empty() && message_.capacity() > kMostKeptBytes) message_ = std::string();
  return {Outcome::kDone, bytes, {}};
}

ByteStream::Moved KerberosStream::Write(const char* from, size_t bytes) {
  if (Moved moved = Flush(); moved.outcome != Outcome::kDone) return moved;
  const size_t taken = std::min(bytes, most_plain_);
  const Result<std::string> wrapped = client_->Wrap({from, taken});
  if (!wrapped.ok()) return Failed(wrapped.status());
  unsent_.Append(BigEndian32(static_cast<uint32_t>(wrapped->size())));
  unsent_.Append(*wrapped);
  Moved moved = Flush();
  const bool is_taken = moved.outcome == Outcome::kDone || moved.outcome == Outcome::kWouldBlock;
  return is_taken ? Moved{Outcome::kDone, taken, {}} : moved;
}

/// The exchange of tokens on one connection.
class Exchange {
 public:
  Exchange(ByteStream* stream, const KerberosTarget& target, Deadline deadline)
      : stream_(stream), client_(std::make_shared<KerberosClient>(target)), deadline_(deadline) {}

  /// Ok and done(), or ok and asks_for_simple().
  Status Run();
  bool asks_for_simple() const { return asks_for_simple_; }
  std::shared_ptr<KerberosClient> client() const { return client_; }

 private:
  Result<std::string> FirstToken();
  Status Send(const std::string& token);
  Result<std::string> Read(size_t bytes);
  Result<std::string> ReadToken();
  Result<std::string> ReadText();
  Result<uint32_t> ReadNumber();
  Status Refused();
  Status NoSasl(uint32_t length);

  ByteStream* const stream_;
  const std::shared_ptr<KerberosClient> client_;
  const Deadline deadline_;
  bool asks_for_simple_ = false;
};

/// On a thread that ends when the KDCs have answered or timed out: its caller need not wait for it.
Result<std::string> Exchange::FirstToken() {
  auto token = RunDetached([client = client_] { return client->Step(""); });
  if (!token) return Status(StatusCode::kUnavailable, NoThreadText("to ask the KDC for a ticket"));
  if (token->wait_until(deadline_) != std::future_status::ready) {
    return Status(StatusCode::kUnavailable, "Kerberos: " + SilentKdcText());
  }
  return token->get();
}

Status Exchange::Run() {
  FENSI_ASSIGN_OR_RETURN(std::string token, FirstToken());
  FENSI_RETURN_IF_ERROR(Send(Preamble(kAuthKerberos) + Framed(token)));
  for (int tokens = 0; !client_->done(); ++tokens) {
    if (tokens == kMostTokens) return NotHBase("the server asked for more tokens than Kerberos has");
    FENSI_ASSIGN_OR_RETURN(token, ReadToken());
    if (asks_for_simple_) return {};
    FENSI_ASSIGN_OR_RETURN(token, client_->Step(token));
    FENSI_RETURN_IF_ERROR(Send(Framed(token)));
  }
  return {};
}

Status Exchange::Send(const std::string& token) {
  return WriteAll(stream_, token, deadline_).WithContext(kKerberosHandshake);
}

Result<std::string> Exchange::Read(size_t bytes) {
  Result<std::string> read = ReadExactly(stream_, bytes, deadline_);
  if (!read.ok()) return read.status().WithContext(kKerberosHandshake);
  return read;
}

Result<uint32_t> Exchange::ReadNumber() {
  FENSI_ASSIGN_OR_RETURN(const std::string bytes, Read(kLengthBytes));
  return ReadBigEndian32(bytes);
}

Status TooLong(uint32_t length) {
  return NotHBase("the server sent a token of " + std::to_string(length) + " bytes, and HBase sends at most 1 MiB");
}

Result<std::string> Exchange::ReadText() {
  FENSI_ASSIGN_OR_RETURN(const uint32_t length, ReadNumber());
  if (length == kNullText) return std::string();
  if (length > kMostTokenBytes) return TooLong(length);
  return Read(length);
}

Result<std::string> Exchange::ReadToken() {
  FENSI_ASSIGN_OR_RETURN(const uint32_t status, ReadNumber());
  if (status == kSaslError) return Refused();
  if (status != kSaslSuccess) return NoSasl(status);
  FENSI_ASSIGN_OR_RETURN(const uint32_t length, ReadNumber());
  asks_for_simple_ = length == kAsksForSimple;
  if (asks_for_simple_) return std::string();
  if (length > kMostTokenBytes) return TooLong(length);
  return Read(length);
}

Status Exchange::Refused() {
  FENSI_ASSIGN_OR_RETURN(const std::string thrown, ReadText());
  FENSI_ASSIGN_OR_RETURN(const std::string message, ReadText());
  return KerberosDenied(
      "the server refuses us as a client of " + client_->server() + ": " + EscapeSome(thrown, kMostShownBytes) + ": " +
      EscapeSome(message, kMostShownBytes) +
      ". Its log has the reason: often another principal than that of --store_kerberos_service, a clock "
      "that differs, or other keys in its keytab");
}

/// The number is the length of a usual answer: HBase ends a connection that it does not understand in this way.
Status Exchange::NoSasl(uint32_t length) {
  AnswerFrame answer;
  if (length <= kMostTokenBytes) {
    FENSI_ASSIGN_OR_RETURN(const std::string frame, Read(length));
    if (ParseAnswer(frame, &answer).ok() && answer.error) {
      return KerberosDenied("the server refuses us: " + ErrorText(*answer.error));
    }
  }
  return Status(
      StatusCode::kConfiguration,
      "Kerberos: the answer of the server is no message of a Kerberos login. Check that --store names a server "
      "of HBase, and that its hbase.security.authentication is kerberos");
}

}  // namespace

Result<Greeted> GreetByKerberos(std::unique_ptr<ByteStream> stream, const KerberosTarget& target, bool allow_simple,
                                Deadline deadline) {
  Exchange exchange(stream.get(), target, deadline);
  FENSI_RETURN_IF_ERROR(exchange.Run());
  if (exchange.asks_for_simple()) {
    if (allow_simple) return Greeted{.stream = std::move(stream), .user = {}, .hint = {}};
    return KerberosDenied(
        "the server has no Kerberos: it asks for simple authentication. Leave out --store_kerberos_service, or accept "
        "such servers with --store_allow_simple_auth");
  }
  const std::shared_ptr<KerberosClient> client = exchange.client();
  Greeted greeted{.stream = std::move(stream), .user = client->user(), .hint = {}};
  if (client->wraps()) greeted.stream = std::make_unique<KerberosStream>(std::move(greeted.stream), client);
  return greeted;
}

}  // namespace fensi::hbase
