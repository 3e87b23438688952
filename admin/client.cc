#include "admin/client.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <memory>
#include <utility>

#include "admin/address.h"
#include "admin/connection.h"

namespace fensi::admin {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

// Of what is read and not taken yet: a header, the line of a chunk, what follows the last one.
constexpr size_t kMostUnread = size_t{64} << 10;
constexpr char kNoToken[] = "the token is missing or wrong: name its file with --admin_token_file";
constexpr char kWantsTls[] = "the daemon speaks TLS: name the authority of its certificate with --daemon_ca_file";

fensi::Status OfConnecting(const error_code& error) {
  const bool nobody =
      error == asio::error::connection_refused || error == boost::system::errc::no_such_file_or_directory;
  if (nobody)
    return fensi::Status(StatusCode::kNotFound,
                         "no process listens there. Start 'fensi run' or 'fensi capture', or correct --daemon");
  const bool refused = error == boost::system::errc::permission_denied;
  if (refused)
    return fensi::Status(StatusCode::kPermission, error.message() + ". Run the command as the daemon's user");
  return fensi::Status(StatusCode::kUnavailable, error.message() + ". Check --daemon, and that this host can reach it");
}

fensi::Status OfGreeting(const error_code& error) {
  if (IsOfCertificate(error)) {
    return fensi::Status(StatusCode::kConfiguration,
                         "the daemon's certificate is not signed by --daemon_ca_file, or not for this address (" +
                             error.message() +
                             "). Give the certificate's issuer with --daemon_ca_file. In --daemon, write an IP "
                             "address that the certificate names (subjectAltName)");
  }
  if (IsNoTls(error)) {
    return fensi::Status(StatusCode::kConfiguration,
                         "the server there does not speak TLS (" + error.message() +
                             "). Check --daemon. If the daemon runs without --admin_tls_cert_file, leave out "
                             "--daemon_ca_file. fensi then sends the token in plain text");
  }
  // A full daemon closes a new connection without a word, and a stopping one may do so.
  return fensi::Status(StatusCode::kUnavailable,
                       "the daemon ended the TLS handshake (" + error.message() +
                           "). Run the command again. If the error lasts, read the daemon's log");
}

fensi::Status OfReading(const error_code& error, size_t most_bytes) {
  if (error == http::error::body_limit) {
    return fensi::Status(StatusCode::kConfiguration,
                         "the daemon's answer has more than " + std::to_string(most_bytes >> 20) +
                             " MiB, so fensi does not read it. Check that a daemon of fensi "
                             "listens at this address, then name the address with --daemon");
  }
  const bool of_http = error.category() == http::make_error_code(http::error::bad_method).category();
  const bool cut = error == http::error::end_of_stream || error == http::error::partial_message;
  if (of_http && !cut) return NotADaemon();
  return fensi::Status(StatusCode::kUnavailable,
                       "the daemon closed the connection before its answer ended; run the command again");
}

/// What a server that speaks TLS answers to who does not (Connection).
bool WantsTls(const http::response<http::string_body>& answer) {
  return answer.result_int() == 400 && answer.body().find("speaks TLS") != std::string::npos;
}

/// Of what was to be changed. 422: it was looked at, and refused.
Result<std::string> BodyOfChange(http::response<http::string_body>&& answer) {
  switch (answer.result_int()) {
    case 200:
    case 422:
      return std::move(answer.body());
    case 401:
      return fensi::Status(StatusCode::kPermission, kNoToken);
    case 403:
      return fensi::Status(
          StatusCode::kPermission,
          "the daemon takes no changes, because it runs without --admin_control. To let it read its files again, run "
          "on its machine: systemctl reload fensi@NAME, or kill -HUP PID");
    case 404:
      return fensi::Status(StatusCode::kConfiguration,
                           "the daemon's version of fensi does not know this request: upgrade the daemon");
    case 409:
      return fensi::Status(StatusCode::kUnavailable,
                           "the daemon carries out another change now; run the command again");
    default:
      return fensi::Status(StatusCode::kUnavailable,
                           "the daemon could not carry out the change: read the last errors in its log");
  }
}

Result<std::string> BodyOf(http::response<http::string_body>&& answer) {
  switch (answer.result_int()) {
    case 200:
      return std::move(answer.body());
    case 401:
      return fensi::Status(StatusCode::kPermission, kNoToken);
    case 403:
      return fensi::Status(
          StatusCode::kPermission,
          "the server answered 403. Probably a proxy in front of the daemon refused the request: name the daemon's own "
          "--admin address with --daemon");
    case 503:
      return fensi::Status(StatusCode::kUnavailable, "the daemon has too many connections now; run the command again");
    default:
      return NotADaemon();
  }
}

/// One question to one server. Handlers run where the io_context does; it outlives them.
class Conversation {
 public:
  Conversation(asio::io_context* io, TlsContext tls, const Question& question)
      : stream_(Stream::Socket(*io), std::move(tls)), changes_(question.changes), most_bytes_(question.most_bytes) {
    request_ = {changes_ ? http::verb::post : http::verb::get, question.target, 11};
    if (changes_) {
      request_.set("X-Fensi", "1");
      request_.set(http::field::content_length, "0");
    }
    request_.set(http::field::host, "localhost");
    request_.set(http::field::connection, "close");
    if (!question.token.empty()) request_.set(http::field::authorization, "Bearer " + question.token);
    parser_.body_limit(question.most_bytes);
    const auto seconds = std::chrono::duration<double>(question.timeout).count();
    outcome_ = fensi::Status(StatusCode::kUnavailable, "no answer within " + std::to_string(static_cast<int>(seconds)) +
                                                           " s. If the error lasts, read the daemon's log");
  }

