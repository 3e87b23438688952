// Sends a Thrift call as a POST, and reads its answer, over the bytes of any other transport.
//
// Thrift's own THttpClient (0.17) hides the status code, ignores "Connection: close", and has no limit for headers.
// Throws TTransportException and ConnectionRefused; used by one thread.
#pragma once

#include <thrift/transport/TVirtualTransport.h>

#include <cstdint>
#include <memory>
#include <string>

namespace fensi::store {

class HttpTransport final : public apache::thrift::transport::TVirtualTransport<HttpTransport> {
 public:
  using Bytes = std::shared_ptr<apache::thrift::transport::TTransport>;

  /// `host` with its port, as in the Host header; `path` begins with '/'.
  HttpTransport(Bytes bytes, std::string host, std::string path,
                const std::shared_ptr<apache::thrift::TConfiguration>& configuration);

  bool isOpen() const override { return bytes_->isOpen(); }
  void close() override { bytes_->close(); }
  /// Reads from the answer, which is received as a whole when its first byte is requested.
  uint32_t read(uint8_t* buffer, uint32_t length);
  void write(const uint8_t* buffer, uint32_t length);
  /// Sends everything that was written as one request.
  void flush() override;

  /// True if the server accepts no further request on this connection.
  bool closes() const { return closes_; }

 private:
  void ReadAnswer();

  const Bytes bytes_;
  const std::string host_;
  const std::string path_;
  std::string request_;
  std::string answer_;
  size_t read_ = 0;       // position in the answer
  bool awaited_ = false;  // a request was sent, its answer not read
  bool closes_ = false;
};

}  // namespace fensi::store
