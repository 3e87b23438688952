#include "admin/connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <utility>

#include "admin/answers.h"

namespace fensi::admin {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;

constexpr size_t kMostHeaderBytes = 8 << 10;
constexpr size_t kMostBodyBytes = 64 << 10;
// What was read ahead: a request of which all is allowed.
constexpr size_t kMostBufferBytes = kMostHeaderBytes + kMostBodyBytes;
constexpr std::chrono::seconds kDrainTime{1};
constexpr size_t kMostDrainedBytes = size_t{1} << 20;

constexpr char kOnlyTls[] =
    "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n"
    "Content-Length: 52\r\nConnection: close\r\n\r\n{\"error\":\"this server speaks TLS: ask by https://\"}\n";

/// Absent: the client went, or was silent for too long, and is told nothing.
std::optional<Answer> AnswerToFault(const error_code& error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return Refusal(431, "the header of the request has more than 8 KiB. Send fewer or shorter header lines");
  }
  if (error == http::error::body_limit)
    return Refusal(413, "the body of the request is larger than 64 KiB. Send the request without a body");
  const bool of_http = error.category() == http::make_error_code(http::error::bad_method).category();
  if (!of_http || error == http::error::end_of_stream || error == http::error::partial_message) return std::nullopt;
  return Refusal(
      400, "the bytes are no valid HTTP request. Send a request of HTTP/1.1 to this address, for example with curl");
}

void SetHeaders(const Answer& answer, http::response<http::string_body>* response) {
  response->set(http::field::content_type, answer.type);
  response->set(http::field::cache_control, "no-store");
  response->set("X-Content-Type-Options", "nosniff");
  response->set("Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
                "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  response->set("Referrer-Policy", "no-referrer");
  if (!answer.allow.empty()) response->set(http::field::allow, answer.allow);
  if (answer.retry_later) response->set(http::field::retry_after, "1");
  if (answer.status == 401) response->set(http::field::www_authenticate, "Bearer");
}

}  // namespace

bool WaitingConnections::CloseOldest() {
  if (waiting_.empty()) return false;
  waiting_.front()->Cut();
  return true;
}

Connection::Connection(Socket socket, ConnectionContext* context, Slot slot)
    : stream_(std::move(socket), context->tls), context_(context), slot_(slot), buffer_(kMostBufferBytes) {
  ++context_->open;
}

Connection::~Connection() {
  EndWait();
  --context_->open;
  context_->answer_bytes -= counted_bytes_;
}

void Connection::Start() { stream_.is_tls() ? Greet() : Read(); }

void Connection::Cut() {
  EndWait();
  error_code ignored;
  stream_.socket().close(ignored);
}

void Connection::BeginWait() {
  if (!wait_) wait_ = context_->waiting_for_request[slot_].Add(this);
}

void Connection::EndWait() {
  if (wait_) context_->waiting_for_request[slot_].Remove(*wait_);
  wait_.reset();
}

void Connection::Greet() {
  BeginWait();
  stream_.expires_after(context_->timeout);
  stream_.Handshake(boost::asio::ssl::stream_base::server, [self = shared_from_this()](const error_code& error) {
    if (!error) return self->Read();
    if (IsPlainHttp(error)) self->TellPlainClient();
  });
}

/// It reads no TLS.
void Connection::TellPlainClient() {
  error_code ignored;
  (void)stream_.socket().send(boost::asio::buffer(kOnlyTls, sizeof kOnlyTls - 1), MSG_NOSIGNAL, ignored);
  stream_.socket().shutdown(Socket::shutdown_send, ignored);
}

/// One deadline for all of a request: who sends a byte now and then gains no time.
void Connection::Read() {
  parser_.emplace();
  parser_->header_limit(kMostHeaderBytes);
  parser_->body_limit(kMostBodyBytes);
  BeginWait();
  stream_.expires_after(context_->timeout);
  http::async_read(stream_, buffer_, *parser_,
                   [self = shared_from_this()](const error_code& error, size_t) { self->OnRead(error); });
}

void Connection::OnRead(const error_code& error) {
  EndWait();
  if (error) {
    std::optional<Answer> fault = AnswerToFault(error);
    if (fault) Send(std::move(*fault), false);
    return;  // the connection ends with what held it
  }
  const Request request = FromHttp(parser_->get());
  if (slot_ == kProbeSlot && !Answers::IsProbe(request.target)) {
    Answer full = Refusal(503, "too many connections are open now: ask again in a second");
    full.retry_later = true;
    return Send(std::move(full), false);
  }
  Answer answer = context_->answers->To(request);
  if (answer.wish) return Carry(std::move(*answer.wish), parser_->get().keep_alive());
  if (context_->answer_bytes + answer.body.size() > context_->most_answer_bytes) {
    answer = Refusal(503, "too many answers wait to be sent: ask again in a second");
    answer.retry_later = true;
  }
  Send(std::move(answer), slot_ == kAnySlot && parser_->get().keep_alive());
}

void Connection::Carry(Wish wish, bool keep) {
  context_->waiting.insert(shared_from_this());
  const std::weak_ptr<Connection> weak = weak_from_this();
  context_->control->Carry(std::move(wish), [weak, keep, mailbox = context_->mailbox](Verdict verdict) {
    mailbox->Post([weak, keep, verdict = std::move(verdict)] {
      const std::shared_ptr<Connection> self = weak.lock();
      if (self == nullptr || self->context_->waiting.erase(self) == 0) return;
      self->Send({.status = verdict.status, .body = verdict.body}, keep);
    });
  });
}

void Connection::Send(Answer answer, bool keep) {
  const bool head = parser_->get().method() == http::verb::head;
  const unsigned version = parser_->get().version() == 10 ? 10 : 11;
  response_ = {static_cast<http::status>(answer.status), version};
  SetHeaders(answer, &response_);
  response_.keep_alive(keep);
  response_.content_length(answer.body.size());
  if (!head) response_.body() = std::move(answer.body);
  counted_bytes_ = response_.body().size();
  context_->answer_bytes += counted_bytes_;
  stream_.expires_after(context_->timeout);
  http::async_write(stream_, response_, [self = shared_from_this(), keep](const error_code& error, size_t) {
    self->context_->answer_bytes -= std::exchange(self->counted_bytes_, 0);
    self->response_ = {};
    if (error) return;
    return keep ? self->Read() : self->Close();
  });
}

void Connection::Close() {
  BeginWait();
  error_code ignored;
  stream_.socket().shutdown(Socket::shutdown_send, ignored);
  stream_.expires_after(std::min<std::chrono::milliseconds>(context_->timeout, kDrainTime));
  Drain();
}

void Connection::Drain() {
  buffer_.clear();
  if (drained_bytes_ > kMostDrainedBytes) return;
  stream_.async_read_some(buffer_.prepare(kMostHeaderBytes),
                          [self = shared_from_this()](const error_code& error, size_t bytes) {
                            self->drained_bytes_ += bytes;
                            if (!error) self->Drain();
                          });
}

}  // namespace fensi::admin
