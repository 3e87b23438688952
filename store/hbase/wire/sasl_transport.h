// Thrift's SASL: messages of status and length until both sides agree, then frames, which are wrapped if the session
// requires it. Over the bytes of any other transport.
//
// Throws TTransportException, as Thrift expects, and ConnectionRefused; used by one thread.
#pragma once

#include <thrift/transport/TVirtualTransport.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "store/hbase/wire/kerberos_session.h"

namespace fensi::store {

class SaslTransport final : public apache::thrift::transport::TVirtualTransport<SaslTransport> {
 public:
  using Bytes = std::shared_ptr<apache::thrift::transport::TTransport>;
  /// Waits until the session has its first message, or throws.
  using Wait = std::function<Result<std::string>(std::shared_ptr<SaslSession>)>;

  SaslTransport(Bytes bytes, std::shared_ptr<SaslSession> session,
                const std::shared_ptr<apache::thrift::TConfiguration>& configuration);

  /// Negotiates on a connected transport.
  void Negotiate(const Wait& start);

  bool isOpen() const override { return session_->done() && bytes_->isOpen(); }
  void close() override { bytes_->close(); }
  uint32_t read(uint8_t* buffer, uint32_t length);
  void write(const uint8_t* buffer, uint32_t length);
  void flush() override;

 private:
  struct Message {
    uint8_t status = 0;
    std::string payload;
  };

  void SendMessage(uint8_t status, const std::string& payload);
  Message ReceiveMessage();
  void SendFrame(std::string_view plain);
  void ReadFrame();

  const Bytes bytes_;
  const std::shared_ptr<SaslSession> session_;
  size_t most_plain_bytes_ = 0;  // of a frame; known when the session is done
  std::string waiting_;          // written, not flushed yet
  std::string frame_;            // as received
  std::string_view left_;        // of the frame, unwrapped
};

}  // namespace fensi::store
