#include "tests/store/hbase/sasl_gateway.h"

#include <sasl/sasl.h>
#include <thrift/transport/TServerSocket.h>
#include <thrift/transport/TTransportException.h>
#include <thrift/transport/TVirtualTransport.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>

namespace fensi::store {
namespace {

namespace transport = apache::thrift::transport;

enum : uint8_t { kStart = 1, kOk = 2, kBad = 3, kComplete = 5 };

std::string Length(size_t length) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(length >> shift));
  return bytes;
}

/// Negotiates when the first byte is asked for.
class SaslServer final : public transport::TVirtualTransport<SaslServer> {
 public:
  SaslServer(std::shared_ptr<transport::TTransport> bytes, Qop qop) : bytes_(std::move(bytes)), qop_(qop) {}
  ~SaslServer() override { sasl_dispose(&connection_); }

  bool isOpen() const override { return bytes_->isOpen(); }
  bool peek() override { return left_.empty() ? bytes_->peek() : true; }
  void close() override { bytes_->close(); }

  uint32_t read(uint8_t* buffer, uint32_t length) {
    if (connection_ == nullptr) Negotiate();
    while (left_.empty()) left_ = Unwrapped(ReadPayload());
    const size_t count = std::min<size_t>(length, left_.size());
    std::memcpy(buffer, left_.data(), count);
    left_.erase(0, count);
    return static_cast<uint32_t>(count);
  }
  void write(const uint8_t* buffer, uint32_t length) { waiting_.append(reinterpret_cast<const char*>(buffer), length); }
  void flush() override {
    if (!waiting_.empty()) Send(Wrapped(waiting_));
    waiting_.clear();
    bytes_->flush();
  }

 private:
  void Send(const std::string& text) {
    bytes_->write(reinterpret_cast<const uint8_t*>(text.data()), static_cast<uint32_t>(text.size()));
  }
  std::string Read(size_t count) {
    std::string text(count, '\0');
    bytes_->readAll(reinterpret_cast<uint8_t*>(text.data()), static_cast<uint32_t>(count));
    return text;
  }
  std::string ReadPayload() {
    size_t length = 0;
    for (const char byte : Read(4)) length = length << 8 | static_cast<uint8_t>(byte);
    return Read(length);
  }
  std::string Expect(uint8_t status) {
    const auto came = static_cast<uint8_t>(Read(1)[0]);
    const std::string payload = ReadPayload();
    if (came != status && came != kComplete) Fail("a message of status " + std::to_string(came));
    return payload;
  }
  void Say(uint8_t status, const std::string& payload) {
    Send(static_cast<char>(status) + Length(payload.size()) + payload);
    bytes_->flush();
  }
  [[noreturn]] void Fail(const std::string& why) {
    Say(kBad, why);
    throw transport::TTransportException(why);
  }

  void Open() {
    static const int init = sasl_server_init(nullptr, "fensi_test");
    if (init != SASL_OK) Fail("no Cyrus SASL");
    sasl_server_new("hbase", "localhost", nullptr, nullptr, nullptr, nullptr, 0, &connection_);
    sasl_security_properties_t offered{};
    offered.min_ssf = qop_ == Qop::kAuth ? 0 : qop_ == Qop::kAuthInt ? 1 : 2;
    offered.max_ssf = qop_ == Qop::kAuth ? 0 : qop_ == Qop::kAuthInt ? 1 : UINT16_MAX;
    offered.maxbufsize = 65'536;  // that of Java
    sasl_setprop(connection_, SASL_SEC_PROPS, &offered);
  }

  void Negotiate() {
    Open();
    const std::string mechanism = Expect(kStart);
    std::string came = Expect(kOk);
    const char* out = nullptr;
    unsigned length = 0;
    int result = sasl_server_start(connection_, mechanism.c_str(), came.data(), static_cast<unsigned>(came.size()),
                                   &out, &length);
    while (result == SASL_CONTINUE) {
      Say(kOk, std::string(out, length));
      came = Expect(kOk);
      result = sasl_server_step(connection_, came.data(), static_cast<unsigned>(came.size()), &out, &length);
    }
    if (result != SASL_OK) Fail(sasl_errdetail(connection_));
    Say(kComplete, std::string(out == nullptr ? "" : out, out == nullptr ? 0 : length));
  }

  std::string Wrapped(const std::string& plain) {
    if (qop_ == Qop::kAuth) return Length(plain.size()) + plain;
    const char* out = nullptr;
    unsigned length = 0;
    std::string all;
    if (sasl_encode(connection_, plain.data(), static_cast<unsigned>(plain.size()), &out, &length) != SASL_OK)
      Fail("encode");
    return std::string(out, length);
  }
  std::string Unwrapped(const std::string& payload) {
    if (qop_ == Qop::kAuth) return payload;
    const std::string whole = Length(payload.size()) + payload;
    const char* out = nullptr;
    unsigned length = 0;
    if (sasl_decode(connection_, whole.data(), static_cast<unsigned>(whole.size()), &out, &length) != SASL_OK)
      Fail("decode");
    return std::string(out, length);
  }

  const std::shared_ptr<transport::TTransport> bytes_;
  const Qop qop_;
  sasl_conn_t* connection_ = nullptr;
  std::string waiting_, left_;
};

/// One for both directions, as Thrift asks for it twice.
class Layers final : public transport::TTransportFactory {
 public:
  explicit Layers(Qop qop) : qop_(qop) {}
  std::shared_ptr<transport::TTransport> getTransport(std::shared_ptr<transport::TTransport> bytes) override {
    const std::lock_guard lock(mu_);
    std::shared_ptr<transport::TTransport> made = made_.lock();
    if (made == nullptr || of_.lock() != bytes) made_ = made = std::make_shared<SaslServer>(bytes, qop_);
    of_ = bytes;
    return made;
  }

 private:
  const Qop qop_;
  std::mutex mu_;
  std::weak_ptr<transport::TTransport> of_, made_;
};

}  // namespace

std::unique_ptr<FakeGateway> MakeSaslGateway(Qop qop) {
  return std::make_unique<FakeGateway>(std::make_shared<transport::TServerSocket>("127.0.0.1", 0),
                                       std::make_shared<Layers>(qop));
}

}  // namespace fensi::store