  void Start(const Address& address) {
    stream_.socket().async_connect(EndpointOf(address), [this, host = address.host](const error_code& error) {
      if (error) return End(OfConnecting(error));
      stream_.is_tls() ? Greet(host) : Send();
    });
  }

  Result<std::string> TakeOutcome() { return std::move(outcome_); }

 private:
  void Greet(const std::string& host) {
    stream_.Verify(asio::ssl::host_name_verification(host));
    stream_.Handshake(asio::ssl::stream_base::client, [this](const error_code& error) {
      if (error) return End(OfGreeting(error));
      Send();
    });
  }

  void Send() {
    // An answer may come before all is sent; what counts is whether it can be read.
    http::async_write(stream_, request_, [this](const error_code&, size_t) { Read(); });
  }

  /// The length is looked at before there is room for it.
  void Read() {
    http::async_read_header(stream_, buffer_, parser_, [this](const error_code& error, size_t) {
      if (error) return End(OfReading(error, most_bytes_));
      const auto length = parser_.content_length();
      if (length && *length > most_bytes_) return End(OfReading(http::error::body_limit, most_bytes_));
      ReadBody();
    });
  }

  void ReadBody() {
    http::async_read(stream_, buffer_, parser_, [this](const error_code& error, size_t) {
      if (error) return End(OfReading(error, most_bytes_));
      if (WantsTls(parser_.get())) return End(fensi::Status(StatusCode::kConfiguration, kWantsTls));
      End(changes_ ? BodyOfChange(parser_.release()) : BodyOf(parser_.release()));
    });
  }

  void End(Result<std::string> outcome) {
    outcome_ = std::move(outcome);
    error_code ignored;
    stream_.socket().close(ignored);
  }

  Stream stream_;
  const bool changes_;
  const size_t most_bytes_;
  http::request<http::empty_body> request_;
  http::response_parser<http::string_body> parser_;
  boost::beast::flat_buffer buffer_{kMostUnread};
  Result<std::string> outcome_{std::string()};
};

}  // namespace

std::vector<Result<std::string>> QueryAll(const std::vector<Address>& addresses, const Question& question) {
  TlsContext tls;
  if (!question.authorities.empty()) {
    Result<TlsContext> made = ClientTls(question.authorities);
    if (!made.ok()) return std::vector<Result<std::string>>(addresses.size(), made.status());
    tls = std::move(*made);
  }
  asio::io_context io{1};  // outlives the sockets
  std::vector<std::unique_ptr<Conversation>> conversations;
  for (const Address& address : addresses) {
    const bool near = address.kind == Address::Kind::kUnix;  // which nobody can listen to
    conversations.push_back(std::make_unique<Conversation>(&io, near ? nullptr : tls, question));
    conversations.back()->Start(address);
  }
  io.run_for(question.timeout);
  std::vector<Result<std::string>> outcomes;
  for (const auto& each : conversations) outcomes.push_back(each->TakeOutcome());
  return outcomes;
}

}  // namespace fensi::admin
