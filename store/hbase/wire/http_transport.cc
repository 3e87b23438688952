#include "store/hbase/wire/http_transport.h"

#include <thrift/transport/TTransportException.h>

#include <algorithm>
#include <array>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstring>

#include "store/gateway_security.h"
#include "store/hbase/wire/gateway_socket.h"

namespace fensi::store {
namespace {

namespace http = boost::beast::http;
using apache::thrift::transport::TTransportException;
using Parser = http::response_parser<http::string_body>;

constexpr uint32_t kMostHeaderBytes = 64 << 10;
constexpr size_t kKeptBytes = 1 << 20;  // of what is used again

constexpr char kReadLogs[] =
    ". If the error lasts, read the logs of the gateway and of the proxy in front of the gateway";

std::string StatusWords(const http::response<http::string_body>& answer) {
  const auto reason = answer.reason();
  return "HTTP " + std::to_string(answer.result_int()) + (reason.empty() ? "" : " ") +
         std::string(reason.data(), std::min<size_t>(reason.size(), 100));
}

/// The meaning of a status other than 200.
Status FaultOfStatus(unsigned code, const std::string& words) {
  constexpr unsigned kServerFault = 500;
  switch (code) {
    case 401:
    case 407:
      return Status(StatusCode::kConfiguration,
                    words + ": the gateway demands SPNEGO (Kerberos for each request) or a password. " + kNoSpnego);
    case 403:
      return Status(StatusCode::kPermission,
                    words + ": the gateway, or a proxy in front of it, refuses this user. Allow the user there");
    case 408:
    case 429:
      return Status(StatusCode::kUnavailable, words + kReadLogs);
    default:
      if (code >= kServerFault) return Status(StatusCode::kUnavailable, words + kReadLogs);
      return Status(StatusCode::kConfiguration,
                    words +
                        ": no Thrift2 gateway in HTTP mode answers under this address and path. Correct --store: "
                        "thrift+https://HOST:PORT/PATH");
  }
}

[[noreturn]] void FailAsTooLarge() {
  throw TTransportException(TTransportException::UNKNOWN, "MaxMessageSize: an answer is larger than is taken");
}

[[noreturn]] void FailToParse(const boost::beast::error_code& error) {
  if (error == http::error::body_limit || error == http::error::buffer_overflow) FailAsTooLarge();
  throw ConnectionRefused(
      Status(StatusCode::kConfiguration, "the gateway does not speak HTTP (" + error.message() +
                                             "). If the gateway is in binary mode, write --store=thrifts://HOST:PORT"));
}

/// True if the parser consumed any of the bytes, which are removed.
bool PutSome(std::string* waiting, Parser* parser) {
  boost::beast::error_code error;
  const size_t taken = parser->put(boost::asio::buffer(*waiting), error);
  waiting->erase(0, taken);
  if (error && error != http::error::need_more) FailToParse(error);
  return taken > 0 && !waiting->empty();
}

}  // namespace

HttpTransport::HttpTransport(Bytes bytes, std::string host, std::string path,
                             const std::shared_ptr<apache::thrift::TConfiguration>& configuration)
    : TVirtualTransport(configuration), bytes_(std::move(bytes)), host_(std::move(host)), path_(std::move(path)) {}

void HttpTransport::write(const uint8_t* buffer, uint32_t length) {
  request_.append(reinterpret_cast<const char*>(buffer), length);
}

void HttpTransport::flush() {
  const std::string header =
      "POST " + path_ + " HTTP/1.1\r\nHost: " + host_ +
      "\r\nContent-Type: application/x-thrift\r\nAccept: application/x-thrift\r\nContent-Length: " +
      std::to_string(request_.size()) + "\r\n\r\n";
  bytes_->write(reinterpret_cast<const uint8_t*>(header.data()), static_cast<uint32_t>(header.size()));
  bytes_->write(reinterpret_cast<const uint8_t*>(request_.data()), static_cast<uint32_t>(request_.size()));
  bytes_->flush();
  request_.clear();
  if (request_.capacity() > kKeptBytes) request_ = std::string();
  answer_.clear();
  read_ = 0;
  awaited_ = true;
}

void HttpTransport::ReadAnswer() {
  awaited_ = false;
  Parser parser;
  parser.eager(true);
  parser.header_limit(kMostHeaderBytes);
  const auto limit = static_cast<uint64_t>(getConfiguration()->getMaxMessageSize());
  parser.body_limit(limit);  // of chunks
  std::string waiting;       // a header, or a chunk's, that has not come as a whole
  std::array<uint8_t, 16 << 10> bytes;
  while (!parser.is_done()) {
    const uint32_t came = bytes_->read(bytes.data(), bytes.size());
    waiting.append(reinterpret_cast<const char*>(bytes.data()), came);
    while (!parser.is_done() && PutSome(&waiting, &parser)) {
    }
    if (parser.is_header_done() && parser.content_length().value_or(0) > limit) FailAsTooLarge();
  }
  closes_ = !parser.keep_alive() || !waiting.empty();
  auto answer = parser.release();
  const unsigned code = answer.result_int();
  if (code != 200) throw ConnectionRefused(FaultOfStatus(code, StatusWords(answer)));
  answer_ = std::move(answer.body());
}

uint32_t HttpTransport::read(uint8_t* buffer, uint32_t length) {
  if (awaited_) ReadAnswer();
  const size_t count = std::min<size_t>(length, answer_.size() - read_);
  if (count == 0) {
    throw TTransportException(TTransportException::END_OF_FILE, "the gateway ended its answer early");
  }
  std::memcpy(buffer, answer_.data() + read_, count);
  read_ += count;
  return static_cast<uint32_t>(count);
}

}  // namespace fensi::store
